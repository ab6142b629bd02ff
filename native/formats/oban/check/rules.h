// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

/// The ids of the rules, which docs/findings.md explains.
namespace animbridge::oban::check {

inline constexpr std::size_t rule_count = 20;

}  // namespace animbridge::oban::check

namespace animbridge::oban::check::rule {

// About the record.
inline constexpr std::string_view keys_none = "keys_none";
inline constexpr std::string_view keys_too_many = "keys_too_many";
inline constexpr std::string_view frame_count_too_large = "frame_count_too_large";
inline constexpr std::string_view key_not_finite = "key_not_finite";
inline constexpr std::string_view base_not_finite = "base_not_finite";
inline constexpr std::string_view rotation_without_direction = "rotation_without_direction";
inline constexpr std::string_view key_times_not_increasing = "key_times_not_increasing";
inline constexpr std::string_view first_key_not_at_0 = "first_key_not_at_0";
inline constexpr std::string_view last_key_not_at_end = "last_key_not_at_end";
inline constexpr std::string_view rotation_not_unit = "rotation_not_unit";
inline constexpr std::string_view half_stop_beyond_end = "half_stop_beyond_end";
inline constexpr std::string_view loop_flags_both = "loop_flags_both";
inline constexpr std::string_view initial_transform_differs = "initial_transform_differs";
inline constexpr std::string_view door_not_symmetric = "door_not_symmetric";
inline constexpr std::string_view local_far_from_origin = "local_far_from_origin";
inline constexpr std::string_view flags_unknown = "flags_unknown";
inline constexpr std::string_view bytes_behind_keys = "bytes_behind_keys";

// About the container.
inline constexpr std::string_view checksum_unknown = "checksum_unknown";
inline constexpr std::string_view name_not_writable = "name_not_writable";
inline constexpr std::string_view raw_part_outside = "raw_part_outside";

}  // namespace animbridge::oban::check::rule
