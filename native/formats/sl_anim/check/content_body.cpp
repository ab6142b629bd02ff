// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "base/options/options.h"
#include "formats/sl_anim/check/checker.h"
#include "formats/sl_anim/check/content.h"
#include "formats/sl_anim/check/rules.h"

/// Rules about the body: limbs, feet, height, positions, priorities.
namespace animbridge::sl_anim::check {

namespace {

std::string length_text(double metres) { return fixed_text(1000.0 * metres, 0) + " mm"; }

/// Joints with position keys other than mPelvis, whose positions the viewer restores.
std::vector<const MovedJoint*> displaced_joints(const Motion& motion) {
    std::vector<const MovedJoint*> joints;
    for (const MovedJoint& joint : motion.joints) {
        if (!joint.position.empty() && joint.name != "mPelvis") {
            joints.push_back(&joint);
        }
    }
    return joints;
}

Places joint_bends_backwards(const Judged& judged) {
    const double least = judged.level >= CheckLevel::strict ? 15.0 : 45.0;
    Places places;
    for (const Amount& bend : wrong_bends(judged.motion)) {
        if (bend.size >= least) {
            places.push_back({fixed_text(bend.size, 0) + " degrees", bend.joint, bend.seconds, bend.size});
        }
    }
    return places;
}

Places feet_sink(const Judged& judged) {
    const auto foot = sunk_foot(judged.motion);
    return foot ? Places{{length_text(foot->size), foot->joint, foot->seconds, foot->size}} : Places();
}

Places height_changes(const Judged& judged) {
    const HeightChange change = height_change(judged.motion);
    if (std::abs(change.largest_metres) <= 0.01) {
        return {};
    }
    return {{length_text(std::abs(change.largest_metres)) + (change.largest_metres < 0 ? " down" : " up") +
                 ", " + length_text(std::abs(change.end_metres)) + (change.end_metres < 0 ? " down" : " up") +
                 " at the end",
             change.joint, change.seconds, std::abs(change.largest_metres)}};
}

Places position_track_pins_shape(const Judged& judged) {
    Places places;
    if (judged.motion.is_reset) {
        return places;
    }
    for (const MovedJoint* joint : displaced_joints(judged.motion)) {
        const double metres = joint->from_rest.metres;
        if (metres <= visible_metres) {
            places.push_back({fixed_text(1000.0 * metres, 2) + " mm from the default skeleton's place",
                              joint->name, double{joint->position.times.front()}, 1.0});
        }
    }
    return places;
}

Places bone_collapses(const Judged& judged) {
    constexpr double least_rest = 0.03;
    constexpr double far = 0.3;
    Places places;
    for (const MovedJoint* joint : displaced_joints(judged.motion)) {
        const double rest = glm::length(joint->rest_position);
        for (std::size_t i = 0; joint->is_bone && i < joint->position.size(); ++i) {
            const float time = joint->position.times[i];
            const double length = glm::length(joint->position_at(time));
            const bool folds = rest > least_rest && length < 0.1 * rest;
            if (folds || (length > 3.0 * rest && length > far)) {
                places.push_back({length_text(length) + " long in place of " + length_text(rest), joint->name,
                                  double{time}, std::abs(length - rest)});
            }
        }
    }
    return places;
}

Places position_at_limit(const Judged& judged) {
    Places places;
    for (const MovedJoint& joint : judged.motion.joints) {
        for (std::size_t i = 0; i < joint.position.size(); ++i) {
            const codes::Vector& p = joint.position.values[i];
            if (std::ranges::any_of(p, [](float v) { return std::fabs(v) >= codes::position_limit; })) {
                places.push_back({"5 m", joint.name, double{joint.position.times[i]}, 1.0});
            }
        }
    }
    return places;
}

constexpr std::array<std::string_view, 7> ao_joints = {"mPelvis",   "mHipLeft",   "mKneeLeft",  "mAnkleLeft",
                                                       "mHipRight", "mKneeRight", "mAnkleRight"};

Places below_ao(const Judged& judged) {
    constexpr std::int32_t ao_priority = 4;
    const Motion& motion = judged.motion;
    const auto rotates = [&](std::string_view name) {
        const MovedJoint* joint = motion.find(name);
        return joint != nullptr && !joint->rotation.empty();
    };
    const bool has_body = rotates("mTorso") || rotates("mChest");
    const bool has_legs = rotates("mHipLeft") || rotates("mHipRight");
    Places places;
    for (const std::string_view name : ao_joints) {
        const MovedJoint* joint = motion.find(name);
        if (has_body && has_legs && joint != nullptr && joint->priority < ao_priority) {
            places.push_back({"priority " + std::to_string(joint->priority), joint->name, std::nullopt,
                              double(ao_priority - joint->priority)});
        }
    }
    return places;
}

}  // namespace

Places position_track_sticks(const Judged& judged) {
    const Motion& motion = judged.motion;
    Places places;
    for (const MovedJoint* joint : displaced_joints(motion)) {
        // A loop may be stopped at any time, a one-shot ends at its last pose.
        const Range& range = joint->from_rest;
        const double metres = motion.is_loop
                                  ? range.metres
                                  : glm::distance(joint->position_at(motion.duration), joint->rest_position);
        if (metres > visible_metres) {
            places.push_back({length_text(metres) + " away", joint->name,
                              motion.is_loop ? range.metres_at : double{motion.duration}, metres});
        }
    }
    return places;
}

std::vector<ContentRule> body_rules() {
    return {{rule("joint_bends_backwards"), joint_bends_backwards},
            {rule("feet_sink"), feet_sink},
            {rule("height_changes"), height_changes},
            {rule("position_track_sticks"), position_track_sticks},
            {rule("position_track_pins_shape"), position_track_pins_shape},
            {rule("bone_collapses"), bone_collapses},
            {rule("position_at_limit"), position_at_limit},
            {rule("below_ao"), below_ao}};
}

}  // namespace animbridge::sl_anim::check
