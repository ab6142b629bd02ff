// SPDX-License-Identifier: MIT
#include "formats/bvh/placement.h"

#include <glm/geometric.hpp>
#include <utility>

namespace animbridge::bvh {

namespace {

std::optional<glm::dvec3> direction_named(std::string_view name) {
    const double sign = name.starts_with('-') ? -1.0 : 1.0;
    name.remove_prefix(name.starts_with('-') ? 1 : 0);
    const std::size_t axis = name.size() == 1 ? std::string_view("XYZ").find(name) : std::string_view::npos;
    if (axis == std::string_view::npos) {
        return std::nullopt;
    }
    glm::dvec3 direction(0);
    direction[static_cast<int>(axis)] = sign;
    return direction;
}

}  // namespace

Axes Axes::inverse() const {
    Axes back;
    for (std::size_t i = 0; i < 3; ++i) {
        back.source.at(source.at(i)) = static_cast<std::uint8_t>(i);
        back.sign.at(source.at(i)) = sign.at(i);
    }
    return back;
}

Axes Axes::rotated(std::size_t quarters) const {
    Axes rotated = *this;
    for (std::size_t i = 0; i < quarters % 4; ++i) {
        // (x, y) becomes (-y, x).
        std::swap(rotated.source[0], rotated.source[1]);
        std::swap(rotated.sign[0], rotated.sign[1]);
        rotated.sign[0] = -rotated.sign[0];
    }
    return rotated;
}

std::string Axes::forward() const { return std::string(sign[1] < 0.0 ? "-" : "") + "XYZ"[source[1]]; }

std::string Axes::up() const { return std::string(sign[2] < 0.0 ? "-" : "") + "XYZ"[source[2]]; }

std::optional<Axes> axes_of(std::string_view forward, std::string_view up) {
    const auto y = direction_named(forward);
    const auto z = direction_named(up);
    if (!y || !z || glm::dot(*y, *z) != 0.0) {
        return std::nullopt;
    }
    const std::array<glm::dvec3, 3> rows = {glm::cross(*y, *z), *y, *z};
    Axes axes;
    for (std::size_t i = 0; i < 3; ++i) {
        for (int file_axis = 0; file_axis < 3; ++file_axis) {
            if (rows.at(i)[file_axis] != 0.0) {
                axes.source.at(i) = static_cast<std::uint8_t>(file_axis);
                axes.sign.at(i) = rows.at(i)[file_axis];
            }
        }
    }
    return axes;
}

}  // namespace animbridge::bvh
