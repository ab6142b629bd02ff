// SPDX-License-Identifier: MIT
#include "bridges/sl_anim_to_bvh/parts.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "formats/sl_anim/avatar/avatar.h"
#include "formats/sl_anim/clip/clip.h"

namespace animbridge::sl_anim_to_bvh {

namespace {

/// The joint priority that means the base priority.
constexpr std::int32_t use_base = -1;
/// The priority that the loader gives a joint whose name it knows only from the avatar.
constexpr std::int32_t priority_without_alias = 0;

/// Priorities by name, from the first record of each joint, which is the one that plays.
std::unordered_map<std::string_view, std::int32_t> priorities_of(const sl_anim::file::Document& document) {
    std::unordered_map<std::string_view, std::int32_t> priorities;
    for (const sl_anim::file::Joint& joint : document.joints) {
        priorities.emplace(joint.name, joint.priority);
    }
    return priorities;
}

/// The priorities that differ from those after the conversion back. Editing the base priority later does not
/// change them.
Json lost_priorities(const sl_anim::file::Document& document, const JointPlan& plan,
                     const sl_anim::clip::Header& usual) {
    const auto priorities = priorities_of(document);
    Json lost = Json::object();
    for (const PlannedJoint& planned : plan.joints) {
        if (planned.keys == nullptr) {
            continue;
        }
        const std::int32_t own = priorities.at(planned.keys->name);
        const std::int32_t plays_at = own == use_base ? document.base_priority : own;
        const std::int32_t given = planned.own_axes ? priority_without_alias : usual.base_priority;
        if (plays_at != given) {
            lost[sl_anim::avatar::skeleton()[planned.joint].node.name] = plays_at;
        }
    }
    return lost;
}

/// The eases that the loader gives a file of this length: shortened to fit.
float usual_ease(float duration, const sl_anim::clip::Header& usual) {
    const float both = usual.ease_in_seconds + usual.ease_out_seconds;
    return duration > 0.0F && both > duration ? usual.ease_in_seconds * (duration / both)
                                              : usual.ease_in_seconds;
}

void add_eases(const sl_anim::file::Document& document, const sl_anim::clip::Header& usual, Json& header) {
    const float ease = usual_ease(document.duration.value(), usual);
    const auto differs = [&](RawFloat value) { return std::fabs(value.value() - ease) > 1e-6F; };
    if (differs(document.ease_in_duration)) {
        header["ease_in_duration"] = json_float(document.ease_in_duration);
    }
    if (differs(document.ease_out_duration)) {
        header["ease_out_duration"] = json_float(document.ease_out_duration);
    }
}

void add_loop(const sl_anim::file::Document& document, Json& header) {
    if (document.loop != 0) {
        header["loop"] = true;
    }
    if (document.loop_in_point.value() != 0.0F) {
        header["loop_in_point"] = json_float(document.loop_in_point);
    }
    if (document.loop_out_point.value() != document.duration.value()) {
        header["loop_out_point"] = json_float(document.loop_out_point);
    }
}

Json names_of(const std::vector<bvh::file::Joint>& hierarchy, const std::vector<std::size_t>& indices) {
    Json names = Json::array();
    for (const std::size_t index : indices) {
        names.push_back(hierarchy[index].name);
    }
    return names;
}

/// The loader writes both tracks for a joint with six channels, and rotations for all others.
Json added_tracks(const JointPlan& plan, const std::vector<bvh::file::Joint>& hierarchy) {
    Json added = Json::array();
    for (std::size_t i = 0; i < plan.joints.size(); ++i) {
        const PlannedJoint& planned = plan.joints[i];
        if (planned.keys == nullptr) {
            continue;
        }
        if (planned.keys->rotation.empty()) {
            added.push_back(hierarchy[i].name + " rotation");
        }
        if (planned.positions && planned.keys->position.empty()) {
            added.push_back(hierarchy[i].name + " position");
        }
    }
    return added;
}

Json moved_json(const FrameMotion& motion, const std::vector<bvh::file::Joint>& hierarchy) {
    Json moved = Json::object();
    for (const MovedFrames& row : motion.moved) {
        if (!row.frames.empty()) {
            moved[hierarchy[row.joint].name] = row.frames;
        }
    }
    return moved;
}

Json left_out_json(const JointPlan& plan) {
    Json rows = Json::array();
    for (const LeftOut& row : plan.left_out) {
        rows.push_back({{"joint", json_text(row.joint)}, {"reason", row.reason}});
    }
    return rows;
}

}  // namespace

Lost lost_of(const sl_anim::file::Document& document, const JointPlan& plan, const FrameMotion& motion) {
    const sl_anim::clip::Header usual;
    Lost lost;
    if (document.base_priority != usual.base_priority) {
        lost.header["base_priority"] = document.base_priority;
    }
    if (Json priorities = lost_priorities(document, plan, usual); !priorities.empty()) {
        lost.header["joint_priorities"] = std::move(priorities);
    }
    if (!document.emote_name.empty()) {
        lost.header["emote_name"] = json_text(document.emote_name);
    }
    add_loop(document, lost.header);
    add_eases(document, usual, lost.header);
    if (document.hand_pose != usual.hand_pose) {
        lost.header["hand_pose"] = document.hand_pose;
    }
    if (!document.constraints.empty()) {
        lost.for_good["constraints"] = document.constraints.size();
    }
    if (motion.keys_between_frames > 0) {
        lost.for_good["keys_between_frames"] = motion.keys_between_frames;
    }
    if (!(document.duration.value() > 0.0F)) {
        lost.for_good["duration"] = json_float(document.duration);
    }
    return lost;
}

Json report_of(const JointPlan& plan, const FrameMotion& motion, const FrameGrid& grid,
               const std::vector<bvh::file::Joint>& hierarchy, const Lost& lost) {
    std::vector<std::size_t> own_axes;
    std::size_t animated = 0;
    for (std::size_t i = 0; i < plan.joints.size(); ++i) {
        animated += plan.joints[i].keys == nullptr ? 0 : 1;
        if (plan.joints[i].own_axes) {
            own_axes.push_back(i);
        }
    }
    Json all_lost = lost.header;
    all_lost.update(lost.for_good);
    return {{"frames", grid.times_seconds.size() + 1},
            {"frame_time_seconds", grid.frame_time_seconds},
            {"fits_keys", grid.fits_keys},
            {"joints", animated},
            {"frame_0_shifted", names_of(hierarchy, motion.shifted)},
            {"frames_moved", moved_json(motion, hierarchy)},
            {"tracks_added", added_tracks(plan, hierarchy)},
            {"own_axes", names_of(hierarchy, own_axes)},
            {"left_out", left_out_json(plan)},
            {"lost", std::move(all_lost)},
            {"give_back", lost.header}};
}

}  // namespace animbridge::sl_anim_to_bvh
