// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

/// The ids of the rules; rules.cpp says what they mean.
namespace animbridge::bvh::rule {

// What the reader puts up with, always or when it is lenient.
inline constexpr std::string_view offset_missing = "offset_missing";
inline constexpr std::string_view channels_missing = "channels_missing";
inline constexpr std::string_view end_site_spelling = "end_site_spelling";
inline constexpr std::string_view decimal_comma = "decimal_comma";
inline constexpr std::string_view frame_count_differs = "frame_count_differs";
inline constexpr std::string_view frame_incomplete = "frame_incomplete";
inline constexpr std::string_view text_after_motion = "text_after_motion";
inline constexpr std::string_view text_after_nul = "text_after_nul";
inline constexpr std::string_view motion_missing = "motion_missing";
inline constexpr std::string_view channel_count_differs = "channel_count_differs";
inline constexpr std::string_view channels_after_children = "channels_after_children";
inline constexpr std::string_view braces_differ = "braces_differ";
inline constexpr std::string_view entry_repeated = "entry_repeated";

}  // namespace animbridge::bvh::rule
