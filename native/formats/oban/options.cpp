// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/options.h"
#include "formats/oban/export.h"
#include "formats/oban/json.h"

namespace animbridge::oban {

namespace {

/// A matrix counts as rigid if the products of its axes are off by no more than this: float noise through a
/// few parents.
constexpr double rigid_tolerance = 1e-4;

/// Reads 16 numbers, column-major, with a last row of 0 0 0 1.
Result<Affine> affine_from_json(const Json& value, const char* key) {
    const auto is_number = [](const Json& item) {
        return item.is_number() && std::abs(item.get<double>()) <= 1e30;
    };
    if (!value.is_array() || value.size() != 16 || !std::all_of(value.begin(), value.end(), is_number)) {
        return json_fail(key, value, "16 numbers of a matrix, column by column");
    }
    const auto number = [&](int column, int row) {
        return value[4 * static_cast<std::size_t>(column) + static_cast<std::size_t>(row)].get<double>();
    };
    if (number(0, 3) != 0.0 || number(1, 3) != 0.0 || number(2, 3) != 0.0 || number(3, 3) != 1.0) {
        return json_fail(key, value, "a matrix whose last row is 0, 0, 0, 1");
    }
    Affine affine;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
            affine.linear[column][row] = number(column, row);
        }
        affine.place[row] = number(3, row);
    }
    return affine;
}

ReadMember read_origin(Space& into) {
    return [&into](const Json& value) -> Result<void> {
        if (value.is_null()) {
            return {};
        }
        TRY(const auto affine, affine_from_json(value, "origin"));
        const glm::dmat3 products = glm::transpose(affine.linear) * affine.linear;
        bool is_rigid = glm::determinant(affine.linear) > 0.0;
        for (int column = 0; column < 3; ++column) {
            for (int row = 0; row < 3; ++row) {
                is_rigid = is_rigid &&
                           std::abs(products[column][row] - (column == row ? 1.0 : 0.0)) <= rigid_tolerance;
            }
        }
        if (!is_rigid) {
            return json_fail("origin", value, "a matrix that turns and moves, without scale");
        }
        into.origin_rotation = glm::normalize(glm::quat_cast(affine.linear));
        into.origin_place = affine.place;
        return {};
    };
}

ReadMember read_axes(Space& into) {
    return [&into](const Json& value) -> Result<void> {
        if (value != "file" && value != "blender") {
            return json_fail("axes", value, "\"file\" or \"blender\"");
        }
        into.axes = value == "blender" ? Axes::blender : Axes::file;
        return {};
    };
}

/// A whole number that fits the file's field.
template <typename Number>
ReadMember read_whole(std::string key, std::optional<Number>& into) {
    return [key = std::move(key), &into](const Json& value) -> Result<void> {
        return integer_from_json(value, 0, std::numeric_limits<Number>::max(), key)
            .map([&](std::int64_t number) { into = static_cast<Number>(number); });
    };
}

ReadMember read_bound(std::string key, double& into) {
    return [key = std::move(key), &into](const Json& value) -> Result<void> {
        if (!value.is_number() || !(value.get<double>() >= 0.0) || !(value.get<double>() <= 1e30)) {
            return json_fail(key, value, "a number from 0 to 1e30");
        }
        into = value.get<double>();
        return {};
    };
}

ReadMember read_container(std::optional<Container>& into) {
    return [&into](const Json& value) -> Result<void> {
        return container_from_json(value, "container").map([&](Container container) { into = container; });
    };
}

ReadMember read_door(bool& into) {
    return [&into](const Json& value) -> Result<void> {
        if (value.is_null()) {
            return {};
        }
        if (!value.is_object() || value.size() != 1 || !value.contains("mirror") ||
            !value["mirror"].is_boolean()) {
            return json_fail("door", value, "null or {\"mirror\": true or false}");
        }
        into = value["mirror"].get<bool>();
        return {};
    };
}

ReadMember read_name(std::optional<std::string>& into) {
    return [&into](const Json& value) -> Result<void> {
        return text_from_json(value, "name").map([&](std::string name) { into = std::move(name); });
    };
}

}  // namespace

Result<Space> space_from(const Json& json) {
    Space space;
    return read_members(json, {{"axes", read_axes(space)}, {"origin", read_origin(space)}}).map([&] {
        return space;
    });
}

Result<ExportOptions> export_options_from(const Json& json) {
    ExportOptions options;
    Bound bound;
    const std::map<std::string, ReadMember> members = {
        {"axes", read_axes(options.space)},
        {"origin", read_origin(options.space)},
        {"flags", read_whole("flags", options.flags)},
        {"half_stop_frame", read_whole("half_stop_frame", options.half_stop_frame)},
        {"frame_length", read_whole("frame_length", options.frame_length)},
        {"name", read_name(options.name)},
        {"container", read_container(options.container)},
        {"max_position_mm", read_bound("max_position_mm", bound.position_mm)},
        {"max_rotation_degrees", read_bound("max_rotation_degrees", bound.rotation_degrees)},
        {"door", read_door(options.mirrors)},
        {"camera", read_flag("camera", options.is_camera)},
        {"base_matrix", [&](const Json& value) {
             return affine_from_json(value, "base_matrix").map([&](const Affine& affine) {
                 options.object_base = affine;
             });
         }}};
    return read_members(json, members).map([&] {
        const bool drops_keys = bound.position_mm > 0.0 && bound.rotation_degrees > 0.0;
        options.bound = drops_keys ? std::optional(bound) : std::nullopt;
        return options;
    });
}

}  // namespace animbridge::oban
