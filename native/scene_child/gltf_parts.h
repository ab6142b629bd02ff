// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "base/base.h"
#include "scene_child/write_keys.h"

namespace animbridge::scene_child {

/// The parts of a written GLB.
struct GltfParts {  // NOLINT(bugprone-exception-escape): JSON that moves only asserts
    nlohmann::ordered_json json;
    std::vector<Bytes> views{};  ///< the content of each of "bufferViews", whatever its offset and length say
};

/// Errors: the bytes are not a GLB, or a view is not in them (bad_value, truncated).
[[nodiscard]] Result<GltfParts> parts_of_glb(ByteView file);

/// Joins the views, with zeros between, and sets their positions in "bufferViews" and "buffers".
[[nodiscard]] Bytes join_views(GltfParts& parts);

/// Sets the interpolation of an animation's samplers to the motion's: Assimp writes all of them as linear.
/// `places`: the file's node for each of the document's nodes.
void set_kinds(GltfParts& parts, std::size_t animation, const Motion& motion,
               const std::vector<std::size_t>& places);

}  // namespace animbridge::scene_child
