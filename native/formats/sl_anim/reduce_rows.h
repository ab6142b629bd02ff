// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "base/option.h"
#include "formats/sl_anim/reduce.h"

namespace animbridge::sl_anim {

template <typename Target, auto Field>
void set_bound(Target& options, const Json& value) {
    (*options.bound).*Field = value.get<double>();
}

/// Rows for any Target that has the members of ReduceOptions and a `bound` that is not null.
template <typename Target>
[[nodiscard]] constexpr std::array<OptionRow<Target>, 3> rows_of_reduction() {
    return {{
        {{.name = "max_position_mm",
          .type = OptionType::number,
          .command_name = "--position-mm",
          .value_name = "MM",
          .high = no_limit,
          .above_low = true,
          .standard = "0.5",
          .unit = "mm",
          .help = "How far a joint may move from its position"},
         set_bound<Target, &reduce::Bound::position_mm>},
        {{.name = "max_rotation_degrees",
          .type = OptionType::number,
          .command_name = "--rotation-degrees",
          .value_name = "DEGREES",
          .high = no_limit,
          .above_low = true,
          .standard = "0.05",
          .unit = "degrees",
          .help = "How far a joint's own rotation may be off"},
         set_bound<Target, &reduce::Bound::rotation_degrees>},
        {{.name = "fit_bytes",
          .type = OptionType::integer,
          .command_name = "--fit",
          .value_name = "BYTES",
          .low = 1,
          .high = 9007199254740992.0,
          .without = "no limit",
          .unit = "bytes",
          .help = "Drop keys, with the smallest error, until the file is no larger than this"},
         [](Target& options, const Json& value) {
             options.fit_bytes = static_cast<std::uint64_t>(value.get<std::int64_t>());
         }},
    }};
}

}  // namespace animbridge::sl_anim
