// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "model/skeleton.h"
#include "rig/armature.h"
#include "rig/humanoid/found_rig.h"

/// Makes joints of a recording from armatures whose bones have other names and axes: characters with hands.
namespace animbridge::mrtk {

/// A joint that moves with a bone.
struct ForeignJoint {
    std::size_t pose = 0;  ///< its index in a recording
    std::size_t bone = 0;
    Transform local{};     ///< in the bone's frame
    bool has_bone = true;  ///< false: the bone is another joint's, and this one was placed on it
};

struct ForeignHands {
    std::vector<ForeignJoint> joints{};   ///< in the order of recordings
    std::vector<std::string> left_out{};  ///< sentences: hands and fingers that the armature lacks, and why
};

/// The joints of both hands. `found` says which bones are parts of hands (rig/humanoid/slots.h); its joints
/// are the armature's bones.
///
/// `tails`: the end of each bone, in armature space; empty: along its Y axis. A tail at its bone's head is
/// ignored.
///
/// Positions are those of the bones' heads. Missing joints are placed by the proportions of flat_hand(): tips
/// at the end of the distal bone (at its tail, if that continues the finger's direction and is about as long
/// as a fingertip); metacarpals between wrist and knuckle; the palm in the middle of the middle finger's
/// metacarpal. A finger without all three phalanges (the thumb: all three of its bones) is left out, and so
/// is a hand without a wrist or with fewer than two knuckles, because the direction of its back is unknown.
///
/// Axes are those of recordings: at rest, +Y points to the next joint, and +Z out of the back of the hand,
/// which the line of the knuckles defines. In a pose, a joint turns like its bone.
[[nodiscard]] ForeignHands foreign_hands(const rig::Armature& armature, const rig::FoundRig& found,
                                         std::span<const glm::dvec3> tails = {});

}  // namespace animbridge::mrtk
