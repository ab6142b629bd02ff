// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "formats/scene/document.h"
#include "formats/scene/gltf/buffers.h"
#include "formats/scene/gltf/file.h"
#include "formats/scene/keys.h"

namespace animbridge::scene {

/// From the index of a node in the file to that in the document; -1: it is not in the file's scene.
using GltfNodeMap = std::vector<std::int64_t>;

/// Fills in the nodes of the file's scene with their roles, the cameras, and where skins were bound. Errors:
/// a node hangs at several places or too deep, a skin's matrices lead out of their data, or there is no room
/// (bad_value).
[[nodiscard]] Result<GltfNodeMap> take_gltf_nodes(const GltfFile& file, GltfBuffers& buffers, GltfRoom& room,
                                                  Document& document, Notes& notes);

}  // namespace animbridge::scene
