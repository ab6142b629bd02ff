// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "convert/rig_of.h"

/// Whether a motion and the skeleton that gets it have enough limbs in common.
namespace animbridge {

/// A limb, and the part below to which it points; "": it is only found, and has no direction.
struct Limb {
    std::string_view slot;
    std::string_view below;
};
/// Upper and lower arms and legs, hands and feet.
inline constexpr std::array<Limb, 12> limb_slots = {{{"leftUpperArm", "leftLowerArm"},
                                                     {"leftLowerArm", "leftHand"},
                                                     {"leftHand", ""},
                                                     {"rightUpperArm", "rightLowerArm"},
                                                     {"rightLowerArm", "rightHand"},
                                                     {"rightHand", ""},
                                                     {"leftUpperLeg", "leftLowerLeg"},
                                                     {"leftLowerLeg", "leftFoot"},
                                                     {"leftFoot", ""},
                                                     {"rightUpperLeg", "rightLowerLeg"},
                                                     {"rightLowerLeg", "rightFoot"},
                                                     {"rightFoot", ""}}};

/// The limbs that the motion's skeleton has and moves.
[[nodiscard]] std::vector<std::string> moved_limbs(const RigMotion& motion);

/// Those of `limbs` that were found in the rig.
[[nodiscard]] std::vector<std::string> limbs_found(const std::vector<std::string>& limbs,
                                                   const rig::FoundRig& rig);

/// Whether so few of the limbs are there that the result would not look like the motion: under half.
[[nodiscard]] constexpr bool are_too_few(std::size_t there, std::size_t limbs) { return 2 * there < limbs; }

}  // namespace animbridge
