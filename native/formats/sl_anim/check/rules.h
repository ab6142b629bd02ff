// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

/// The ids of the rules, which docs/findings.md explains.
namespace animbridge::sl_anim::check::rule {

inline constexpr std::string_view base_priority_too_low = "base_priority_too_low";
inline constexpr std::string_view duration_not_finite = "duration_not_finite";
inline constexpr std::string_view duration_too_long = "duration_too_long";
inline constexpr std::string_view loop_point_not_finite = "loop_point_not_finite";
inline constexpr std::string_view ease_not_finite = "ease_not_finite";
inline constexpr std::string_view hand_pose_unknown = "hand_pose_unknown";
inline constexpr std::string_view emote_starts_itself = "emote_starts_itself";
inline constexpr std::string_view joint_count_out_of_range = "joint_count_out_of_range";
inline constexpr std::string_view joint_forbidden = "joint_forbidden";
inline constexpr std::string_view joint_priority_too_low = "joint_priority_too_low";
inline constexpr std::string_view rotation_key_outside_duration = "rotation_key_outside_duration";
inline constexpr std::string_view key_not_finite = "key_not_finite";
inline constexpr std::string_view constraint_type_unknown = "constraint_type_unknown";
inline constexpr std::string_view constraint_volume_unknown = "constraint_volume_unknown";
inline constexpr std::string_view constraint_not_finite = "constraint_not_finite";
inline constexpr std::string_view constraint_chain_beyond_joints = "constraint_chain_beyond_joints";
inline constexpr std::string_view constraint_joint_missing = "constraint_joint_missing";
inline constexpr std::string_view constraint_unresolved_joint_before_chain =
    "constraint_unresolved_joint_before_chain";
inline constexpr std::string_view base_priority_clamped = "base_priority_clamped";
inline constexpr std::string_view position_clamped = "position_clamped";
inline constexpr std::string_view emote_unknown = "emote_unknown";
inline constexpr std::string_view emote_closed_mouth = "emote_closed_mouth";
inline constexpr std::string_view joint_unknown = "joint_unknown";
inline constexpr std::string_view constraints_ignored = "constraints_ignored";
inline constexpr std::string_view duplicate_joint = "duplicate_joint";
inline constexpr std::string_view duplicate_key_time = "duplicate_key_time";
inline constexpr std::string_view loop_forced_off = "loop_forced_off";
inline constexpr std::string_view file_too_large = "file_too_large";
inline constexpr std::string_view joint_unknown_on_upload = "joint_unknown_on_upload";
inline constexpr std::string_view joint_alias_renamed = "joint_alias_renamed";
inline constexpr std::string_view constraint_order_reversed = "constraint_order_reversed";
inline constexpr std::string_view trailing_bytes_dropped = "trailing_bytes_dropped";
inline constexpr std::string_view keys_reordered = "keys_reordered";
inline constexpr std::string_view legacy_version_converted = "legacy_version_converted";
inline constexpr std::string_view volume_name_tail_cleared = "volume_name_tail_cleared";
inline constexpr std::string_view codes_drift_on_upload = "codes_drift_on_upload";
inline constexpr std::string_view constraint_chain_too_long = "constraint_chain_too_long";
inline constexpr std::string_view joint_priority_too_high = "joint_priority_too_high";
inline constexpr std::string_view loop_points_out_of_order = "loop_points_out_of_order";
inline constexpr std::string_view loop_stops_itself = "loop_stops_itself";
inline constexpr std::string_view pelvis_at_skeleton_height = "pelvis_at_skeleton_height";
inline constexpr std::string_view keys_all_at_one_time = "keys_all_at_one_time";
inline constexpr std::string_view duration_negative = "duration_negative";
inline constexpr std::string_view motion_without_priority = "motion_without_priority";
inline constexpr std::string_view rotation_longer_than_one = "rotation_longer_than_one";
inline constexpr std::string_view base_priority_hidden = "base_priority_hidden";
inline constexpr std::string_view position_track_sticks = "position_track_sticks";
inline constexpr std::string_view ease_longer_than_duration = "ease_longer_than_duration";
inline constexpr std::string_view hand_pose_ignored = "hand_pose_ignored";
inline constexpr std::string_view joint_without_keys = "joint_without_keys";
inline constexpr std::string_view constraint_never_active = "constraint_never_active";

}  // namespace animbridge::sl_anim::check::rule
