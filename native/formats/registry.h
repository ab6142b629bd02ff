// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>

#include "formats/format.h"
#include "rig/rig_map.h"

namespace animbridge {

/// Every format. If several recognise the same bytes, the last one wins: those ask more of a file.
[[nodiscard]] std::span<const std::reference_wrapper<const Format>> formats();

/// nullptr: there is none of this id.
[[nodiscard]] const Format* find_format(std::string_view id);

/// The avatar: rig maps name its joints. Both are built once and never changed.
[[nodiscard]] const Skeleton& avatar();
[[nodiscard]] const rig::RigMap& avatar_rig_map();

/// Of a format that has none, none.
[[nodiscard]] std::vector<OptionTable> option_tables(const Format& format);
/// That of one function of the row; empty where it takes none.
[[nodiscard]] std::span<const Option> options_of_call(const Format& format, std::string_view call);

/// The "formats" of ab_formats_json.
[[nodiscard]] Json formats_json();

}  // namespace animbridge
