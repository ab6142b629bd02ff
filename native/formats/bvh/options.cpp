// SPDX-License-Identifier: MIT
#include "formats/bvh/options.h"

namespace animbridge::bvh {

namespace {

struct GivenImport : PlacementOptions {
    ImportOptions options{};
};

constexpr auto skeleton_rows = placement_rows<PlacementOptions>(false);
constexpr auto skeleton_table = options_of(skeleton_rows);

constexpr std::array<OptionRow<GivenImport>, 2> match_rows = {{
    {{.name = "match",
      .type = OptionType::choice,
      .choices = {"names", "rig_map"},
      .standard = "rig_map",
      .help = "How joints find their bones. names: by equal names; rig_map: then by similar names and by the "
              "rig map"},
     [](GivenImport& given, const Json& value) { given.options.by_rig_map = value == "rig_map"; }},
    {{.name = "fit_height",
      .type = OptionType::flag,
      .standard = "false",
      .help = "Scale positions by the ratio of the hips' heights instead of by scale, so that feet stay on "
              "the ground"},
     [](GivenImport& given, const Json& value) { given.options.fit_height = value.get<bool>(); }},
}};
constexpr auto import_rows = joined_rows(placement_rows<GivenImport>(false), match_rows);
constexpr auto import_table = options_of(import_rows);

}  // namespace

Result<Placement> PlacementOptions::placement() const {
    const bool z_is_up = up == "Z" || up == "-Z";
    const auto axes = axes_of(forward != "auto" ? forward : z_is_up ? "Y" : "-Z", up);
    if (!axes) {
        Error error{ErrorCode::bad_value, "forward is " + forward + " and up is " + up +
                                              "; allowed are two different ones of the axes X, Y and Z"};
        error.field = "forward";
        return tl::unexpected<Error>(std::move(error));
    }
    return Placement{*axes, scale};
}

std::span<const Option> skeleton_options() { return skeleton_table; }
std::span<const Option> import_options() { return import_table; }

Result<Placement> placement_from(const Json& json) {
    PlacementOptions options;
    return read_options(json, skeleton_rows, options).and_then([&] { return options.placement(); });
}

Result<ImportOptions> import_options_from(const Json& json) {
    GivenImport given;
    TRY_VOID(read_options(json, import_rows, given));
    TRY(given.options.placement, given.placement());
    return given.options;
}

}  // namespace animbridge::bvh
