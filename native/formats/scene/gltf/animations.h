// SPDX-License-Identifier: MIT
#pragma once

#include "base/base.h"
#include "formats/scene/document.h"
#include "formats/scene/gltf/buffers.h"
#include "formats/scene/gltf/nodes.h"
#include "formats/scene/keys.h"

namespace animbridge::scene {

/// Fills in the animations that move nodes; call it after take_gltf_nodes. ErrorCode::bad_value: keys point
/// outside their data, or their times and values do not match.
[[nodiscard]] Result<void> take_gltf_animations(const GltfFile& file, GltfBuffers& buffers,
                                                const GltfNodeMap& map, Document& document, Notes& notes);

}  // namespace animbridge::scene
