// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "formats/scene/document.h"
#include "scene_child/gltf_buffers.h"
#include "scene_child/gltf_file.h"
#include "scene_child/keys.h"

namespace animbridge::scene_child {

/// From the index of a node in the file to that in the document; -1: it is not in the file's scene.
using GltfNodeMap = std::vector<std::int64_t>;

/// Fills in the nodes of the file's scene with their roles, the cameras, and where skins were bound. Errors:
/// a node hangs at several places or too deep, or a skin's matrices lead out of their data (bad_value).
[[nodiscard]] Result<GltfNodeMap> take_gltf_nodes(const GltfFile& file, GltfBuffers& buffers,
                                                  scene::Document& document, Notes& notes);

}  // namespace animbridge::scene_child
