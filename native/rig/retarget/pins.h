// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "rig/retarget/feet.h"
#include "rig/retarget/target_motion.h"

namespace animbridge::rig {

/// The result of pinning.
struct Pinned {
    std::vector<bool> parts;               ///< per part: its joints have new rotations
    std::vector<double> slides_before;     ///< per foot, mm per second of contact
    std::vector<std::string> unreached{};  ///< sides with a leg too short to keep the foot in place
};

/// Keeps each foot at its average position while the source's foot is on the floor: the leg's two bones turn
/// so that the ankle moves there, the knee stays in its plane, and the foot keeps its orientation. Before and
/// after a contact, the correction fades over a tenth of a second: 3 frames at 30 per second, 6 at 60.
[[nodiscard]] Pinned pin_feet(const Parts& parts, const std::vector<FootContacts>& feet,
                              const std::vector<double>& times, TargetMotion& motion);

}  // namespace animbridge::rig
