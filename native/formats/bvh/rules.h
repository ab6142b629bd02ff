// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

#include "model/finding.h"

namespace animbridge::bvh {

/// The table of rules, as docs/findings.md lists them.
[[nodiscard]] std::span<const Rule> rules();

}  // namespace animbridge::bvh

/// The ids of the rules; rules.cpp explains them.
namespace animbridge::bvh::rule {

// The reader's notes: what it always accepts, or only when lenient.
inline constexpr std::string_view offset_missing = "offset_missing";
inline constexpr std::string_view channels_missing = "channels_missing";
inline constexpr std::string_view channels_after_children = "channels_after_children";
inline constexpr std::string_view channel_count_differs = "channel_count_differs";
inline constexpr std::string_view entry_repeated = "entry_repeated";
inline constexpr std::string_view end_site_spelling = "end_site_spelling";
inline constexpr std::string_view braces_differ = "braces_differ";
inline constexpr std::string_view decimal_comma = "decimal_comma";
inline constexpr std::string_view frame_count_differs = "frame_count_differs";
inline constexpr std::string_view frame_incomplete = "frame_incomplete";
inline constexpr std::string_view motion_missing = "motion_missing";
inline constexpr std::string_view text_after_motion = "text_after_motion";
inline constexpr std::string_view text_after_nul = "text_after_nul";

// Findings about the document.
inline constexpr std::string_view name_empty = "name_empty";
inline constexpr std::string_view name_duplicate = "name_duplicate";
inline constexpr std::string_view name_with_blank = "name_with_blank";
inline constexpr std::string_view channel_duplicate = "channel_duplicate";
inline constexpr std::string_view channel_scale = "channel_scale";
inline constexpr std::string_view value_beyond_float = "value_beyond_float";
inline constexpr std::string_view frame_time_zero = "frame_time_zero";
inline constexpr std::string_view frame_time_negative = "frame_time_negative";
inline constexpr std::string_view frames_none = "frames_none";
inline constexpr std::string_view upload_first_joint = "upload_first_joint";
inline constexpr std::string_view upload_rotations = "upload_rotations";
inline constexpr std::string_view upload_channel_count = "upload_channel_count";
inline constexpr std::string_view upload_refused = "upload_refused";
inline constexpr std::string_view upload_too_long = "upload_too_long";
inline constexpr std::string_view upload_joint_positions = "upload_joint_positions";
inline constexpr std::string_view upload_name_cut = "upload_name_cut";
inline constexpr std::string_view upload_few_frames = "upload_few_frames";
inline constexpr std::string_view frame_time_unusual = "frame_time_unusual";
inline constexpr std::string_view frame_single = "frame_single";
inline constexpr std::string_view nothing_moves = "nothing_moves";
inline constexpr std::string_view rotation_partial = "rotation_partial";
inline constexpr std::string_view positions_on_joint = "positions_on_joint";
inline constexpr std::string_view end_site_missing = "end_site_missing";
inline constexpr std::string_view offset_zero = "offset_zero";

}  // namespace animbridge::bvh::rule
