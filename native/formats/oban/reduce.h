// SPDX-License-Identifier: MIT
#pragma once

#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

#include "base/job.h"
#include "formats/oban/player.h"

/// Drops keys from a motion that is known at every frame.
namespace animbridge::oban {

/// How far the player may deviate at every frame.
struct Bound {
    double position_mm = 1.0;
    double rotation_degrees = 0.05;
};

/// What a frame must show, in the file's axes and units.
struct Shown {
    glm::dquat rotation{1, 0, 0, 0};  ///< of unit length
    glm::dvec3 pivot{0};              ///< the key's position, the centre of its rotation
    /// A(f) 0, the vertices' origin; equals the pivot unless Base has a translation.
    glm::dvec3 origin{0};
};

/// How far a pose is from what the frame must show.
struct Stray {
    double position_mm = 0;  ///< the larger of pivot and origin
    double rotation_degrees = 0;
};
[[nodiscard]] Stray stray_of(const Pose& pose, const glm::dvec3& base_translation, const Shown& shown);

/// A motion frame by frame. frames[i] is the possible key at frame i, in the file's floats, with time i and a
/// consistent sign; shown[i] is what that frame must show.
struct Motion {
    std::vector<Key> frames;
    std::vector<Shown> shown;
    glm::dvec3 base_translation{0};
};

/// The frames that must be keys: the first, the last, and as many between as the player needs, with these
/// floats, to stay within the bound at every other frame. None of those between can be dropped alone. Keys
/// themselves are as exact as single precision allows. `is_mirrored`: the second half is the first one
/// backwards, and so are its keys, except for keys around the middle that are not needed. The result is the
/// same on every machine. ErrorCode::cancelled.
[[nodiscard]] Result<std::vector<Key>> reduce(const Motion& motion, const Bound& bound, bool is_mirrored,
                                              const Job& job);

}  // namespace animbridge::oban
