// SPDX-License-Identifier: MIT
#include "convert/bvh_options.h"

#include "formats/bvh/clip.h"

namespace animbridge {

namespace {

const std::vector<std::string> axis_names = {"X", "Y", "Z", "-X", "-Y", "-Z"};

}  // namespace

std::map<std::string, ReadMember> BvhPlacementOptions::members() {
    std::vector<std::string> forwards = axis_names;
    if (may_be_auto) {
        forwards.emplace_back("auto");
    }
    return {{"forward", read_choice("forward", std::move(forwards), forward)},
            {"up", read_choice("up", axis_names, up)},
            {"scale", read_positive("scale", scale)}};
}

Result<bvh::Placement> BvhPlacementOptions::placement() const {
    const bool z_is_up = up == "Z" || up == "-Z";
    const auto axes = bvh::axes_of(forward != "auto" ? forward : z_is_up ? "Y" : "-Z", up);
    if (!axes) {
        Error error{ErrorCode::bad_value, "forward is " + forward + " and up is " + up +
                                              "; allowed are two different ones of the axes X, Y and Z"};
        error.field = "forward";
        return tl::unexpected<Error>(std::move(error));
    }
    return bvh::Placement{*axes, scale};
}

Result<bvh::Placement> bvh_placement_from(const char* json_or_null) {
    BvhPlacementOptions options;
    return read_members(json_or_null, options.members()).and_then([&] { return options.placement(); });
}

Result<BvhImportOptions> bvh_import_options_from(const char* json_or_null) {
    BvhPlacementOptions placing;
    BvhImportOptions options;
    std::string match = "rig_map";
    auto members = placing.members();
    members["match"] = read_choice("match", {"names", "rig_map"}, match);
    members["fit_height"] = read_flag("fit_height", options.fit_height);
    return read_members(json_or_null, members)
        .and_then([&] { return placing.placement(); })
        .map([&](auto placement) {
            options.placement = placement;
            options.by_rig_map = match == "rig_map";
            return options;
        });
}

}  // namespace animbridge
