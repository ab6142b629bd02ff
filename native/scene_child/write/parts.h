// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "formats/scene_file/file/file.h"
#include "scene_child/write/fbx_tree.h"

/// One function for each container, and what each puts right in the file that Assimp wrote.

struct aiScene;

namespace animbridge::scene_child::write {

// ---- keys ----

/// Keys of one target. Times still increase after rounding to floats.
struct Keys {
    std::vector<double> times_seconds{};
    std::vector<double>
        values{};  ///< a row for each key; the signs of rotations do not flip, except in a spline
    scene_file::file::KeyKind kind = scene_file::file::KeyKind::linear;  ///< linear: rotations by slerp
    std::vector<double> tangents{};  ///< for cubic keys, as in scene_file::file::Channel; else empty
};

/// The keys of one node; a target without keys does not move.
struct NodeKeys {
    std::uint32_t node = 0;
    std::array<Keys, 3> targets{};  ///< by scene_file::file::Target

    [[nodiscard]] Keys& of(scene_file::file::Target target) {
        return targets[static_cast<std::size_t>(target)];
    }
    [[nodiscard]] const Keys& of(scene_file::file::Target target) const {
        return targets[static_cast<std::size_t>(target)];
    }
};

struct NodeMotion {
    std::string name{};
    double duration_seconds = 0;  ///< not less than the time of the last key
    std::vector<NodeKeys> nodes{};
};

/// How readers of a container blend two rotations.
enum class Blend : std::uint8_t {
    slerp,
    euler,       ///< three angles, each separately
    components,  ///< the numbers of a matrix or of a quaternion, made a rotation again
};

/// The keys of the animations that have any, each in the order of the nodes. If an animation lasts longer
/// than its last key, one more key holds the end. ErrorCode::rejected: a channel that is not linear (unless
/// `has_kinds`), or a time below 0.
[[nodiscard]] Result<std::vector<NodeMotion>> motions_of(const scene_file::file::Document& document,
                                                         bool has_kinds = false);

/// Adds keys where readers that blend differently would be off by more than this.
void add_rotations_for(Blend blend, Keys& rotations, double degrees);

/// Gives every target keys: the rest pose, or its only key, held from the first to the last key of the node.
/// The first and the last key are at least `shortest_seconds` apart; only shorter animations become longer.
void fill_targets(NodeKeys& keys, const scene_file::file::Placement& rest, double shortest_seconds);

/// Gives all targets the union of their times.
void unite_times(NodeKeys& keys);

[[nodiscard]] glm::dquat rotation_at(const Keys& rotations, std::size_t key);
[[nodiscard]] glm::dvec3 vector_at(const Keys& vectors, std::size_t key);

/// slerp along the shorter path.
[[nodiscard]] glm::dquat between(const glm::dquat& from, const glm::dquat& to, double share);

// ---- a scene for Assimp ----

/// Names of the nodes that a scene for Assimp has besides the document's.
inline constexpr std::string_view root_name = "AnimBridgeRoot";
inline constexpr std::string_view carrier_name = "AnimBridgeCarrier";

/// Frees the scene; aiScene is complete in only one source.
struct FreeScene {
    void operator()(aiScene* scene) const;
};
using AssimpScene = std::unique_ptr<aiScene, FreeScene>;

/// What `make_scene` needs besides the document.
struct SceneParts {
    const std::vector<std::string>& names;  ///< unique, one for each node; Assimp finds nodes by them
    const std::vector<NodeMotion>& motions;
    bool has_fbx_settings = false;  ///< axes, unit and frame rate as FBX settings
};

/// The document below an artificial root; if nodes are skinned, with a mesh that is bound to them.
[[nodiscard]] AssimpScene make_scene(const scene_file::file::Document& document, const SceneParts& parts);

/// The output of Assimp's exporter with this id. ErrorCode::rejected: it cannot write the scene.
[[nodiscard]] Result<Bytes> export_scene(const aiScene& scene, const char* exporter);

/// The bind pose of each node: `bind_world`, or the rest pose if there is none.
[[nodiscard]] std::vector<glm::dmat4> bind_worlds(const scene_file::file::Document& document);

/// "n0", "n1", ...
[[nodiscard]] std::vector<std::string> numbered_names(const scene_file::file::Document& document);

/// The name of the generating program for files.
[[nodiscard]] std::string generator_text();

/// The width of a camera's picture divided by its height. Documents do not have it, and glTF needs it with
/// the vertical field of view.
inline constexpr double written_aspect = 16.0 / 9.0;

/// The horizontal field of view to write; if it is unknown, that of a 50 mm lens with a 36 mm film.
[[nodiscard]] inline double written_field_degrees(const scene_file::file::Camera& camera) {
    constexpr double usual_degrees = 39.6;
    return camera.horizontal_field_degrees > 0 ? camera.horizontal_field_degrees : usual_degrees;
}

using Triangle = std::array<glm::dvec3, 3>;

/// A triangle near each of the positions, about a thousandth of their extent, or a millimetre. No two corners
/// coincide, even if positions do: Assimp 6.0.5 joins such corners, and crashes.
[[nodiscard]] std::vector<Triangle> carrier_triangles(const std::vector<glm::dvec3>& places);

// ---- the containers ----
// Assimp writes the file, and its errors are corrected. ErrorCode::rejected: the container cannot hold the
// document, or this Assimp cannot write it.

[[nodiscard]] Result<Bytes> write_glb(const scene_file::file::Document& document);

/// One text file, with the numbers inside.
[[nodiscard]] Result<Bytes> write_gltf(const scene_file::file::Document& document);

/// Whether this Assimp's FBX files can be read: those of version 5 cannot.
[[nodiscard]] bool writes_fbx();

[[nodiscard]] Result<Bytes> write_fbx(const scene_file::file::Document& document);

[[nodiscard]] Result<Bytes> write_dae(const scene_file::file::Document& document);

// ---- FBX, put right ----

/// Adds axes, unit and frame rate as metadata, which Assimp's FBX exporter writes into the file's settings.
void add_fbx_settings(aiScene& scene, const scene_file::file::Document& document);

/// Completes a file that Assimp made from the document with only the ends of the motions: sets the names, the
/// rest and bind poses, all keys, the duration of the motions, and cameras. ErrorCode::rejected: the file
/// lacks something that it should have.
[[nodiscard]] Result<void> mend_fbx(FbxFile& file, const scene_file::file::Document& document,
                                    const std::vector<NodeMotion>& motions);

/// Adds the cameras to the models of their nodes; these are in the order of the document's nodes.
void add_fbx_cameras(FbxNode& objects, FbxNode& connections, const scene_file::file::Document& document,
                     const std::vector<FbxNode*>& models);

/// "name", a separator, "Model"
[[nodiscard]] FbxProperty fbx_object_name(const std::string& name, std::string_view kind);

// ---- glTF, put right ----

/// The parts of a written GLB.
struct GltfParts {  // NOLINT(bugprone-exception-escape): JSON that moves only asserts
    nlohmann::ordered_json json;
    std::vector<Bytes> views{};  ///< the content of each of "bufferViews", whatever its offset and length say
};

/// Errors: the bytes are not a GLB, or a view is not in them (bad_value, truncated).
[[nodiscard]] Result<GltfParts> parts_of_glb(ByteView file);

/// Joins the views, with zeros between, and sets their positions in "bufferViews" and "buffers".
[[nodiscard]] Bytes join_views(GltfParts& parts);

/// Sets the interpolation of an animation's samplers to the motion's: Assimp writes all of them as linear.
/// `places`: the file's node for each of the document's nodes.
void set_kinds(GltfParts& parts, std::size_t animation, const NodeMotion& motion,
               const std::vector<std::size_t>& places);

}  // namespace animbridge::scene_child::write
