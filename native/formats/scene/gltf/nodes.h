// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "base/base.h"
#include "formats/scene/document.h"
#include "formats/scene/gltf/buffers.h"
#include "formats/scene/gltf/file.h"
#include "formats/scene/keys.h"

namespace animbridge::scene {

/// Maps the index of a node in the file to that in the document; -1: it is not in the file's scene.
using GltfNodeMap = std::vector<std::int64_t>;

/// Fills in the nodes of the file's scene with their roles, the cameras, and the bind poses of skins.
/// ErrorCode::bad_value: a node has several parents or is too deep, a skin's matrices point outside their
/// data, or there is not enough memory.
[[nodiscard]] Result<GltfNodeMap> take_gltf_nodes(const GltfFile& file, GltfBuffers& buffers, GltfRoom& room,
                                                  Document& document, Notes& notes);

}  // namespace animbridge::scene
