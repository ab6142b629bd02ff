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

/// A name for each joint (rig/bone_names.h).
[[nodiscard]] std::vector<std::string> bone_names(const Document& document);

/// A joint's rest pose in armature space.
struct RestJoint {
    std::string name;  ///< from bone_names
    glm::dvec3 head{0, 0, 0};
    glm::dvec3 tail{0, 0, 0};  ///< the mean of the children's heads and the end sites; never at the head
};

/// ErrorCode::bad_value: a joint rests beyond largest_number.
[[nodiscard]] Result<std::vector<RestJoint>> rest_joints(const Document& document,
                                                         const Placement& placement);

/// The root's rest height above the lowest joint or end site, along the axis that becomes Z, in the file's
/// unit.
[[nodiscard]] double hip_height(const Document& document, std::size_t root, const Axes& axes);

/// Blender's Euler order whose angles equal those of rotation channels about `axes` (0, 1, 2 for x, y, z; in
/// file order): the file's first axis turns last. Missing axes take positions where they change nothing. Null
/// if an axis repeats.
[[nodiscard]] std::optional<rig::BoneChannel> euler_order_of(const std::vector<std::uint8_t>& axes);

/// "YXZ" for BoneChannel::euler_yxz; "" for other channels.
[[nodiscard]] std::string_view letters_of(rig::BoneChannel order);

/// The matrix from the file's axes to those of a bone with rest rotation `rest`. Exact for quarter turns,
/// because it undoes float rounding of the rest rotation.
[[nodiscard]] glm::dmat3 axes_to_bone(const Axes& axes, const glm::dquat& rest);

}  // namespace animbridge::bvh
