// SPDX-License-Identifier: MIT
#include "bridges/sl_anim_to_bvh/joints.h"

#include <algorithm>
#include <iterator>

#include "bridges/sl_anim_to_bvh/axes.h"
#include "formats/sl_anim/avatar/avatar.h"

namespace animbridge::sl_anim_to_bvh {

namespace {

using sl_anim::JointKind;
using AnimatedJoint = sl_anim::Player::AnimatedJoint;

bool is_one_word(const std::string& name) { return name.find(' ') == std::string::npos; }

/// Empty if the file can hold the joint.
std::string_view reason_to_leave_out(const AnimatedJoint& animated) {
    if (!animated.joint) {
        return "no joint of the avatar: an upload with it would be refused";
    }
    if (sl_anim::skeleton()[*animated.joint].on_screen) {
        return "a point of the screen: an upload with it would be refused";
    }
    if (animated.rotation.empty() && animated.position.empty()) {
        return "no keys, so there is nothing to write";
    }
    return {};
}

/// The animated joints by index in skeleton(); null for others.
std::vector<const AnimatedJoint*> animated_joints(const sl_anim::Player& player, Plan& plan) {
    std::vector<const AnimatedJoint*> animated(sl_anim::skeleton().size(), nullptr);
    for (const AnimatedJoint& joint : player.joints()) {
        if (const std::string_view reason = reason_to_leave_out(joint); !reason.empty()) {
            plan.left_out.push_back({joint.name, reason});
        } else {
            animated[*joint.joint] = &joint;
        }
    }
    return animated;
}

/// The children of each needed joint, in skeleton order; the roots come after the last joint.
std::vector<std::vector<std::size_t>> needed_children(const std::vector<const AnimatedJoint*>& animated) {
    const auto& skeleton = sl_anim::skeleton();
    std::vector<bool> needed(skeleton.size(), false);
    needed[pelvis] = true;
    // Parents come first, so going backwards each joint is decided before its parent.
    for (std::size_t i = skeleton.size(); i-- > 0;) {
        needed[i] = needed[i] || animated[i] != nullptr;
        if (needed[i] && skeleton[i].node.parent) {
            needed[*skeleton[i].node.parent] = true;
        }
    }
    std::vector<std::vector<std::size_t>> children(skeleton.size() + 1);
    for (std::size_t i = 0; i < skeleton.size(); ++i) {
        if (needed[i]) {
            children[skeleton[i].node.parent.value_or(skeleton.size())].push_back(i);
        }
    }
    return children;
}

PlannedJoint planned(std::size_t joint, std::optional<std::size_t> parent, const AnimatedJoint* keys) {
    const sl_anim::SkeletonJoint& row = sl_anim::skeleton()[joint];
    const bool own_axes = row.kind == JointKind::collision_volume ||
                          (row.kind == JointKind::attachment_point && is_one_word(row.node.name));
    const bool moves = keys != nullptr && !keys->position.empty();
    return {joint, parent, keys, moves || own_axes || joint == pelvis, own_axes};
}

bvh::Offset offset_of(const glm::dvec3& metres) {
    const glm::dvec3 inches = to_bvh_axes(metres) / metres_per_inch;
    return {rounded(inches.x), rounded(inches.y), rounded(inches.z)};
}

std::string name_of(const Node& node, bool aliases) {
    constexpr std::string_view prefix = "avatar_";
    const auto short_one =
        std::find_if(node.aliases.begin(), node.aliases.end(),
                     [&](std::string_view alias) { return alias.compare(0, prefix.size(), prefix) != 0; });
    // The loader reads a name up to its first blank; aliases have underscores instead.
    const bool need_alias = aliases || !is_one_word(node.name);
    return need_alias && short_one != node.aliases.end() ? std::string(*short_one) : node.name;
}

}  // namespace

Plan plan_joints(const sl_anim::Player& player) {
    Plan plan;
    const auto animated = animated_joints(player, plan);
    const auto children = needed_children(animated);
    struct Visit {
        std::size_t joint;
        std::optional<std::size_t> parent;
    };
    std::vector<Visit> waiting;
    const auto enqueue = [&](std::size_t joint, std::optional<std::size_t> as) {
        std::transform(children[joint].rbegin(), children[joint].rend(), std::back_inserter(waiting),
                       [&](std::size_t child) {
                           return Visit{child, as};
                       });
    };
    enqueue(children.size() - 1, std::nullopt);
    while (!waiting.empty()) {
        const Visit visit = waiting.back();
        waiting.pop_back();
        plan.joints.push_back(planned(visit.joint, visit.parent, animated[visit.joint]));
        enqueue(visit.joint, plan.joints.size() - 1);
    }
    return plan;
}

std::vector<bvh::Joint> hierarchy_of(const Plan& plan, bool aliases) {
    std::vector<bvh::Joint> joints;
    std::vector<bool> has_children(plan.joints.size(), false);
    for (const PlannedJoint& planned : plan.joints) {
        const sl_anim::SkeletonJoint& row = sl_anim::skeleton()[planned.joint];
        bvh::Joint joint;
        joint.name = name_of(row.node, aliases);
        joint.parent = planned.parent;
        // The root's position is in its channels, as in the files of the viewer's makers. Some programs add a
        // root's offset to its position and others do not.
        joint.offset = planned.joint == pelvis ? bvh::Offset{} : offset_of(row.node.rest_local.translation);
        if (planned.parent) {
            has_children[*planned.parent] = true;
        }
        joints.push_back(std::move(joint));
    }
    for (std::size_t i = 0; i < joints.size(); ++i) {
        if (!has_children[i]) {
            joints[i].end_sites.push_back({"", offset_of(sl_anim::skeleton()[plan.joints[i].joint].end)});
        }
    }
    return joints;
}

}  // namespace animbridge::sl_anim_to_bvh
