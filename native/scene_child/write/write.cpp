// SPDX-License-Identifier: MIT
#include "scene_child/write/write.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <map>
#include <new>
#include <string>
#include <utility>

#include "scene_child/write/parts.h"

namespace animbridge::scene_child::write {

namespace {

Result<Bytes> write_container(const scene_file::file::Document& document, std::string_view container) {
    TRY_VOID(scene_file::file::validate(document));
    if (document.nodes.empty()) {
        return fail(ErrorCode::rejected, "the scene has no node to write");
    }
    if (container == "glb") {
        return write_glb(document);
    }
    if (container == "gltf") {
        return write_gltf(document);
    }
    if (container == "fbx") {
        return write_fbx(document);
    }
    if (container == "dae") {
        return write_dae(document);
    }
    return fail(ErrorCode::invalid_argument,
                "found the container \"" + std::string(container) + "\"; allowed are glb, gltf, fbx and dae");
}

constexpr std::array<std::string_view, 4> containers = {"glb", "gltf", "dae", "fbx"};

}  // namespace

std::span<const std::string_view> written_containers() {
    const std::span<const std::string_view> all(containers);
    return writes_fbx() ? all : all.first(all.size() - 1);
}

Result<Bytes> write_scene(const scene_file::file::Document& document, std::string_view container) {
    try {
        return write_container(document, container);
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::out_of_memory, "there is not enough memory to write the scene");
    } catch (const std::exception& problem) {  // Assimp and the JSON library throw
        return fail(ErrorCode::rejected, std::string("the scene cannot be written: ") + problem.what());
    }
}

namespace {

using Block = std::array<std::int64_t, 3>;

constexpr double share_of_extent = 1e-3;
// Relative to the largest coordinate: far from the origin, floats have no finer steps.
constexpr double share_of_coordinate = 1e-4;

/// The length of a block's sides.
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

Block block_of(const glm::dvec3& place, double side) {
    const auto index = [&](double coordinate) {
        return static_cast<std::int64_t>(std::floor(coordinate / side));
    };
    return {index(place.x), index(place.y), index(place.z)};
}

/// A grid in which each triangle gets three separate cells, which are not on one line.
class Grid {
public:
    explicit Grid(std::size_t triangles) {
        while (across_ * across_ * across_ < 3 * triangles) {
            ++across_;
        }
        layers_ = (triangles + across_ * across_ - 1) / (across_ * across_);
    }

    /// From 0 to 1 in the block.
    [[nodiscard]] Triangle triangle(std::size_t index) const {
        const std::size_t x = index % across_;
        const std::size_t y = index / across_ % across_;
        const std::size_t layer = index / (across_ * across_);
        const std::size_t half = across_ / 2;
        return {middle(x, y, layer), middle((x + half) % across_, y, layer + layers_),
                middle(x, (y + half) % across_, layer + 2 * layers_)};
    }

private:
    [[nodiscard]] glm::dvec3 middle(std::size_t x, std::size_t y, std::size_t layer) const {
        const glm::dvec3 cell(static_cast<double>(x), static_cast<double>(y), static_cast<double>(layer));
        const auto across = static_cast<double>(across_);
        return (cell + 0.5) / glm::dvec3(across, across, static_cast<double>(3 * layers_));
    }

    std::size_t across_ = 2;
    std::size_t layers_ = 1;  ///< for one corner
};

}  // namespace

std::vector<Triangle> carrier_triangles(const std::vector<glm::dvec3>& places) {
    std::vector<Triangle> triangles;
    if (places.empty()) {
        return triangles;
    }
    // A block's triangles are inside it, however many there are.
    constexpr double least_cell = 4e-5;  // Assimp merges corners that are nearer than a quarter of this
    const double side =
        std::max(side_for(places), least_cell * std::cbrt(3.0 * static_cast<double>(places.size())));
    std::map<Block, std::size_t> counts;
    for (const glm::dvec3& place : places) {
        ++counts[block_of(place, side)];
    }
    std::map<Block, std::pair<Grid, std::size_t>> grids;
    for (const glm::dvec3& place : places) {
        const Block block = block_of(place, side);
        auto& [grid, used] = grids.try_emplace(block, Grid(counts[block]), 0).first->second;
        Triangle& triangle = triangles.emplace_back(grid.triangle(used++));
        for (glm::dvec3& corner : triangle) {
            corner = side * (glm::dvec3(static_cast<double>(block[0]), static_cast<double>(block[1]),
                                        static_cast<double>(block[2])) +
                             corner);
        }
    }
    return triangles;
}

}  // namespace animbridge::scene_child::write
