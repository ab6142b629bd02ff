// SPDX-License-Identifier: MIT
#include "formats/mrtk/rig_options.h"

#include <array>

namespace animbridge::mrtk {

namespace {

template <typename Target>
constexpr std::array<OptionRow<Target>, 2> rest_rows = {{
    {{.name = "rest",
      .type = OptionType::choice,
      .command_name = "--rest",
      .choices = {"tracked", "flat"},
      .standard = "tracked",
      .help = "How the hands rest: as they were tracked, or flat"},
     [](Target& target, const Json& value) { target.rest.is_flat = value == "flat"; }},
    {{.name = "rest_seconds",
      .type = OptionType::number,
      .command_name = "--rest-seconds",
      .value_name = "SECONDS",
      .low = -1e9,
      .high = 1e9,
      .may_be_null = true,
      .without = "the first time at which all joints of a hand are tracked",
      .unit = "s",
      .help = "The time of the recording at which the hands rest"},
     [](Target& target, const Json& value) { target.rest.at_seconds = value.get<double>(); }},
}};

constexpr std::array<OptionRow<RigChoice>, 1> kind_rows = {{
    {{.name = "rig",
      .type = OptionType::choice,
      .choices = {"exact", "hands"},
      .standard = "exact",
      .help = "exact: a bone for each recorded pose, without parents, and each key as it is. hands: joints "
              "hang on each other, and keys are resampled"},
     [](RigChoice& choice, const Json& value) { choice.is_exact = value == "exact"; }},
}};
constexpr auto rig_rows = joined_rows(kind_rows, rest_rows<RigChoice>);
constexpr auto rig_table = options_of(rig_rows);

struct HandsOnly {
    HandRest rest{};
};
constexpr auto hand_rows = rest_rows<HandsOnly>;
constexpr auto hand_table = options_of(hand_rows);

}  // namespace

Result<RigChoice> rig_choice_from(const Json& options) {
    RigChoice choice;
    return read_options(options, rig_rows, choice).map([&] { return choice; });
}

std::span<const Option> rig_options() { return rig_table; }

Result<HandRest> hand_rest_from(const Json& options) {
    HandsOnly hands;
    return read_options(options, hand_rows, hands).map([&] { return hands.rest; });
}

std::span<const Option> hand_options() { return hand_table; }

}  // namespace animbridge::mrtk
