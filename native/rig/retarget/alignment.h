// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <glm/gtc/quaternion.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/base.h"
#include "rig/retarget/parts.h"
#include "rig/retarget/posture.h"

namespace animbridge::rig {

/// What the alignment did to one part.
struct PartAlignment {
    double degrees = 0;        ///< the turn of its first target joint, relative to the joint that carries it
    bool is_left_out = false;  ///< its direction may differ from the source part's: where torsos have their
                               ///< joints says little
};

/// The constant turns, per part, from directions of the source to directions of the target.
struct Alignment {
    std::vector<glm::dquat> turns;     ///< C per part: from the source's directions to the target's
    Posture target;                    ///< the target in the source's posture
    std::vector<PartAlignment> parts;  ///< per part
    std::vector<std::string> warnings;
};

/// Finds the turns between the rigs, and turns the target's reference until each part points in the same
/// direction as in the source: by the smallest swing, topmost joint first, then about a second axis if both
/// have one. Torso and neck turn as one each, and only if they differ by more than rigs usually do;
/// collarbones stay. ErrorCode::rejected if the left hip is on the right: the map mixes up the sides.
[[nodiscard]] Result<Alignment> align_rigs(const Parts& parts, const FoundRig& source_rig,
                                           const Posture& source, const FoundRig& target_rig,
                                           const Skeleton& target_skeleton, const Posture& target,
                                           const RetargetOptions& options);

/// The joint at which a part points, in the source or the target; nullopt if none is known.
[[nodiscard]] std::optional<std::size_t> aimed_source_joint(const Parts& parts, std::size_t part);
[[nodiscard]] std::optional<std::size_t> aimed_target_joint(const Parts& parts, std::size_t part);

}  // namespace animbridge::rig
