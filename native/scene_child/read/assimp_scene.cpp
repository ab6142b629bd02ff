// SPDX-License-Identifier: MIT
#include "scene_child/read/assimp_scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <glm/matrix.hpp>
#include <span>
#include <utility>

#include "scene_child/common/common.h"

namespace animbridge::scene_child::read {

namespace {

using scene_file::file::Target;

constexpr double usual_ticks_per_second = 25;
/// The largest difference between a float key and the node's own number.
constexpr double same_number = 1e-5;

std::array<double, 3> row_of(const aiVectorKey& key) {
    return {static_cast<double>(key.mValue.x), static_cast<double>(key.mValue.y),
            static_cast<double>(key.mValue.z)};
}

std::array<double, 4> row_of(const aiQuatKey& key) {
    return {static_cast<double>(key.mValue.w), static_cast<double>(key.mValue.x),
            static_cast<double>(key.mValue.y), static_cast<double>(key.mValue.z)};
}

/// The keys of one part, in seconds.
template <typename Key>
scene_file::file::Channel channel_from(std::span<const Key> keys, double ticks_per_second) {
    std::vector<double> times;
    std::vector<double> values;
    times.reserve(keys.size());
    values.reserve(keys.size() * row_of(Key()).size());
    for (const Key& key : keys) {
        const auto row = row_of(key);
        times.push_back(key.mTime / ticks_per_second);
        values.insert(values.end(), row.begin(), row.end());
    }
    scene_file::file::Channel channel;
    channel.times_seconds = std::move(times);
    channel.values = std::move(values);
    return channel;
}

/// Takes the channels of one of Assimp's animations.
class Taker {
public:
    Taker(AssimpInput& from, const aiAnimation& animation)
        : from_(from),
          maker_(name_of(from, animation), from.notes),
          ticks_per_second_(from.ticks_per_second > 0 ? from.ticks_per_second : animation.mTicksPerSecond) {
        if (!(ticks_per_second_ > 0) || !std::isfinite(ticks_per_second_)) {
            ticks_per_second_ = usual_ticks_per_second;
            from.notes.add(scene_file::file::NoteKind::no_frame_rate, std::nullopt);
        }
        for (const aiNodeAnim* moved : std::span(animation.mChannels, animation.mNumChannels)) {
            take(*moved);
        }
    }

    scene_file::file::Animation result() { return maker_.take(); }

private:
    static std::string name_of(const AssimpInput& from, const aiAnimation& animation) {
        std::string name(chars_of(animation.mName));
        if (from.collada == nullptr) {
            return name;
        }
        // There is one for each node; together they are one motion without a name.
        const bool is_of_many =
            from.scene.mNumAnimations < from.collada->animations && from.collada->clip_names.empty();
        return is_of_many ? std::string() : animation_name(*from.collada, name);
    }

    void take(const aiNodeAnim& moved) {
        const auto found = from_.nodes.find(chars_of(moved.mNodeName));
        if (found == from_.nodes.end()) {
            from_.notes.say("An animation moves the node \"" + std::string(chars_of(moved.mNodeName)) +
                            "\", which is not there.");
            return;
        }
        const std::uint32_t node = found->second;
        const bool any_moves =
            moved.mNumPositionKeys > 1 || moved.mNumRotationKeys > 1 || moved.mNumScalingKeys > 1;
        take_part(node, Target::translation, any_moves,
                  std::span<const aiVectorKey>(moved.mPositionKeys, moved.mNumPositionKeys));
        take_part(node, Target::rotation, any_moves,
                  std::span<const aiQuatKey>(moved.mRotationKeys, moved.mNumRotationKeys));
        take_part(node, Target::scale, any_moves,
                  std::span<const aiVectorKey>(moved.mScalingKeys, moved.mNumScalingKeys));
    }

    template <typename Key>
    void take_part(std::uint32_t node, Target target, bool any_moves, std::span<const Key> keys) {
        scene_file::file::Channel channel = channel_from(keys, ticks_per_second_);
        channel.node = node;
        channel.target = target;
        if (keys.size() == 1 && any_moves && is_rest(channel)) {
            return;  // the same: a channel that moves has all three parts
        }
        maker_.add(std::move(channel));
    }

    [[nodiscard]] bool is_rest(const scene_file::file::Channel& channel) const {
        const scene_file::file::Placement& rest = from_.document.nodes[channel.node].rest;
        const std::span<const double> row = channel.values;
        const auto is_near = [](double a, double b) {
            return std::abs(a - b) <= same_number * std::max(1.0, std::abs(b));
        };
        if (channel.target == Target::rotation) {
            const glm::dquat& q = rest.rotation;
            return std::abs(row[0] * q.w + row[1] * q.x + row[2] * q.y + row[3] * q.z) >=
                   1 - same_number * same_number;
        }
        const glm::dvec3& v = channel.target == Target::scale ? rest.scale : rest.translation;
        return is_near(row[0], v.x) && is_near(row[1], v.y) && is_near(row[2], v.z);
    }

    AssimpInput& from_;
    scene_file::file::AnimationMaker maker_;
    double ticks_per_second_;
};

}  // namespace

void take_animations(AssimpInput& from) {
    for (const aiAnimation* animation : std::span(from.scene.mAnimations, from.scene.mNumAnimations)) {
        from.document.animations.push_back(Taker(from, *animation).result());
    }
}

namespace {

using scene_file::file::NoteKind;

glm::dmat4 matrix_from(const aiMatrix4x4& m) {
    // Assimp's matrices are by rows, GLM's by columns.
    return {glm::dvec4(m.a1, m.b1, m.c1, m.d1), glm::dvec4(m.a2, m.b2, m.c2, m.d2),
            glm::dvec4(m.a3, m.b3, m.c3, m.d3), glm::dvec4(m.a4, m.b4, m.c4, m.d4)};
}

glm::dvec3 vector_from(const aiVector3D& v) { return {v.x, v.y, v.z}; }

/// Notes what a placement cannot express.
scene_file::file::Placement placement_noted(AssimpInput& from, const glm::dmat4& matrix, std::uint32_t node) {
    const scene_file::file::Decomposed decomposed = scene_file::file::decompose(matrix);
    if (!decomposed.is_finite) {
        from.notes.add(NoteKind::bad_number, node);
    }
    if (decomposed.shears || !decomposed.has_volume) {
        from.notes.add(NoteKind::shear, node);
    }
    return decomposed.placement;
}

/// Walks Assimp's tree.
class Walk {
public:
    explicit Walk(AssimpInput& from) : from_(from) {}

    /// `above`: the parent's world matrix at the rest pose.
    Result<void> take(const aiNode& node, std::optional<std::uint32_t> parent, const glm::dmat4& above,
                      std::size_t depth) {
        if (depth > scene_file::file::deepest_node) {
            const std::string most = std::to_string(scene_file::file::deepest_node);
            return fail(ErrorCode::bad_value,
                        "a node hangs more than " + most + " levels below its root; allowed are " + most);
        }
        const bool is_made_up = is_left_out(node);
        const glm::dmat4 world = is_made_up ? above : above * matrix_from(node.mTransformation);
        if (!is_made_up) {
            parent = add(node, parent);
        }
        if (node.mNumMeshes > 0) {
            bind(node, world);
        }
        for (const aiNode* child : std::span(node.mChildren, node.mNumChildren)) {
            // Assimp's reader of raw triangles leaves some empty.
            if (child != nullptr) {
                TRY_VOID(take(*child, parent, world, depth + 1));
            }
        }
        return {};
    }

    /// Sets the bones of skins, once all nodes have their indices.
    void finish() {
        for (const auto& [name, placement] : bind_) {
            const auto found = from_.nodes.find(name);
            if (found == from_.nodes.end()) {
                continue;
            }
            scene_file::file::Node& node = from_.document.nodes[found->second];
            node.is_skinned = true;
            if (placement) {
                node.bind_world = placement;
            }
        }
    }

private:
    /// Whether it is a root with only axes and unit.
    [[nodiscard]] bool is_left_out(const aiNode& node) const {
        if (node.mParent != nullptr) {
            // The MD5 loader's own: "<MD5_Mesh>", "<MD5_Hierarchy>".
            return from_.root_is_made_up && chars_of(node.mName).starts_with("<MD5_");
        }
        return from_.root_is_made_up;
    }

    std::uint32_t add(const aiNode& node, std::optional<std::uint32_t> parent) {
        const auto index = static_cast<std::uint32_t>(from_.document.nodes.size());
        scene_file::file::Node made;
        made.name = chars_of(node.mName);
        made.parent = parent;
        made.role =
            node.mNumMeshes > 0 ? scene_file::file::NodeRole::mesh : scene_file::file::NodeRole::plain;
        if (from_.collada != nullptr) {
            const auto own = from_.collada->node_names.find(made.name);
            made.name = own == from_.collada->node_names.end() ? made.name : own->second;
        }
        made.rest = placement_noted(from_, matrix_from(node.mTransformation), index);
        if (!from_.nodes.emplace(chars_of(node.mName), index).second) {
            same_names_ = true;
        }
        from_.document.nodes.push_back(std::move(made));
        return index;
    }

    /// The bind poses of the meshes at this node.
    void bind(const aiNode& node, const glm::dmat4& world) {
        const glm::dmat4 frame = from_.binds_in_world ? glm::dmat4(1) : world;
        for (const unsigned mesh : std::span(node.mMeshes, node.mNumMeshes)) {
            if (mesh >= from_.scene.mNumMeshes) {
                continue;
            }
            const aiMesh& skinned = *from_.scene.mMeshes[mesh];
            for (const aiBone* bone : std::span(skinned.mBones, skinned.mNumBones)) {
                bind_.emplace(chars_of(bone->mName), bind_place(frame, matrix_from(bone->mOffsetMatrix)));
            }
        }
    }

    static std::optional<scene_file::file::Placement> bind_place(const glm::dmat4& frame,
                                                                 const glm::dmat4& offset) {
        if (!scene_file::file::decompose(offset).has_volume) {
            return std::nullopt;
        }
        const scene_file::file::Decomposed place = scene_file::file::decompose(frame * glm::inverse(offset));
        return place.is_finite && place.has_volume ? std::optional(place.placement) : std::nullopt;
    }

    AssimpInput& from_;
    std::map<std::string_view, std::optional<scene_file::file::Placement>> bind_;
    bool same_names_ = false;

public:
    [[nodiscard]] bool has_same_names() const { return same_names_; }
};

void take_cameras(AssimpInput& from) {
    for (const aiCamera* camera : std::span(from.scene.mCameras, from.scene.mNumCameras)) {
        const auto found = from.nodes.find(chars_of(camera->mName));
        if (found == from.nodes.end()) {
            continue;
        }
        from.document.nodes[found->second].role = scene_file::file::NodeRole::camera;
        const double field =
            static_cast<double>(camera->mHorizontalFOV) * scene_file::file::degrees_per_radian;
        from.document.cameras.push_back(
            {found->second, std::isfinite(field) && field > 0 && field < 180 ? field : 0});
        if (const auto turn = common::camera_turn(vector_from(camera->mLookAt), vector_from(camera->mUp))) {
            from.camera_turns.insert_or_assign(found->second, *turn);
        }
    }
}

}  // namespace

Result<void> take_nodes(AssimpInput& from) {
    if (from.scene.mRootNode == nullptr) {
        return {};
    }
    Walk walk(from);
    TRY_VOID(walk.take(*from.scene.mRootNode, std::nullopt, glm::dmat4(1), 1));
    walk.finish();
    if (walk.has_same_names()) {
        from.notes.say(
            "Several nodes have the same name. Motion and skins that name it are those of the first.");
    }
    for (const aiLight* light : std::span(from.scene.mLights, from.scene.mNumLights)) {
        const auto found = from.nodes.find(chars_of(light->mName));
        if (found != from.nodes.end()) {
            from.document.nodes[found->second].role = scene_file::file::NodeRole::light;
        }
    }
    take_cameras(from);
    return {};
}

}  // namespace animbridge::scene_child::read
