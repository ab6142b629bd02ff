// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "scene_child/write_keys.h"

namespace animbridge::scene_child {

/// A written GLB, taken apart.
struct GltfParts {  // NOLINT(bugprone-exception-escape): JSON that moves only asserts
    nlohmann::ordered_json json;
    std::vector<Bytes> views{};  ///< what each of "bufferViews" holds, whatever its place and length say
};

/// Errors: the bytes are not a GLB, or a view is not in them (bad_value, truncated).
[[nodiscard]] Result<GltfParts> parts_of_glb(ByteView file);

/// The views one after the other, with zeros between; "bufferViews" and "buffers" say where they are.
[[nodiscard]] Bytes join_views(GltfParts& parts);

/// Makes samplers of an animation what the motion's keys are: Assimp writes all of them as linear ones.
/// `places`: by the document's node, that of the file.
void set_kinds(GltfParts& parts, std::size_t animation, const Motion& motion,
               const std::vector<std::size_t>& places);

}  // namespace animbridge::scene_child
