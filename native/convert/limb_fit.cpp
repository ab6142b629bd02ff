// SPDX-License-Identifier: MIT
#include "convert/limb_fit.h"

#include <algorithm>
#include <iterator>

#include "base/base.h"
#include "rig/humanoid/humanoid.h"

namespace animbridge {

namespace {

/// Whether each joint has keys.
std::vector<bool> moving_joints(const Clip& clip) {
    std::vector<bool> moves(clip.skeleton.nodes.size());
    for (const Track& track : clip.tracks) {
        if (track.node < moves.size()) {
            moves[track.node] = true;
        }
    }
    return moves;
}

bool has_whole(const rig::FoundRig& rig, const std::string& limb) {
    const auto has_both = [&](const std::string& side) {
        return rig.joint_of(side + "Upper" + limb) && rig.joint_of(side + "Lower" + limb);
    };
    return has_both("left") || has_both("right");
}

bool has_hand_with_fingers(const rig::FoundRig& rig) {
    const auto has_finger = [&](const std::string& side) {
        return std::any_of(rig.slots.begin(), rig.slots.end(), [&](const rig::FoundSlot& slot) {
            return slot.slot.starts_with(side) && slot.slot.ends_with("Proximal");
        });
    };
    return (rig.joint_of("leftHand") && has_finger("left")) ||
           (rig.joint_of("rightHand") && has_finger("right"));
}

bool has_wings_or_tail(const Skeleton& skeleton) {
    return std::any_of(skeleton.nodes.begin(), skeleton.nodes.end(), [](const Node& node) {
        const rig::NameTokens name = rig::tokens_of(node.name);
        return std::any_of(name.tokens.begin(), name.tokens.end(), [](const std::string& token) {
            return token == "wing" || token == "wings" || token == "tail";
        });
    });
}

/// The parts and chains that were found, for messages.
std::string found_parts(const rig::FoundRig& rig) {
    std::vector<std::string> names;
    for (const rig::FoundSlot& slot : rig.slots) {
        names.push_back(slot.slot);
    }
    for (const rig::FoundChain& chain : rig.chains) {
        if (!rig.joint_of(chain.name)) {
            names.push_back(chain.name);
        }
    }
    return names.empty() ? "nothing" : some_of(names);
}

}  // namespace

std::string why_no_person(const RigMotion& motion) {
    if (has_whole(motion.rig, "Arm") || has_hand_with_fingers(motion.rig)) {
        return {};
    }
    if (!has_whole(motion.rig, "Leg")) {
        return "it has no whole arm or leg (upper and lower part) and no hand with fingers; found: " +
               found_parts(motion.rig);
    }
    return has_wings_or_tail(motion.clip.skeleton) ? "it has legs but no arms, and wings or a tail" : "";
}

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

bool moves_body(const AnyDocument& document) {
    const auto motion = motion_with_rig(document, Json::object(), RigText(), rig::RigUse::source);
    return motion && !moved_limbs(*motion).empty();
}

bool moves_person(const RigMotion& motion) {
    return !moved_limbs(motion).empty() && why_no_person(motion).empty();
}

std::vector<std::string> limbs_found(const std::vector<std::string>& limbs, const rig::FoundRig& rig) {
    std::vector<std::string> found;
    std::copy_if(limbs.begin(), limbs.end(), std::back_inserter(found),
                 [&](const std::string& limb) { return rig.joint_of(limb).has_value(); });
    return found;
}

}  // namespace animbridge
