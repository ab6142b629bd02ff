// SPDX-License-Identifier: MIT
#include "scene_child/write_carrier.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <set>

namespace animbridge::scene_child {

namespace {

using Cell = std::array<std::int64_t, 3>;

constexpr double share_of_extent = 1e-3;
// Of the largest coordinate: far from the origin, floats have no finer steps.
constexpr double share_of_coordinate = 1e-4;
constexpr int cells_per_side = 8;

/// The length of a triangle's sides.
double side_for(const std::vector<glm::dvec3>& places) {
    glm::dvec3 least = places.front();
    glm::dvec3 most = places.front();
    double farthest = 0;
    for (const glm::dvec3& place : places) {
        least = glm::min(least, place);
        most = glm::max(most, place);
        farthest = std::max({farthest, std::abs(place.x), std::abs(place.y), std::abs(place.z)});
    }
    const double extent = glm::length(most - least);
    return std::max(share_of_extent * (extent > 0 ? extent : 1.0), share_of_coordinate * farthest);
}

Cell cell_of(const glm::dvec3& place, double cell) {
    return {std::llround(place.x / cell), std::llround(place.y / cell), std::llround(place.z / cell)};
}

glm::dvec3 middle_of(const Cell& at, double cell) {
    return cell *
           glm::dvec3(static_cast<double>(at[0]), static_cast<double>(at[1]), static_cast<double>(at[2]));
}

}  // namespace

std::vector<Triangle> carrier_triangles(const std::vector<glm::dvec3>& places) {
    std::vector<Triangle> triangles;
    if (places.empty()) {
        return triangles;
    }
    // Corners lie in the cells of a grid, one in a cell. So they are at least a cell apart.
    const double cell = side_for(places) / cells_per_side;
    std::set<Cell> taken;
    for (const glm::dvec3& place : places) {
        Triangle triangle{};
        for (std::size_t corner = 0; corner < triangle.size(); ++corner) {
            Cell at = cell_of(place, cell);
            at[corner] += cells_per_side;
            while (!taken.insert(at).second) {
                ++at[corner];
            }
            triangle[corner] = middle_of(at, cell);
        }
        triangles.push_back(triangle);
    }
    return triangles;
}

}  // namespace animbridge::scene_child
