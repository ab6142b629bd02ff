// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "rig/retarget/feet.h"
#include "rig/retarget/target_motion.h"

namespace animbridge::rig {

/// What pinning changed.
struct Pinned {
    std::vector<bool> parts;               ///< per part: its joints have new rotations
    std::vector<double> slides_before;     ///< per foot, mm per second of contact
    std::vector<std::string> unreached{};  ///< sides on which a leg is too short to stay
};

/// Keeps each foot where it is on average while the source's foot stands: the leg's two bones turn so that
/// the ankle moves, the knee stays in its plane, and the foot keeps its orientation. Before and after a
/// contact, the correction fades over a tenth of a second: 3 frames at 30 a second, 6 at 60.
[[nodiscard]] Pinned pin_feet(const Parts& parts, const std::vector<FootContacts>& feet,
                              const std::vector<double>& times, TargetMotion& motion);

}  // namespace animbridge::rig
