// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <span>

#include "model/format/format.h"
#include "rig/armature/armature.h"

namespace animbridge {

/// All formats. If several formats recognise the bytes, the last in the table wins: later ones are stricter.
[[nodiscard]] std::span<const std::reference_wrapper<const Format>> formats();

/// Null if no format has this id.
[[nodiscard]] const Format* find_format(std::string_view id);

/// The avatar, whose joints rig maps name. Both are built once and never changed.
[[nodiscard]] const Skeleton& avatar();
[[nodiscard]] const rig::armature::RigMap& avatar_rig_map();

/// Empty for a format without options.
[[nodiscard]] std::vector<OptionTable> option_tables(const Format& format);
/// The options of one function of the row; empty if it takes none.
[[nodiscard]] std::span<const Option> options_of_call(const Format& format, std::string_view call);

/// The "formats" of ab_formats_json.
[[nodiscard]] Json formats_json();

}  // namespace animbridge
