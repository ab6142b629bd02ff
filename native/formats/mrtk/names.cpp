// SPDX-License-Identifier: MIT
#include "formats/mrtk/names.h"

#include <algorithm>

namespace animbridge::mrtk {

namespace {

constexpr std::array<std::string_view, pose_curves> pose_parts = {
    "position.x", "position.y", "position.z", "rotation.x", "rotation.y", "rotation.z", "rotation.w"};
constexpr std::array<std::string_view, gaze_curves> gaze_parts = {
    "origin.x", "origin.y", "origin.z", "direction.x", "direction.y", "direction.z"};
constexpr std::array<std::string_view, switch_count> switch_curves = {"left.tracked", "right.tracked",
                                                                      "left.pinch", "right.pinch"};
constexpr std::array<std::string_view, hand_count> hand_prefixes = {"L_", "R_"};

constexpr std::size_t pose_with(std::size_t curve) {
    return curve < first_switch ? 0 : 1 + (curve - first_joint_curve) / pose_curves;
}

constexpr std::size_t part_of_pose(std::size_t curve) { return curve - first_curve_of(pose_with(curve)); }

}  // namespace

std::string pose_name(std::size_t pose) {
    return pose == 0 ? std::string(camera_name)
                     : std::string(hand_prefixes.at(hand_of(pose))).append(joint_names.at(joint_of(pose)));
}

std::string owner_of(std::size_t curve) {
    if (is_switch(curve)) {
        return std::string(switch_names.at(curve - first_switch));
    }
    return curve < first_gaze_curve ? pose_name(pose_with(curve)) : std::string(gaze_name);
}

std::string curve_name(std::size_t curve) {
    if (is_switch(curve)) {
        return std::string(switch_curves.at(curve - first_switch));
    }
    if (curve >= first_gaze_curve) {
        return std::string("gaze.").append(gaze_parts.at(curve - first_gaze_curve));
    }
    const std::size_t pose = pose_with(curve);
    std::string name = "camera";
    if (pose > 0) {
        name = std::string(hand_names.at(hand_of(pose))).append(".").append(joint_names.at(joint_of(pose)));
    }
    return name.append(".").append(pose_parts.at(part_of_pose(curve)));
}

bool is_of_recording(std::string_view name) {
    return name == gaze_name || name == gaze_direction_name || pose_named(name).has_value();
}

std::size_t named_joints(std::span<const std::string> names) {
    return static_cast<std::size_t>(std::count_if(names.begin(), names.end(), [](const std::string& name) {
        const auto pose = pose_named(name);
        return pose && *pose > 0;
    }));
}

bool is_character(std::span<const std::string> names) {
    // A wrist and three fingers of three bones: with less, no hand is found.
    constexpr std::size_t fewest_of_a_hand = 10;
    std::array<std::size_t, hand_count> of_hand{};
    std::size_t views = 0;
    for (const std::string& name : names) {
        const auto pose = pose_named(name);
        if (pose && *pose > 0) {
            ++of_hand.at(hand_of(*pose));
        } else if (is_of_recording(name)) {
            ++views;
        }
    }
    const std::size_t named = of_hand[0] + of_hand[1];
    const std::size_t others = names.size() - named - views;
    if (named + views == 0) {
        return true;
    }
    return 2 * std::max(of_hand[0], of_hand[1]) < joint_count - 1 && others >= fewest_of_a_hand &&
           others > named;
}

std::optional<std::size_t> pose_named(std::string_view name) {
    for (std::size_t pose = 0; pose < pose_count; ++pose) {
        if (pose_name(pose) == name) {
            return pose;
        }
    }
    return std::nullopt;
}

}  // namespace animbridge::mrtk
