// SPDX-License-Identifier: MIT
#include "formats/scene_file/gltf/parts.h"

#include <algorithm>
#include <glm/matrix.hpp>
#include <numbers>
#include <utility>

namespace animbridge::scene_file::gltf {

namespace {

constexpr double usual_aspect = 16.0 / 9.0;

/// The camera's horizontal field of view in degrees; 0: it has none.
double field_of(const Json& camera) {
    const Json& perspective = member(camera, "perspective");
    const Json& vertical = member(perspective, "yfov");
    const Json& aspect = member(perspective, "aspectRatio");
    if (!vertical.is_number() || !(vertical.get<double>() > 0) ||
        !(vertical.get<double>() < std::numbers::pi)) {
        return 0;
    }
    const bool has_aspect = aspect.is_number() && aspect.get<double>() > 0;
    const double ratio = has_aspect ? aspect.get<double>() : usual_aspect;
    return 2 * std::atan(std::tan(vertical.get<double>() / 2) * ratio) * file::degrees_per_radian;
}

glm::dmat4 matrix_of_columns(const double* columns) {
    glm::dmat4 matrix(1);
    for (int i = 0; i < 16; ++i) {
        matrix[i / 4][i % 4] = columns[i];
    }
    return matrix;
}

/// nullopt: its numbers are not a placement.
std::optional<file::Placement> placement_in(const Json& node) {
    const auto t = numbers_in<3>(member(node, "translation"), {0, 0, 0});
    const auto r = numbers_in<4>(member(node, "rotation"), {0, 0, 0, 1});
    const auto s = numbers_in<3>(member(node, "scale"), {1, 1, 1});
    if (!t || !r || !s) {
        return std::nullopt;
    }
    const glm::dquat rotation((*r)[3], (*r)[0], (*r)[1], (*r)[2]);
    const double length = glm::length(rotation);
    if (!(length > 1e-12) || !std::isfinite(length)) {
        return std::nullopt;
    }
    return file::Placement{
        {(*t)[0], (*t)[1], (*t)[2]}, glm::normalize(rotation), {(*s)[0], (*s)[1], (*s)[2]}};
}

/// Walks the tree of a file's scene.
class GltfWalk {
public:
    GltfWalk(const GltfFile& file, file::Document& document, file::Notes& notes)
        : nodes_(member(file.json, "nodes")),
          cameras_(member(file.json, "cameras")),
          document_(document),
          notes_(notes),
          map_(count_in(nodes_), -1) {}

    Result<void> take_all(const GltfFile& file) {
        const Json& scenes = member(file.json, "scenes");
        const Json& chosen = item(scenes, index_in(member(file.json, "scene")).value_or(0));
        if (chosen.is_object()) {
            return take_each(member(chosen, "nodes"), std::nullopt, 1);
        }
        std::vector<bool> is_child(map_.size(), false);
        for (std::uint32_t node = 0; node < map_.size(); ++node) {
            const Json& children = member(item(nodes_, node), "children");
            for (std::uint32_t i = 0; i < count_in(children); ++i) {
                const auto child = index_in(children[i]);
                if (child && *child < is_child.size()) {
                    is_child[*child] = true;
                }
            }
        }
        for (std::uint32_t node = 0; node < map_.size(); ++node) {
            if (!is_child[node]) {
                TRY_VOID(take(node, std::nullopt, 1));
            }
        }
        return {};
    }

    /// The skins in the order in which the nodes name them, then the others.
    [[nodiscard]] std::vector<std::uint32_t> skins(std::uint32_t count) const {
        std::vector<std::uint32_t> all = skins_;
        for (std::uint32_t skin = 0; skin < count; ++skin) {
            all.push_back(skin);
        }
        return all;
    }

    [[nodiscard]] GltfNodeMap& map() { return map_; }

private:
    Result<void> take_each(const Json& list, std::optional<std::uint32_t> parent, std::size_t depth) {
        for (std::uint32_t i = 0; i < count_in(list); ++i) {
            const auto node = index_in(list[i]);
            if (!node || *node >= map_.size()) {
                return fail(ErrorCode::bad_value, "it names the node " + list[i].dump() + "; it has " +
                                                      std::to_string(map_.size()) + " nodes");
            }
            TRY_VOID(take(*node, parent, depth));
        }
        return {};
    }

    Result<void> take(std::uint32_t index, std::optional<std::uint32_t> parent, std::size_t depth) {
        if (depth > file::deepest_node) {
            const std::string most = std::to_string(file::deepest_node);
            return fail(ErrorCode::bad_value,
                        "a node hangs more than " + most + " levels below its root; allowed are " + most);
        }
        if (map_[index] >= 0) {
            return fail(ErrorCode::bad_value, "node " + std::to_string(index) +
                                                  " hangs at two places; a node has one parent at most");
        }
        const Json& node = item(nodes_, index);
        const auto made = static_cast<std::uint32_t>(document_.nodes.size());
        map_[index] = made;
        document_.nodes.push_back({text_in(member(node, "name")), parent, rest_of(node, made)});
        take_role(node, made);
        if (const auto skin = index_in(member(node, "skin"))) {
            skins_.push_back(*skin);
        }
        return take_each(member(node, "children"), made, depth + 1);
    }

    file::Placement rest_of(const Json& node, std::uint32_t made) {
        const auto matrix = numbers_in<16>(member(node, "matrix"), {});
        if (!member(node, "matrix").is_null() && matrix) {
            const file::Decomposed decomposed = file::decompose(matrix_of_columns(matrix->data()));
            if (!decomposed.is_finite) {
                notes_.add(file::NoteKind::bad_number, made);
            } else if (decomposed.shears || !decomposed.has_volume) {
                notes_.add(file::NoteKind::shear, made);
            }
            return decomposed.placement;
        }
        const auto placement = placement_in(node);
        if (!placement || !matrix) {
            notes_.add(file::NoteKind::bad_number, made);
        }
        return placement.value_or(file::Placement{});
    }

    void take_role(const Json& node, std::uint32_t made) {
        file::NodeRole& role = document_.nodes[made].role;
        if (member(node, "mesh").is_number()) {
            role = file::NodeRole::mesh;
        }
        if (!member(member(node, "extensions"), "KHR_lights_punctual").is_null()) {
            role = file::NodeRole::light;
        }
        if (const auto camera = index_in(member(node, "camera"))) {
            role = file::NodeRole::camera;
            document_.cameras.push_back({made, field_of(item(cameras_, *camera))});
        }
    }

    const Json& nodes_;
    const Json& cameras_;
    file::Document& document_;
    file::Notes& notes_;
    GltfNodeMap map_;
    std::vector<std::uint32_t> skins_;
};

/// The bind pose of a joint, in the world; nullopt: its matrix cannot be inverted.
std::optional<file::Placement> bind_place(const glm::dmat4& inverse_bind) {
    if (!file::decompose(inverse_bind).has_volume) {
        return std::nullopt;
    }
    const file::Decomposed place = file::decompose(glm::inverse(inverse_bind));
    return place.is_finite && place.has_volume ? std::optional(place.placement) : std::nullopt;
}

/// A joint of several skins has the bind pose of the first of them.
Result<void> take_skin(const Json& skin, const GltfNodeMap& map, GltfBuffers& buffers,
                       file::Document& document) {
    const Json& joints = member(skin, "joints");
    GltfNumbers matrices;
    // Without matrices, every joint would be bound at the origin: that is not a pose.
    if (const auto accessor = index_in(member(skin, "inverseBindMatrices"))) {
        TRY(matrices, buffers.numbers(*accessor));
    }
    constexpr std::size_t numbers_of_matrix = 16;
    const std::size_t count = matrices.width == numbers_of_matrix ? matrices.count() : 0;
    for (std::uint32_t i = 0; i < count_in(joints); ++i) {
        const auto joint = index_in(joints[i]);
        if (!joint || *joint >= map.size() || map[*joint] < 0) {
            continue;
        }
        file::Node& node = document.nodes[static_cast<std::size_t>(map[*joint])];
        if (!node.is_skinned && i < count) {
            node.bind_world = bind_place(matrix_of_columns(&matrices.values[i * numbers_of_matrix]));
        }
        node.is_skinned = true;
    }
    return {};
}

}  // namespace

Result<GltfNodeMap> take_gltf_nodes(const GltfFile& file, GltfBuffers& buffers, GltfRoom& room,
                                    file::Document& document, file::Notes& notes) {
    TRY_VOID(room.take(std::uint64_t{count_in(member(file.json, "nodes"))} * sizeof(file::Node)));
    GltfWalk walk(file, document, notes);
    TRY_VOID(walk.take_all(file));
    const Json& skins = member(file.json, "skins");
    for (const std::uint32_t skin : walk.skins(count_in(skins))) {
        TRY_VOID(take_skin(item(skins, skin), walk.map(), buffers, document));
    }
    return std::move(walk.map());
}

}  // namespace animbridge::scene_file::gltf
