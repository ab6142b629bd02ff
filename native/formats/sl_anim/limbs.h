// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "rig/rig_map.h"

namespace animbridge::sl_anim {

/// The avatar's body parts without a bone, in words. A limb counts as a whole: "left forearm" if no joint
/// from mElbowLeft down has a bone. Only head, trunk, arms and legs.
[[nodiscard]] std::vector<std::string> limbs_without_bone(const rig::BoneMap& map);

/// Puts a warning that names the limbs without a bone, if there are any, before `warnings`.
[[nodiscard]] std::vector<std::string> with_missing_limbs(std::vector<std::string> warnings,
                                                          const rig::BoneMap& map);

}  // namespace animbridge::sl_anim
