// SPDX-License-Identifier: MIT
#include "bridges/sl_anim_to_bvh/options.h"

#include <array>

#include "formats/bvh/scene/scene.h"

namespace animbridge::sl_anim_to_bvh {

namespace {

constexpr std::array<OptionRow<Options>, 2> name_rows = {{
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

constexpr auto file_rows =
    joined_rows(bvh::rate_rows<Options>("the lowest rate that has a frame at every key, or 30",
                                        "Frames per second, as near as the duration allows"),
                name_rows);
constexpr auto rows = joined_rows(file_rows, clip_stop_rows<Options>);
constexpr auto table = options_of(rows);

}  // namespace

std::span<const Option> options() { return table; }

Result<Options> options_from_json(const Json& json) {
    Options options;
    return read_options(json, rows, options).map([&] { return options; });
}

}  // namespace animbridge::sl_anim_to_bvh
