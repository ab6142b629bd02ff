// SPDX-License-Identifier: MIT
#include "formats/bvh/options.h"

#include "formats/bvh/clip.h"

namespace animbridge::bvh {

namespace {

const std::vector<std::string> axis_names = {"X", "Y", "Z", "-X", "-Y", "-Z"};

}  // namespace

std::map<std::string, ReadMember> PlacementOptions::members() {
    std::vector<std::string> forwards = axis_names;
    if (may_be_auto) {
        forwards.emplace_back("auto");
    }
    return {{"forward", read_choice("forward", std::move(forwards), forward)},
            {"up", read_choice("up", axis_names, up)},
            {"scale", read_positive("scale", scale)}};
}

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

Result<Placement> placement_from(const Json& json) {
    PlacementOptions options;
    return read_members(json, options.members()).and_then([&] { return options.placement(); });
}

Result<ImportOptions> import_options_from(const Json& json) {
    PlacementOptions placing;
    ImportOptions options;
    std::string match = "rig_map";
    auto members = placing.members();
    members["match"] = read_choice("match", {"names", "rig_map"}, match);
    members["fit_height"] = read_flag("fit_height", options.fit_height);
    return read_members(json, members).and_then([&] { return placing.placement(); }).map([&](auto placement) {
        options.placement = placement;
        options.by_rig_map = match == "rig_map";
        return options;
    });
}

}  // namespace animbridge::bvh
