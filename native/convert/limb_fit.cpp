// SPDX-License-Identifier: MIT
#include "convert/limb_fit.h"

#include <algorithm>
#include <iterator>

namespace animbridge {

namespace {

/// Per joint, whether it has keys.
std::vector<bool> moving_joints(const Clip& clip) {
    std::vector<bool> moves(clip.skeleton.nodes.size());
    for (const Track& track : clip.tracks) {
        if (track.node < moves.size()) {
            moves[track.node] = true;
        }
    }
    return moves;
}

}  // namespace

std::vector<std::string> moved_limbs(const RigMotion& motion) {
    const std::vector<bool> moves = moving_joints(motion.clip);
    std::vector<std::string> limbs;
    for (const Limb& limb : limb_slots) {
        const auto joint = motion.rig.joint_of(limb.slot);
        if (joint && moves[*joint]) {
            limbs.emplace_back(limb.slot);
        }
    }
    return limbs;
}

std::vector<std::string> limbs_found(const std::vector<std::string>& limbs, const rig::FoundRig& rig) {
    std::vector<std::string> found;
    std::copy_if(limbs.begin(), limbs.end(), std::back_inserter(found),
                 [&](const std::string& limb) { return rig.joint_of(limb).has_value(); });
    return found;
}

}  // namespace animbridge
