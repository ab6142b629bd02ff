// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

/// The ids of the rules, which docs/findings.md explains.
namespace animbridge::scene_file::check::rule {

inline constexpr std::string_view no_nodes = "no_nodes";
inline constexpr std::string_view no_animation = "no_animation";
inline constexpr std::string_view no_motion = "no_motion";
inline constexpr std::string_view no_skeleton = "no_skeleton";
inline constexpr std::string_view side_file_missing = "side_file_missing";
inline constexpr std::string_view bad_number = "bad_number";
inline constexpr std::string_view zero_length = "zero_length";
inline constexpr std::string_view key_order = "key_order";
inline constexpr std::string_view scale_on_joint = "scale_on_joint";
inline constexpr std::string_view scale_differs_by_axis = "scale_differs_by_axis";
inline constexpr std::string_view mirrored = "mirrored";
inline constexpr std::string_view shear = "shear";
inline constexpr std::string_view axes_guessed = "axes_guessed";
inline constexpr std::string_view unit_guessed = "unit_guessed";
inline constexpr std::string_view no_frame_rate = "no_frame_rate";
inline constexpr std::string_view name_empty = "name_empty";
inline constexpr std::string_view name_duplicate = "name_duplicate";
inline constexpr std::string_view rest_differs_from_bind = "rest_differs_from_bind";
inline constexpr std::string_view several_animations = "several_animations";
inline constexpr std::string_view single_key = "single_key";
inline constexpr std::string_view curves_resampled = "curves_resampled";
inline constexpr std::string_view other = "reader_note";

}  // namespace animbridge::scene_file::check::rule
