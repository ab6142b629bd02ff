// SPDX-License-Identifier: MIT
#include "formats/mrtk/rig_options.h"

#include <array>

namespace animbridge::mrtk {

namespace {

constexpr std::array<OptionRow<RigChoice>, 3> rig_rows = {{
    {{.name = "rig",
      .type = OptionType::choice,
      .choices = {"exact", "hands"},
      .standard = "exact",
      .help = "exact: a bone for each recorded pose, without parents, and each key as it is. hands: joints "
              "hang on each other, and keys are resampled"},
     [](RigChoice& choice, const Json& value) { choice.is_exact = value == "exact"; }},
    {{.name = "rest",
      .type = OptionType::choice,
      .choices = {"tracked", "flat"},
      .standard = "tracked",
      .help = "How the hands rest: as they were tracked, or flat"},
     [](RigChoice& choice, const Json& value) { choice.rest.is_flat = value == "flat"; }},
    {{.name = "rest_seconds",
      .type = OptionType::number,
      .low = -1e9,
      .high = 1e9,
      .may_be_null = true,
      .without = "the first time at which all joints of a hand are tracked",
      .unit = "s",
      .help = "The time of the recording at which the hands rest"},
     [](RigChoice& choice, const Json& value) { choice.rest.at_seconds = value.get<double>(); }},
}};
constexpr auto rig_table = options_of(rig_rows);

}  // namespace

Result<RigChoice> rig_choice_from(const Json& options) {
    RigChoice choice;
    return read_options(options, rig_rows, choice).map([&] { return choice; });
}

std::span<const Option> rig_options() { return rig_table; }

}  // namespace animbridge::mrtk
