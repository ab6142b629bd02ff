// SPDX-License-Identifier: MIT
#include "rig/humanoid/slots.h"

#include <algorithm>
#include <array>

namespace animbridge::rig {

namespace {

constexpr auto left = Side::left;
constexpr auto right = Side::right;

constexpr std::array slots = {
    Slot{"root", "", ""},
    Slot{"hips", "root", "", Side::centre, true},
    Slot{"spine", "hips", "chest", Side::centre, true},
    Slot{"chest", "spine", "upperChest"},
    Slot{"upperChest", "chest", "neck"},
    Slot{"neck", "upperChest", "head"},
    Slot{"head", "neck", "", Side::centre, true},
    Slot{"leftEye", "head", "", left},
    Slot{"rightEye", "head", "", right},
    Slot{"jaw", "head", ""},
    Slot{"leftUpperLeg", "hips", "leftLowerLeg", left, true},
    Slot{"leftLowerLeg", "leftUpperLeg", "leftFoot", left, true},
    Slot{"leftFoot", "leftLowerLeg", "leftToes", left, true},
    Slot{"leftToes", "leftFoot", "leftToeTip", left},
    Slot{"leftToeTip", "leftToes", "", left},
    Slot{"leftHeel", "leftFoot", "", left},
    Slot{"rightUpperLeg", "hips", "rightLowerLeg", right, true},
    Slot{"rightLowerLeg", "rightUpperLeg", "rightFoot", right, true},
    Slot{"rightFoot", "rightLowerLeg", "rightToes", right, true},
    Slot{"rightToes", "rightFoot", "rightToeTip", right},
    Slot{"rightToeTip", "rightToes", "", right},
    Slot{"rightHeel", "rightFoot", "", right},
    Slot{"leftShoulder", "upperChest", "leftUpperArm", left},
    Slot{"leftUpperArm", "leftShoulder", "leftLowerArm", left, true},
    Slot{"leftLowerArm", "leftUpperArm", "leftHand", left, true},
    Slot{"leftHand", "leftLowerArm", "leftMiddleProximal", left, true},
    Slot{"leftPalm", "leftHand", "", left},
    Slot{"leftThumbMetacarpal", "leftHand", "leftThumbProximal", left},
    Slot{"leftThumbProximal", "leftThumbMetacarpal", "leftThumbDistal", left},
    Slot{"leftThumbDistal", "leftThumbProximal", "leftThumbTip", left},
    Slot{"leftThumbTip", "leftThumbDistal", "", left},
    Slot{"leftIndexMetacarpal", "leftHand", "leftIndexProximal", left},
    Slot{"leftIndexProximal", "leftIndexMetacarpal", "leftIndexIntermediate", left},
    Slot{"leftIndexIntermediate", "leftIndexProximal", "leftIndexDistal", left},
    Slot{"leftIndexDistal", "leftIndexIntermediate", "leftIndexTip", left},
    Slot{"leftIndexTip", "leftIndexDistal", "", left},
    Slot{"leftMiddleMetacarpal", "leftHand", "leftMiddleProximal", left},
    Slot{"leftMiddleProximal", "leftMiddleMetacarpal", "leftMiddleIntermediate", left},
    Slot{"leftMiddleIntermediate", "leftMiddleProximal", "leftMiddleDistal", left},
    Slot{"leftMiddleDistal", "leftMiddleIntermediate", "leftMiddleTip", left},
    Slot{"leftMiddleTip", "leftMiddleDistal", "", left},
    Slot{"leftRingMetacarpal", "leftHand", "leftRingProximal", left},
    Slot{"leftRingProximal", "leftRingMetacarpal", "leftRingIntermediate", left},
    Slot{"leftRingIntermediate", "leftRingProximal", "leftRingDistal", left},
    Slot{"leftRingDistal", "leftRingIntermediate", "leftRingTip", left},
    Slot{"leftRingTip", "leftRingDistal", "", left},
    Slot{"leftLittleMetacarpal", "leftHand", "leftLittleProximal", left},
    Slot{"leftLittleProximal", "leftLittleMetacarpal", "leftLittleIntermediate", left},
    Slot{"leftLittleIntermediate", "leftLittleProximal", "leftLittleDistal", left},
    Slot{"leftLittleDistal", "leftLittleIntermediate", "leftLittleTip", left},
    Slot{"leftLittleTip", "leftLittleDistal", "", left},
    Slot{"rightShoulder", "upperChest", "rightUpperArm", right},
    Slot{"rightUpperArm", "rightShoulder", "rightLowerArm", right, true},
    Slot{"rightLowerArm", "rightUpperArm", "rightHand", right, true},
    Slot{"rightHand", "rightLowerArm", "rightMiddleProximal", right, true},
    Slot{"rightPalm", "rightHand", "", right},
    Slot{"rightThumbMetacarpal", "rightHand", "rightThumbProximal", right},
    Slot{"rightThumbProximal", "rightThumbMetacarpal", "rightThumbDistal", right},
    Slot{"rightThumbDistal", "rightThumbProximal", "rightThumbTip", right},
    Slot{"rightThumbTip", "rightThumbDistal", "", right},
    Slot{"rightIndexMetacarpal", "rightHand", "rightIndexProximal", right},
    Slot{"rightIndexProximal", "rightIndexMetacarpal", "rightIndexIntermediate", right},
    Slot{"rightIndexIntermediate", "rightIndexProximal", "rightIndexDistal", right},
    Slot{"rightIndexDistal", "rightIndexIntermediate", "rightIndexTip", right},
    Slot{"rightIndexTip", "rightIndexDistal", "", right},
    Slot{"rightMiddleMetacarpal", "rightHand", "rightMiddleProximal", right},
    Slot{"rightMiddleProximal", "rightMiddleMetacarpal", "rightMiddleIntermediate", right},
    Slot{"rightMiddleIntermediate", "rightMiddleProximal", "rightMiddleDistal", right},
    Slot{"rightMiddleDistal", "rightMiddleIntermediate", "rightMiddleTip", right},
    Slot{"rightMiddleTip", "rightMiddleDistal", "", right},
    Slot{"rightRingMetacarpal", "rightHand", "rightRingProximal", right},
    Slot{"rightRingProximal", "rightRingMetacarpal", "rightRingIntermediate", right},
    Slot{"rightRingIntermediate", "rightRingProximal", "rightRingDistal", right},
    Slot{"rightRingDistal", "rightRingIntermediate", "rightRingTip", right},
    Slot{"rightRingTip", "rightRingDistal", "", right},
    Slot{"rightLittleMetacarpal", "rightHand", "rightLittleProximal", right},
    Slot{"rightLittleProximal", "rightLittleMetacarpal", "rightLittleIntermediate", right},
    Slot{"rightLittleIntermediate", "rightLittleProximal", "rightLittleDistal", right},
    Slot{"rightLittleDistal", "rightLittleIntermediate", "rightLittleTip", right},
    Slot{"rightLittleTip", "rightLittleDistal", "", right},
};

}  // namespace

std::span<const Slot> humanoid_slots() { return slots; }

std::optional<std::size_t> find_slot(std::string_view name) {
    const auto* const found =
        std::find_if(slots.begin(), slots.end(), [&](const Slot& slot) { return slot.name == name; });
    return found == slots.end() ? std::nullopt
                                : std::optional(static_cast<std::size_t>(found - slots.begin()));
}

std::size_t mirrored_slot(std::size_t slot) {
    const Slot& one = slots[slot];
    if (one.side == Side::centre) {
        return slot;
    }
    // "leftHand" and "rightHand" differ only in the side's word.
    const std::string_view part = one.name.substr(one.side == Side::left ? 4 : 5);
    const auto* const found = std::find_if(slots.begin(), slots.end(), [&](const Slot& other) {
        return other.side != Side::centre && other.side != one.side && other.name.ends_with(part) &&
               other.name.size() == part.size() + (other.side == Side::left ? 4U : 5U);
    });
    return static_cast<std::size_t>(found - slots.begin());
}

}  // namespace animbridge::rig
