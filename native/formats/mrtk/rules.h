// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

/// The ids of the rules; rules.cpp explains them.
namespace animbridge::mrtk::rule {

inline constexpr std::string_view key_time_not_finite = "key_time_not_finite";
inline constexpr std::string_view key_not_finite = "key_not_finite";
inline constexpr std::string_view markers_missing = "markers_missing";
inline constexpr std::string_view full_keys_in_1_1 = "full_keys_in_1_1";
inline constexpr std::string_view version_below_1_0 = "version_below_1_0";
inline constexpr std::string_view no_keys = "no_keys";
inline constexpr std::string_view keys_unsorted = "keys_unsorted";
inline constexpr std::string_view wrap_mode_unknown = "wrap_mode_unknown";
inline constexpr std::string_view weighted_mode_unknown = "weighted_mode_unknown";
inline constexpr std::string_view weight_outside_range = "weight_outside_range";
inline constexpr std::string_view rotation_w_lost = "rotation_w_lost";
inline constexpr std::string_view sign_flips = "sign_flips";
inline constexpr std::string_view rotation_not_unit = "rotation_not_unit";
inline constexpr std::string_view rotation_zero = "rotation_zero";
inline constexpr std::string_view joints_missing = "joints_missing";
inline constexpr std::string_view single_key_joints = "single_key_joints";
inline constexpr std::string_view tail_lost = "tail_lost";
inline constexpr std::string_view marker_time_not_finite = "marker_time_not_finite";
inline constexpr std::string_view none_rotation_zero = "none_rotation_zero";
inline constexpr std::string_view starts_before_zero = "starts_before_zero";
inline constexpr std::string_view key_times_differ = "key_times_differ";
inline constexpr std::string_view duplicate_key_time = "duplicate_key_time";
inline constexpr std::string_view markers_unsorted = "markers_unsorted";
inline constexpr std::string_view marker_name_not_utf8 = "marker_name_not_utf8";
inline constexpr std::string_view marker_length_not_minimal = "marker_length_not_minimal";
inline constexpr std::string_view boolean_not_one = "boolean_not_one";
inline constexpr std::string_view switch_not_boolean = "switch_not_boolean";
inline constexpr std::string_view trailing_bytes = "trailing_bytes";

}  // namespace animbridge::mrtk::rule
