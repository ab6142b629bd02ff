// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "formats/bvh/clip.h"
#include "formats/bvh/export.h"
#include "formats/bvh/options.h"

namespace animbridge::bvh {

namespace {

/// Blender's highest frame number.
constexpr std::int64_t most_frames = 1'048'574;

ReadMember read_bones(std::optional<std::vector<std::string>>& into) {
    return [&into](const Json& value) -> Result<void> {
        if (value.is_null()) {
            return {};
        }
        if (!value.is_array()) {
            return json_fail("bones", value, "an array of names or null");
        }
        std::vector<std::string> names;
        for (const Json& item : value) {
            TRY(auto name, text_from_json(item, "bones"));
            names.push_back(std::move(name));
        }
        into = std::move(names);
        return {};
    };
}

ReadMember read_tails(std::optional<std::vector<glm::dvec3>>& into) {
    return [&into](const Json& value) -> Result<void> {
        if (value.is_null()) {
            return {};
        }
        const auto is_place = [](const Json& place) {
            return place.is_array() && place.size() == 3 &&
                   std::all_of(place.begin(), place.end(), [](const Json& value) {
                       return value.is_number() && std::abs(value.get<double>()) <= largest_number;
                   });
        };
        std::vector<glm::dvec3> tails;
        for (const Json& place : value.is_array() ? value : Json::array({value})) {
            if (!is_place(place)) {
                return json_fail("tails", place,
                                 "an array of three numbers up to 1e30 for each bone, or null");
            }
            tails.emplace_back(place[0].get<double>(), place[1].get<double>(), place[2].get<double>());
        }
        into = std::move(tails);
        return {};
    };
}

ReadMember read_names(std::map<std::string, std::string>& into) {
    return [&into](const Json& value) -> Result<void> {
        if (value.is_null()) {
            return {};
        }
        if (!value.is_object()) {
            return json_fail("names", value, "an object of bones' and joints' names, or null");
        }
        for (const auto& [bone, joint] : value.items()) {
            TRY(auto name, text_from_json(joint, "names"));
            into[bone] = std::move(name);
        }
        return {};
    };
}

}  // namespace

Result<ExportOptions> export_options_from(const Json& json, const rig::Timing& timing) {
    PlacementOptions placing;
    ExportOptions options;
    std::string positions = "moving";
    placing.may_be_auto = true;
    auto members = placing.members();
    members["frame_time_seconds"] = read_positive("frame_time_seconds", options.frame_time_seconds);
    members["frame_step"] = read_positive("frame_step", options.frame_step);
    members["rotation_order"] = read_choice(
        "rotation_order", {"XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", "native"}, options.rotation_order);
    members["positions"] = read_choice("positions", {"root", "moving", "all"}, positions);
    members["bones"] = read_bones(options.bones);
    members["tails"] = read_tails(options.tails);
    members["names"] = read_names(options.names);
    members["frame_count"] = [&](const Json& value) -> Result<void> {
        return integer_from_json(value, 1, most_frames, "frame_count").map([&](std::int64_t count) {
            options.frame_count = static_cast<std::size_t>(count);
        });
    };
    TRY_VOID(read_members(json, members));
    if (options.frame_count == 0) {
        Error error{ErrorCode::bad_value, "is missing; it tells how many frames the file shall have"};
        error.field = "frame_count";
        return tl::unexpected<Error>(std::move(error));
    }
    if (options.frame_time_seconds == 0.0) {
        options.frame_time_seconds = options.frame_step / timing.frames_per_second;
    }
    options.positions = positions == "root"  ? Positions::root
                        : positions == "all" ? Positions::all
                                             : Positions::moving;
    return placing.placement().map([&](auto placement) {
        options.placement = placement;
        options.turns_to_facing = placing.forward == "auto";
        return std::move(options);
    });
}

}  // namespace animbridge::bvh
