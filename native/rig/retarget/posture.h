// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <glm/gtc/quaternion.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "model/clip/clip.h"
#include "rig/humanoid/found_rig.h"
#include "rig/retarget/options.h"

namespace animbridge::rig {

/// A skeleton in one pose. Translations are those of the rest pose.
struct Posture {
    std::vector<glm::dquat> local;  ///< per node, in the parent's frame
    std::vector<Transform> world;   ///< per node, clip space

    [[nodiscard]] const glm::dvec3& head(std::size_t node) const { return world[node].translation; }
};

[[nodiscard]] Posture posture_of(const Skeleton& skeleton, std::vector<glm::dquat> local);

/// The posture of a reference. `which` is "source" or "target", for messages. ErrorCode::invalid_argument if
/// there is not one rotation per joint, or a rotation is not finite or has no length.
[[nodiscard]] Result<Posture> reference_posture(const Skeleton& skeleton, const FoundRig& rig,
                                                const Reference& reference, const std::string& which);

/// Unit vectors to a body's front and left, horizontal, in clip space.
struct Heading {
    glm::dvec3 forward{1, 0, 0};
    glm::dvec3 left{0, 1, 0};
};

/// From pairs of left and right joints of legs, arms or shoulders; nullopt if the rig has no such pair, or if
/// it is vertical.
[[nodiscard]] std::optional<Heading> heading_of(const FoundRig& rig, const Posture& posture);

/// The unit vector from the right to the left hip, and from the right to the left side of the chest, clip
/// space; nullopt if the rig has no such pair, or both joints are at one position.
[[nodiscard]] std::optional<glm::dvec3> hip_line(const FoundRig& rig, const Posture& posture);
[[nodiscard]] std::optional<glm::dvec3> shoulder_line(const FoundRig& rig, const Posture& posture);

/// The height in metres of the lowest of these joints; if there are none, of the lowest joint of all.
[[nodiscard]] double lowest_height(const std::vector<std::size_t>& joints,
                                   const std::vector<Transform>& world);

inline constexpr std::array<std::string_view, 8> foot_slots = {
    "leftFoot", "leftToes", "leftToeTip", "leftHeel", "rightFoot", "rightToes", "rightToeTip", "rightHeel"};

/// The joints in foot_slots that the rig has.
[[nodiscard]] std::vector<std::size_t> foot_joints(const FoundRig& rig);

}  // namespace animbridge::rig
