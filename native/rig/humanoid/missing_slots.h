// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "rig/humanoid/rig_gaps.h"

namespace animbridge::rig {

/// The slots without a joint: those that a body needs, those that the rig file lists, and fingers of a hand
/// that has others; each with the nearest joints and the reason. `rig`: null if no rig file fits.
[[nodiscard]] std::vector<MissingSlot> missing_slots(const SlotMap& map, const RestBody& body,
                                                     const JointNames& names, const NameMeanings& meanings,
                                                     const RigFile* rig);

}  // namespace animbridge::rig
