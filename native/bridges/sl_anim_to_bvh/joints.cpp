// SPDX-License-Identifier: MIT
#include "bridges/sl_anim_to_bvh/parts.h"

#include <algorithm>
#include <iterator>

#include "formats/bvh/scene/scene.h"
#include "formats/sl_anim/avatar/avatar.h"
#include "formats/sl_anim/clip/clip.h"
#include "formats/sl_anim/codes/codes.h"
#include "formats/sl_anim/loader/loader.h"
#include "formats/sl_anim/play/play.h"

namespace animbridge::sl_anim_to_bvh {

namespace {

using sl_anim::avatar::JointKind;
using AnimatedJoint = sl_anim::play::Player::AnimatedJoint;

bool is_one_word(const std::string& name) { return name.find(' ') == std::string::npos; }

/// Empty if the file can hold the joint.
std::string_view reason_to_leave_out(const AnimatedJoint& animated) {
    if (!animated.joint) {
        return "no joint of the avatar: an upload with it would be refused";
    }
    if (sl_anim::avatar::skeleton()[*animated.joint].on_screen) {
        return "a point of the screen: an upload with it would be refused";
    }
    if (animated.rotation.empty() && animated.position.empty()) {
        return "no keys, so there is nothing to write";
    }
    return {};
}

/// The animated joints by index in skeleton(); null for others.
std::vector<const AnimatedJoint*> animated_joints(const sl_anim::play::Player& player, JointPlan& plan) {
    std::vector<const AnimatedJoint*> animated(sl_anim::avatar::skeleton().size(), nullptr);
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
    const auto& skeleton = sl_anim::avatar::skeleton();
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
    const sl_anim::avatar::SkeletonJoint& row = sl_anim::avatar::skeleton()[joint];
    const bool own_axes = row.kind == JointKind::collision_volume ||
                          (row.kind == JointKind::attachment_point && is_one_word(row.node.name));
    const bool moves = keys != nullptr && !keys->position.empty();
    return {joint, parent, keys, moves || own_axes || joint == pelvis, own_axes};
}

bvh::file::Offset offset_of(const glm::dvec3& metres) {
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

JointPlan plan_joints(const sl_anim::play::Player& player) {
    JointPlan plan;
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

std::vector<bvh::file::Joint> hierarchy_of(const JointPlan& plan, bool aliases) {
    std::vector<bvh::file::Joint> joints;
    std::vector<bool> has_children(plan.joints.size(), false);
    for (const PlannedJoint& planned : plan.joints) {
        const sl_anim::avatar::SkeletonJoint& row = sl_anim::avatar::skeleton()[planned.joint];
        bvh::file::Joint joint;
        joint.name = name_of(row.node, aliases);
        joint.parent = planned.parent;
        // The root's position is in its channels, as in the files of the viewer's makers. Some programs add a
        // root's offset to its position and others do not.
        joint.offset =
            planned.joint == pelvis ? bvh::file::Offset{} : offset_of(row.node.rest_local.translation);
        if (planned.parent) {
            has_children[*planned.parent] = true;
        }
        joints.push_back(std::move(joint));
    }
    for (std::size_t i = 0; i < joints.size(); ++i) {
        if (!has_children[i]) {
            joints[i].end_sites.push_back(
                {"", offset_of(sl_anim::avatar::skeleton()[plan.joints[i].joint].end)});
        }
    }
    return joints;
}

namespace {

Json comparison_report(const Comparison& comparison) {
    JointDifference rotated;
    JointDifference moved;
    for (const JointDifference& joint : comparison.joints) {
        if (joint.rotation_degrees > rotated.rotation_degrees) {
            rotated = joint;
        }
        if (joint.position_mm > moved.position_mm) {
            moved = joint;
        }
    }
    Json lost = Json::array();
    std::transform(comparison.only_in_a.begin(), comparison.only_in_a.end(), std::back_inserter(lost),
                   [](const std::string& name) { return json_text(name); });
    return {{"rotation_degrees", rotated.rotation_degrees},
            {"rotation_joint", rotated.joint},
            {"rotation_at_seconds", rotated.rotation_at_seconds},
            {"position_mm", moved.position_mm},
            {"position_joint", moved.joint},
            {"position_at_seconds", moved.position_at_seconds},
            {"joints_lost", std::move(lost)},
            {"times", comparison.times}};
}

}  // namespace

Result<WorstDifference> measure_frames(const sl_anim::file::Document& document,
                                       const bvh::file::Document& made, ByteView written) {
    TRY(const auto motion, sl_anim::loader::read_bvh_as_viewer(written));
    sl_anim::loader::BvhLoad every_frame;
    every_frame.reduce_keys = false;
    TRY(const auto loaded, sl_anim::loader::load_bvh(motion, every_frame));
    TRY(const auto clip, sl_anim::clip::to_clip(document));
    bvh::file::Document frames;
    frames.frame_time_seconds = made.frame_time_seconds;
    frames.frame_count = made.frame_count - 1;  // the first one is the reference
    constexpr double steps_of_a_jump = 2.0;
    const double jump_seconds =
        steps_of_a_jump * double{document.duration.value()} / double{sl_anim::codes::max_code};
    const float end = std::max(document.duration.value(), 0.0F);  // what is after it never plays
    std::vector<float> times;
    for (const double seconds : bvh::scene::compared_times(frames, clip, jump_seconds).even) {
        times.push_back(std::min(static_cast<float>(seconds), end));
    }
    TRY(auto comparison,
        sl_anim::play::compare_at(document, loaded.document, sorted_unique(std::move(times)), {}));
    const std::vector<std::string>& left_out = comparison.only_in_a;
    std::erase_if(comparison.joints, [&](const JointDifference& joint) {
        return std::find(left_out.begin(), left_out.end(), joint.joint) != left_out.end();
    });
    return comparison.worst();
}

Result<Json> measure_upload(const sl_anim::file::Document& document, ByteView written) {
    TRY(const auto motion, sl_anim::loader::read_bvh_as_viewer(written));
    TRY(const auto loaded, sl_anim::loader::load_bvh(motion, {}));
    return sl_anim::play::compare(document, loaded.document, Job()).map(comparison_report);
}

}  // namespace animbridge::sl_anim_to_bvh
