// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "convert/rig_of.h"

/// Whether a motion is that of a person, and has enough limbs in common with the skeleton that gets it.
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

/// Whether a retargeting has limbs to move: the document's skeleton is a body, and moves.
[[nodiscard]] bool moves_body(const AnyDocument& document);

/// Whether the motion is that of a person, and moves a limb.
[[nodiscard]] bool moves_person(const RigMotion& motion);

/// Those of `limbs` that were found in the rig.
[[nodiscard]] std::vector<std::string> limbs_found(const std::vector<std::string>& limbs,
                                                   const rig::FoundRig& rig);

/// Why the motion is not that of a person, as a clause: "it has ..."; empty if it is. A person has a
/// whole arm or leg (its upper and lower part) or a hand with fingers. Legs alone beside wings or a tail are
/// an animal's.
[[nodiscard]] std::string why_no_person(const RigMotion& motion);

/// Whether so few of the limbs are there that the result would not look like the motion: under half.
[[nodiscard]] constexpr bool are_too_few(std::size_t there, std::size_t limbs) { return 2 * there < limbs; }

}  // namespace animbridge
