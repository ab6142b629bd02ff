// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <map>

#include "base/options/options.h"
#include "formats/sl_anim/check/content.h"
#include "formats/sl_anim/check/rules.h"

/// Rules about several animations of one avatar.
namespace animbridge::sl_anim::check {

namespace {

/// The joints that stay away from their place after the animation: name to metres.
Json left_positions(const Judged& judged) {
    Json left = Json::object();
    for (const Place& place : position_track_sticks(judged)) {
        left[std::string(place.joint)] = place.size;
    }
    return left;
}

Json turned_only(const Motion& motion) {
    Json joints = Json::array();
    for (const MovedJoint& joint : motion.joints) {
        if (!joint.rotation.empty() && joint.position.empty()) {
            joints.push_back(std::string(joint.name));
        }
    }
    return joints;
}

bool is_body(const MovedJoint& joint) {
    constexpr std::array<std::string_view, 19> body = {
        "mPelvis",        "mTorso",        "mChest",      "mNeck",      "mHead",
        "mCollarLeft",    "mShoulderLeft", "mElbowLeft",  "mWristLeft", "mCollarRight",
        "mShoulderRight", "mElbowRight",   "mWristRight", "mHipLeft",   "mKneeLeft",
        "mAnkleLeft",     "mHipRight",     "mKneeRight",  "mAnkleRight"};
    return !joint.rotation.empty() && std::ranges::find(body, joint.name) != body.end();
}

/// The strongest joint of those for which `is_meant`: {"joint", "priority"}; null: none is as strong.
template <typename IsMeant>
Json strongest(const Motion& motion, std::int32_t least, IsMeant&& is_meant) {
    const MovedJoint* worst = nullptr;
    for (const MovedJoint& joint : motion.joints) {
        if (is_meant(joint) && joint.priority >= least &&
            (worst == nullptr || joint.priority > worst->priority)) {
            worst = &joint;
        }
    }
    return worst == nullptr ? Json()
                            : Json{{"joint", std::string(worst->name)}, {"priority", worst->priority}};
}

/// Of an animation of the whole body.
Json strong_hands(const Motion& motion) {
    const MovedJoint* const pelvis = motion.find("mPelvis");
    const auto rotates = [&](std::string_view name) {
        const MovedJoint* const joint = motion.find(name);
        return joint != nullptr && !joint->rotation.empty();
    };
    if (pelvis == nullptr || (!rotates("mShoulderLeft") && !rotates("mShoulderRight"))) {
        return nullptr;
    }
    constexpr std::int32_t least = 5;
    return strongest(motion, least, [](const MovedJoint& joint) {
        return joint.part == Part::face || joint.part == Part::fingers;
    });
}

/// A file that leaves a joint away from its place.
struct Left {
    std::size_t member = 0;
    double metres = 0;
};
using LeftJoints = std::map<std::string, std::vector<Left>>;

LeftJoints left_joints(std::span<const SetMember> members) {
    LeftJoints all;
    for (std::size_t i = 0; i < members.size(); ++i) {
        for (const auto& [joint, metres] : members[i].facts["left"].items()) {
            all[joint].push_back({i, metres.get<double>()});
        }
    }
    for (auto& [joint, files] : all) {
        std::ranges::stable_sort(files, std::greater<>(), &Left::metres);
    }
    return all;
}

void add_inherited(std::span<const SetMember> members, std::size_t index, const LeftJoints& left,
                   FindingList& findings) {
    for (const Json& name : members[index].facts["turned"]) {
        const auto joint = name.get<std::string>();
        const auto files = left.find(joint);
        if (files == left.end()) {
            continue;
        }
        // A file that turns the joint without moving it is not one that leaves it away.
        const Left& worst = files->second.front();
        const std::size_t others = files->second.size() - 1;
        findings.add(rule("positions_inherited"),
                     fixed_text(1000.0 * worst.metres, 0) + " mm away after " +
                         without_controls(members[worst.member].name) +
                         (others > 0 ? " (and after " + std::to_string(others) + " more files)" : ""),
                     joint);
    }
}

void add_strong(std::string_view id, const Json& strong, FindingList& findings) {
    if (strong.is_object()) {
        findings.add(id, "priority " + std::to_string(strong["priority"].get<int>()),
                     strong["joint"].get<std::string>());
    }
}

}  // namespace

Json facts_for_set(const file::Document& document) {
    if (!require_playable(document)) {
        return nullptr;
    }
    const Motion motion = motion_of(document);
    constexpr std::int32_t least_of_stands = 4;
    return {{"left", left_positions({document, motion, CheckLevel::upload})},
            {"turned", turned_only(motion)},
            {"strong_body", strongest(motion, least_of_stands, is_body)},
            {"strong_hands", strong_hands(motion)}};
}

std::vector<std::vector<Finding>> in_set(std::span<const SetMember> members, CheckLevel level,
                                         std::string_view purpose) {
    const LeftJoints left = left_joints(members);
    std::vector<std::vector<Finding>> all;
    for (std::size_t i = 0; i < members.size(); ++i) {
        FindingList findings(rules(), level);
        add_inherited(members, i, left, findings);
        if (purpose == "stand") {
            add_strong(rule("stand_too_strong"), members[i].facts["strong_body"], findings);
        }
        add_strong(rule("hands_too_strong"), members[i].facts["strong_hands"], findings);
        all.push_back(findings.take());
    }
    return all;
}

}  // namespace animbridge::sl_anim::check
