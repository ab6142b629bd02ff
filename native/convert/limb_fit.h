// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "convert/rig_of.h"

/// Decides whether a motion is that of a person, and whether its target skeleton has enough of its limbs.
namespace animbridge {

/// A limb, and the part below to which it points; "": it has no direction, and only needs to be found.
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

/// Whether retargeting has limbs to move: the document's skeleton is a body, and moves.
[[nodiscard]] bool moves_body(const AnyDocument& document);

/// Whether the motion is that of a person, and moves a limb.
[[nodiscard]] bool moves_person(const RigMotion& motion);

/// Those of `limbs` that were found in the rig.
[[nodiscard]] std::vector<std::string> limbs_found(const std::vector<std::string>& limbs,
                                                   const rig::FoundRig& rig);

/// Why the motion is not that of a person, as a clause: "it has ..."; empty if it is. A person has a whole
/// arm or leg (its upper and lower part) or a hand with fingers. Legs alone, with wings or a tail, are those
/// of an animal.
[[nodiscard]] std::string why_no_person(const RigMotion& motion);

/// Whether under half of the limbs are there, so that the result would not look like the motion.
[[nodiscard]] constexpr bool are_too_few(std::size_t there, std::size_t limbs) { return 2 * there < limbs; }

}  // namespace animbridge
