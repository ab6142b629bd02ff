// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.h"
#include "formats/scene/document.h"
#include "scene_child/gltf_buffers.h"
#include "scene_child/gltf_nodes.h"
#include "scene_child/keys.h"

namespace animbridge::scene_child {

/// Fills in the animations that move nodes; after take_gltf_nodes. Errors: keys lead out of their data, or
/// their times and values do not match (bad_value).
[[nodiscard]] Result<void> take_gltf_animations(const GltfFile& file, GltfBuffers& buffers,
                                                const GltfNodeMap& map, scene::Document& document,
                                                Notes& notes);

}  // namespace animbridge::scene_child
