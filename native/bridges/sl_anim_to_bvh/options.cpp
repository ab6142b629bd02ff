// SPDX-License-Identifier: MIT
#include "bridges/sl_anim_to_bvh/options.h"

#include <array>

namespace animbridge::sl_anim_to_bvh {

namespace {

constexpr std::array<OptionRow<Options>, 3> rows = {{
    // Slower rates give useless frame times; faster ones need more frames than are written.
    {{.name = "frames_per_second",
      .type = OptionType::number,
      .command_name = "--fps",
      .value_name = "RATE",
      .low = 0.01,
      .high = 100'000,
      .without = "the fewest that meet every key, or 30",
      .unit = "frames per second",
      .help = "Frames per second, as near as the duration allows"},
     [](Options& options, const Json& value) { options.frames_per_second = value.get<double>(); }},
    {{.name = "names",
      .type = OptionType::choice,
      .command_name = "--names",
      .choices = {"joints", "aliases"},
      .standard = "joints",
      .help = "Names of joints in the file: joints (mPelvis, mTorso, ...) or aliases (hip, abdomen, ...)"},
     [](Options& options, const Json& value) { options.aliases = value == "aliases"; }},
    {{.name = "hold_keys",
      .type = OptionType::flag,
      .command_name = "--exact-frames",
      .switch_value = false,
      .standard = "true",
      .help = "Move single frames (by less than a degree) so that the viewer's upload keeps their keys",
      .switch_help = "Do not move single frames (by less than a degree) so that the viewer's upload keeps "
                     "their keys"},
     [](Options& options, const Json& value) { options.hold_keys = value.get<bool>(); }},
}};

constexpr auto table = options_of(rows);

}  // namespace

std::span<const Option> options() { return table; }

Result<Options> options_from_json(const Json& json) {
    Options options;
    return read_options(json, rows, options).map([&] { return options; });
}

}  // namespace animbridge::sl_anim_to_bvh
