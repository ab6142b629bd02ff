// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

/// The ids of the rules, which docs/findings.md explains.
namespace animbridge::mrtk::check::rule {

inline constexpr std::string_view times_not_finite = "times_not_finite";
inline constexpr std::string_view values_not_finite = "values_not_finite";
inline constexpr std::string_view missing_markers = "missing_markers";
inline constexpr std::string_view keys_with_tangents = "keys_with_tangents";
inline constexpr std::string_view no_keys = "no_keys";
inline constexpr std::string_view times_not_sorted = "times_not_sorted";
inline constexpr std::string_view unknown_wrap_mode = "unknown_wrap_mode";
inline constexpr std::string_view unknown_weighted_mode = "unknown_weighted_mode";
inline constexpr std::string_view weights_out_of_range = "weights_out_of_range";
inline constexpr std::string_view lost_rotation_w = "lost_rotation_w";
inline constexpr std::string_view sign_flips = "sign_flips";
inline constexpr std::string_view rotation_length = "rotation_length";
inline constexpr std::string_view zero_rotations = "zero_rotations";
inline constexpr std::string_view joints_missing = "joints_missing";
inline constexpr std::string_view hand_not_tracked = "hand_not_tracked";
inline constexpr std::string_view single_key_joints = "single_key_joints";
inline constexpr std::string_view lost_tail = "lost_tail";
inline constexpr std::string_view marker_time_not_finite = "marker_time_not_finite";
inline constexpr std::string_view negative_times = "negative_times";
inline constexpr std::string_view bridged_gaps = "bridged_gaps";
inline constexpr std::string_view key_times_differ = "key_times_differ";
inline constexpr std::string_view duplicate_key_time = "duplicate_key_time";
inline constexpr std::string_view markers_not_sorted = "markers_not_sorted";
inline constexpr std::string_view marker_name_not_utf8 = "marker_name_not_utf8";
inline constexpr std::string_view marker_length_not_minimal = "marker_length_not_minimal";
inline constexpr std::string_view boolean_not_one = "boolean_not_one";
inline constexpr std::string_view switch_not_boolean = "switch_not_boolean";
inline constexpr std::string_view trailing_bytes = "trailing_bytes";

}  // namespace animbridge::mrtk::check::rule
