// SPDX-License-Identifier: MIT
#include "formats/oban/compare.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/matrix.hpp>

#include "formats/oban/player.h"
#include "model/skeleton.h"

namespace animbridge::oban {

namespace {

constexpr double millimetres_per_unit = 1000.0 * metres_per_unit;

/// The matrix's rotation: keeps X, makes Y orthogonal to it, and undoes a mirrored Z. If the vertices
/// coincide, there is no rotation.
glm::dquat direction_of(const glm::dmat4& matrix) {
    const glm::dvec3 x(matrix[0]);
    const glm::dvec3 y(matrix[1]);
    const glm::dvec3 z = glm::cross(x, y);
    const double x_length = glm::length(x);
    const double z_length = glm::length(z);
    if (!(x_length > 0.0) || !(z_length > 0.0)) {
        return {1, 0, 0, 0};
    }
    const glm::dvec3 first = x / x_length;
    const glm::dvec3 third = z / z_length;
    return glm::normalize(glm::quat_cast(glm::dmat3(first, glm::cross(third, first), third)));
}

double linear_difference(const glm::dmat4& a, const glm::dmat4& b) {
    double largest = 0;
    for (int column = 0; column < 3; ++column) {
        for (int row = 0; row < 3; ++row) {
            largest = std::max(largest, std::fabs(a[column][row] - b[column][row]));
        }
    }
    return largest;
}

std::vector<std::string_view> differing_fields(const Record& a, const Record& b) {
    std::vector<std::string_view> fields;
    const auto add = [&](bool differs, std::string_view name) {
        if (differs) {
            fields.push_back(name);
        }
    };
    add(a.flags != b.flags, "flags");
    add(a.frame_length != b.frame_length, "frame_length");
    add(a.frame_count != b.frame_count, "frame_count");
    add(a.half_stop_frame != b.half_stop_frame, "half_stop_frame");
    add(a.initial != b.initial, "initial_transform");
    add(a.base != b.base, "base_transform");
    return fields;
}

}  // namespace

Result<Difference> compare(const Record& a, const Record& b, const Job& job) {
    for (const Record* record : {&a, &b}) {
        TRY_VOID(require_playable(*record));
    }
    const Player player_a(a);
    const Player player_b(b);
    const auto last = static_cast<std::size_t>(std::max(player_a.last_frame(), player_b.last_frame()));
    Difference difference;
    difference.pose.joint = "object";
    difference.times = 2 * last + 1;
    difference.fields = differing_fields(a, b);
    for (std::size_t i = 0; i < difference.times; ++i) {
        constexpr std::size_t reported_every = 1024;
        if (i % reported_every == 0) {
            const double done = static_cast<double>(i) / static_cast<double>(difference.times);
            TRY_VOID(job.report(done));
        }
        const double frame = static_cast<double>(i) / 2.0;
        const glm::dmat4 first = player_a.transform(frame);
        const glm::dmat4 second = player_b.transform(frame);
        difference.pose.widen(
            millimetres_per_unit * glm::length(glm::dvec3(first[3]) - glm::dvec3(second[3])),
            angle_between_degrees(direction_of(first), direction_of(second)), frame / frames_per_second);
        difference.largest_linear = std::max(difference.largest_linear, linear_difference(first, second));
    }
    return difference;
}

}  // namespace animbridge::oban
