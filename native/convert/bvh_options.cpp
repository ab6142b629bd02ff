// SPDX-License-Identifier: MIT
#include "convert/bvh_options.h"

#include <algorithm>

#include "formats/bvh/clip.h"

namespace animbridge {

namespace {

const std::vector<std::string> axis_names = {"X", "Y", "Z", "-X", "-Y", "-Z"};

std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) {
        text += text.empty() ? "" : ", ";
        text += name;
    }
    return text;
}

}  // namespace

Result<void> read_members(const char* json_or_null, const std::map<std::string, ReadMember>& members) {
    if (json_or_null == nullptr) {
        return {};
    }
    const auto json = parse_json(json_or_null);
    if (!json) {
        return tl::unexpected<Error>(json.error());
    }
    if (!json->is_object()) {
        return json_fail("options", *json, "an object");
    }
    for (const auto& [key, value] : json->items()) {
        const auto found = members.find(key);
        if (found == members.end()) {
            std::vector<std::string> names;
            std::transform(members.begin(), members.end(), std::back_inserter(names),
                           [](const auto& member) { return member.first; });
            Error error{ErrorCode::bad_value, "is no option; allowed are " + listed(names)};
            error.field = key;
            return tl::unexpected<Error>(std::move(error));
        }
        if (auto read = found->second(value); !read) {
            return read;
        }
    }
    return {};
}

ReadMember read_flag(std::string key, bool& into) {
    return [key = std::move(key), &into](const Json& value) -> Result<void> {
        if (!value.is_boolean()) {
            return json_fail(key, value, "true or false");
        }
        into = value.get<bool>();
        return {};
    };
}

ReadMember read_text(std::string key, std::string& into) {
    return [key = std::move(key), &into](const Json& value) -> Result<void> {
        auto text = text_from_json(value, key);
        if (!text) {
            return tl::unexpected<Error>(std::move(text.error()));
        }
        into = std::move(*text);
        return {};
    };
}

ReadMember read_positive(std::string key, double& into) {
    return [key = std::move(key), &into](const Json& value) -> Result<void> {
        if (!value.is_number() || !(value.get<double>() > 0.0) ||
            !(value.get<double>() <= bvh::largest_number)) {
            return json_fail(key, value, "a number above 0 and at most 1e30");
        }
        into = value.get<double>();
        return {};
    };
}

ReadMember read_choice(std::string key, std::vector<std::string> allowed, std::string& into) {
    return [key = std::move(key), allowed = std::move(allowed), &into](const Json& value) -> Result<void> {
        if (!value.is_string() ||
            std::find(allowed.begin(), allowed.end(), value.get_ref<const std::string&>()) == allowed.end()) {
            return json_fail(key, value, listed(allowed));
        }
        into = value.get<std::string>();
        return {};
    };
}

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
