// SPDX-License-Identifier: MIT
#include "convert/retarget/retarget.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "base/base.h"
#include "rig/armature/armature.h"
#include "rig/humanoid/humanoid.h"

namespace animbridge {

namespace {

/// A limb's direction at rest in the document and in the armature; unit vectors.
struct RestPair {
    std::string_view slot;
    glm::dvec3 joint;
    glm::dvec3 bone;
};

std::optional<glm::dvec3> direction_of(const glm::dvec3& from, const glm::dvec3& to) {
    const double length = glm::length(to - from);
    constexpr double shortest_metres = 1e-6;
    return length > shortest_metres ? std::optional((to - from) / length) : std::nullopt;
}

/// The limbs that have bones by their joints' names at both ends.
std::vector<RestPair> rest_pairs(const RigMotion& motion, const rig::armature::Armature& armature,
                                 const std::vector<std::optional<std::size_t>>& bones) {
    const std::vector<Transform> rest = world_at_rest(motion.clip.skeleton);
    std::vector<RestPair> pairs;
    for (const Limb& limb : limb_slots) {
        const auto joint = motion.rig.joint_of(limb.slot);
        const auto below = motion.rig.joint_of(limb.below);
        if (!joint || !below || !bones[*joint] || !bones[*below]) {
            continue;
        }
        const auto head = [&](std::size_t of) { return armature.bones[*bones[of]].rest.translation; };
        const auto joint_points = direction_of(rest[*joint].translation, rest[*below].translation);
        const auto bone_points = direction_of(head(*joint), head(*below));
        if (joint_points && bone_points) {
            pairs.push_back({limb.slot, *joint_points, *bone_points});
        }
    }
    return pairs;
}

/// The pair whose directions differ most after this many quarter turns about Z, and the chord between them.
struct WorstPair {
    std::string_view slot{};
    double chord = 0;
};

WorstPair worst_after(const std::vector<RestPair>& pairs, int quarters) {
    WorstPair worst;
    for (const RestPair& pair : pairs) {
        glm::dvec3 turned = pair.joint;
        for (int i = 0; i < quarters; ++i) {
            turned = {-turned.y, turned.x, turned.z};
        }
        const double chord = glm::length(turned - pair.bone);
        if (worst.slot.empty() || !(chord <= worst.chord)) {
            worst = {pair.slot, chord};
        }
    }
    return worst;
}

WorstPair worst_rest(const std::vector<RestPair>& pairs) {
    WorstPair least = worst_after(pairs, 0);
    for (int quarters = 1; quarters < 4; ++quarters) {
        const WorstPair turned = worst_after(pairs, quarters);
        least = turned.chord < least.chord ? turned : least;
    }
    return least;
}

double degrees_between(double chord) {
    constexpr double degrees_of_radian = 57.295779513082320877;
    return 2.0 * std::asin(std::min(chord / 2.0, 1.0)) * degrees_of_radian;
}

/// Whether the skeleton begins with the avatar's joints, like that of a .anim.
bool begins_with(const Skeleton& skeleton, const Skeleton& avatar) {
    return skeleton.nodes.size() >= avatar.nodes.size() &&
           std::equal(avatar.nodes.begin(), avatar.nodes.end(), skeleton.nodes.begin(),
                      [](const Node& own, const Node& other) { return own.name == other.name; });
}

/// Each joint's bone, matched like an import without retargeting.
std::vector<std::optional<std::size_t>> bones_by_name(const Skeleton& skeleton,
                                                      const rig::armature::SceneRig& rig) {
    if (begins_with(skeleton, *rig.avatar)) {
        auto bones = rig::armature::map_clear_bones(*rig.avatar, rig.armature, rig.map()).bone_of_node;
        bones.resize(skeleton.nodes.size());
        return bones;
    }
    std::vector<rig::armature::NamedJoint> joints;
    for (const Node& node : skeleton.nodes) {
        joints.push_back({node.name, node.parent});
    }
    return rig::armature::match_by_rig_map(joints, rig.armature, *rig.avatar, rig.map()).bone_of_joint;
}

/// Those whose joint has a bone.
std::vector<std::string> limbs_matched(const std::vector<std::string>& limbs,
                                       const rig::humanoid::FoundRig& rig,
                                       const std::vector<std::optional<std::size_t>>& bones) {
    std::vector<std::string> matched;
    std::copy_if(limbs.begin(), limbs.end(), std::back_inserter(matched), [&](const std::string& limb) {
        const auto joint = rig.joint_of(limb);
        return joint && bones[*joint];
    });
    return matched;
}

}  // namespace

bool RigFit::is_own() const { return unnamed.empty() && rest_degrees <= own_rest_degrees; }

Result<RigFit> rig_fit(const AnyDocument& document, const rig::armature::SceneRig& armature,
                       const Json& to_clip, const RigText& target_rig) {
    TRY(const auto motion, motion_with_rig(document, to_clip, RigText(), rig::humanoid::RigUse::source));
    const rig::armature::ArmatureSkeleton made = rig::armature::skeleton_of(armature.armature);
    TRY(const auto found, rig_of(made.skeleton, target_rig, rig::humanoid::RigUse::target));
    const auto bones = bones_by_name(motion.clip.skeleton, armature);
    RigFit fit;
    fit.limbs = moved_limbs(motion);
    fit.matched_limbs = limbs_matched(fit.limbs, motion.rig, bones);
    fit.found_limbs = limbs_found(fit.limbs, found);
    for (const rig::humanoid::FoundSlot& slot : motion.rig.slots) {
        const bool is_limb = std::any_of(limb_slots.begin(), limb_slots.end(),
                                         [&](const Limb& limb) { return limb.slot == slot.slot; });
        const auto there = std::find_if(found.slots.begin(), found.slots.end(),
                                        [&](const auto& other) { return other.slot == slot.slot; });
        // A single bone with a name of its own does not make another rig, unless it is a limb.
        const bool counts =
            there != found.slots.end() && (is_limb || there->by != rig::humanoid::FoundBy::shape);
        if (counts && !bones[slot.joint]) {
            fit.unnamed.push_back(slot.slot);
        }
    }
    fit.matched_joints = static_cast<std::size_t>(
        std::count_if(bones.begin(), bones.end(), [](const auto& bone) { return bone.has_value(); }));
    const WorstPair worst = worst_rest(rest_pairs(motion, armature.armature, bones));
    fit.rest_degrees = degrees_between(worst.chord);
    fit.rest_slot = std::string(worst.slot);
    return fit;
}

Json rig_fit_json(const RigFit& fit) {
    return {{"own", fit.is_own()},
            {"retarget", fit.needs_retargeting()},
            {"limbs", texts_json(fit.limbs)},
            {"matched_limbs", texts_json(fit.matched_limbs)},
            {"found_limbs", texts_json(fit.found_limbs)},
            {"few_matched", are_too_few(fit.matched_limbs.size(), fit.limbs.size())},
            {"few_found", are_too_few(fit.found_limbs.size(), fit.limbs.size())},
            {"matched_joints", fit.matched_joints},
            {"unnamed", texts_json(fit.unnamed)},
            {"rest_degrees", fit.rest_degrees},
            {"rest_slot", fit.rest_slot.empty() ? Json(nullptr) : json_text(fit.rest_slot)}};
}

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

bool has_whole(const rig::humanoid::FoundRig& rig, const std::string& limb) {
    const auto has_both = [&](const std::string& side) {
        return rig.joint_of(side + "Upper" + limb) && rig.joint_of(side + "Lower" + limb);
    };
    return has_both("left") || has_both("right");
}

/// Whether it has both arms and both legs, even if each is only one joint. Below a head, that of an arm may
/// be the hand.
bool has_four_limbs(const rig::humanoid::FoundRig& rig) {
    const auto has_both = [&](const std::string& part) {
        return rig.joint_of("left" + part) && rig.joint_of("right" + part);
    };
    return has_both("UpperLeg") && (has_both("UpperArm") || (rig.joint_of("head") && has_both("Hand")));
}

bool has_hand_with_fingers(const rig::humanoid::FoundRig& rig) {
    const auto has_finger = [&](const std::string& side) {
        return std::any_of(rig.slots.begin(), rig.slots.end(), [&](const rig::humanoid::FoundSlot& slot) {
            return slot.slot.starts_with(side) && slot.slot.ends_with("Proximal");
        });
    };
    return (rig.joint_of("leftHand") && has_finger("left")) ||
           (rig.joint_of("rightHand") && has_finger("right"));
}

bool has_wings_or_tail(const Skeleton& skeleton) {
    return std::any_of(skeleton.nodes.begin(), skeleton.nodes.end(), [](const Node& node) {
        const rig::humanoid::NameTokens name = rig::humanoid::tokens_of(node.name);
        return std::any_of(name.tokens.begin(), name.tokens.end(), [](const std::string& token) {
            return token == "wing" || token == "wings" || token == "tail";
        });
    });
}

/// The parts and chains that were found, for messages.
std::string found_parts(const rig::humanoid::FoundRig& rig) {
    std::vector<std::string> names;
    for (const rig::humanoid::FoundSlot& slot : rig.slots) {
        names.push_back(slot.slot);
    }
    for (const rig::humanoid::FoundChain& chain : rig.chains) {
        if (!rig.joint_of(chain.name)) {
            names.push_back(chain.name);
        }
    }
    return names.empty() ? "nothing" : some_of(names);
}

}  // namespace

std::string why_no_person(const RigMotion& motion) {
    if (!motion.rig.looks_like.empty()) {
        return "it has " + motion.rig.looks_like;
    }
    if (has_whole(motion.rig, "Arm") || has_hand_with_fingers(motion.rig) || has_four_limbs(motion.rig)) {
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
    const auto motion = motion_with_rig(document, Json::object(), RigText(), rig::humanoid::RigUse::source);
    return motion && !moved_limbs(*motion).empty();
}

bool moves_person(const RigMotion& motion) {
    return !moved_limbs(motion).empty() && why_no_person(motion).empty();
}

std::vector<std::string> limbs_found(const std::vector<std::string>& limbs,
                                     const rig::humanoid::FoundRig& rig) {
    std::vector<std::string> found;
    std::copy_if(limbs.begin(), limbs.end(), std::back_inserter(found),
                 [&](const std::string& limb) { return rig.joint_of(limb).has_value(); });
    return found;
}

}  // namespace animbridge
