// SPDX-License-Identifier: MIT
#pragma once

#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "formats/bvh/document.h"
#include "formats/bvh/placement.h"
#include "rig/armature.h"

/// A BVH's skeleton as bones.
namespace animbridge::bvh {

/// What Blender keeps of a bone's name.
inline constexpr std::size_t most_name_bytes = 63;

/// A name for each joint: the file's, as UTF-8 without control characters, not empty, cut to most_name_bytes,
/// and made unique by ".001" and so on.
[[nodiscard]] std::vector<std::string> bone_names(const Document& document);

/// A joint at rest, in armature space.
struct RestJoint {
    std::string name;  ///< as bone_names has it
    glm::dvec3 head{0, 0, 0};
    glm::dvec3 tail{0, 0,
                    0};  ///< the middle of the children's heads and the end sites, and never at the head
};

/// ErrorCode::bad_value: a joint lies beyond largest_number.
[[nodiscard]] Result<std::vector<RestJoint>> rest_joints(const Document& document,
                                                         const Placement& placement);

/// How high the root rests above the lowest joint or end site, along the axis that becomes Z, in the file's
/// unit.
[[nodiscard]] double hip_height(const Document& document, std::size_t root, const Axes& axes);

/// Blender's Euler order whose angles are those of rotation channels about `axes` (0, 1, 2 for x, y, z, in
/// file order): the file's first axis turns last. Axes that are missing stand where they change nothing.
/// None: an axis stands twice.
[[nodiscard]] std::optional<rig::BoneChannel> euler_order_of(const std::vector<std::uint8_t>& axes);

/// "YXZ" of BoneChannel::euler_yxz; "" of others.
[[nodiscard]] std::string_view letters_of(rig::BoneChannel order);

/// Takes vectors along the file's axes to ones along axes that rest like `rest`; exact where that is a turn
/// by quarters, but for what single precision leaves askew.
[[nodiscard]] glm::dmat3 axes_to_bone(const Axes& axes, const glm::dquat& rest);

}  // namespace animbridge::bvh
