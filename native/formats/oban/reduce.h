// SPDX-License-Identifier: MIT
#pragma once

#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

#include "base/job.h"
#include "formats/oban/player.h"

/// Fewer keys for a motion that is known at every frame.
namespace animbridge::oban {

/// How far what the player shows may stray, at every frame.
struct Bound {
    double position_mm = 1.0;
    double rotation_degrees = 0.05;
};

/// What has to be seen at a frame, in the file's axes and units.
struct Shown {
    glm::dquat rotation{1, 0, 0, 0};  ///< of unit length
    glm::dvec3 pivot{0};              ///< the key's place, about which it turns
    glm::dvec3 place{0};              ///< A(f) 0: where the vertices' origin is; the pivot unless Base moves
};

/// How far a pose is from what has to be seen.
struct Stray {
    double position_mm = 0;  ///< of pivot and place, the larger one
    double rotation_degrees = 0;
};
[[nodiscard]] Stray stray_of(const Pose& pose, const glm::dvec3& base_place, const Shown& shown);

/// A motion, frame by frame: frames[i] is the key that would stand at frame i, in the floats of the file,
/// with time i and a sign; shown[i] what has to be seen there.
struct Motion {
    std::vector<Key> frames;
    std::vector<Shown> shown;
    glm::dvec3 base_place{0};  ///< Base's translation
};

/// Those of the frames that must be keys: the first and the last one, and so many between that the player,
/// with these floats, is within the bound at every frame that is no key; none of those between can be taken
/// singly. (A key itself is as near as single precision gets.) `is_mirrored`: the second half is the first
/// one backwards, and so are the keys, but for those about the middle that are not needed. The same on every
/// machine. ErrorCode::cancelled.
[[nodiscard]] Result<std::vector<Key>> reduce(const Motion& motion, const Bound& bound, bool is_mirrored,
                                              const Job& job);

}  // namespace animbridge::oban
