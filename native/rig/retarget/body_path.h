// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <string>
#include <vector>

#include "rig/retarget/motion.h"
#include "rig/retarget/parts.h"
#include "rig/retarget/posture.h"

namespace animbridge::rig {

/// How the path of the source's body becomes that of the target's.
struct BodyPath {
    RootScale scale{};
    double source_hips_height = 0;  ///< metres above the lowest foot of the reference
    double target_hips_height = 0;
    double source_ground = 0;  ///< the height of the floor, metres
    double target_ground = 0;
    glm::dquat turn{1, 0, 0, 0};      ///< the constant turn between the bodies
    glm::dvec3 source_lift{0, 0, 0};  ///< from the reference position to where the body is on the floor
    glm::dvec3 target_lift{0, 0, 0};
    glm::dvec3 shift{0, 0, 0};  ///< added to the result
    bool in_place = false;

    /// The position of a target joint while the source's is at `now`. Both heads are those in the references.
    [[nodiscard]] glm::dvec3 map(const glm::dvec3& now, const glm::dvec3& source_head,
                                 const glm::dvec3& target_head) const;
};

/// The joints that touch the floor, from the foot slots that both rigs have: toes are never compared with
/// ankles. `side`: &Part::source or &Part::target.
[[nodiscard]] std::vector<std::size_t> common_feet(const Parts& parts, std::vector<std::size_t> Part::*side);

/// The heights, the floors and the factors. `source` and `target` are the aligned references; `motion` has
/// the source's foot joints. Adds to `warnings` if the body's height is not usable.
[[nodiscard]] BodyPath body_path(const Parts& parts, const Posture& source, const Posture& target,
                                 const glm::dquat& turn, const SourceMotion& motion,
                                 const RetargetOptions& options, std::vector<std::string>& warnings);

}  // namespace animbridge::rig
