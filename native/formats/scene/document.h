// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "base/options/options.h"
#include "formats/scene/shared_numbers.h"

/// The motion in a scene file (FBX, glTF, COLLADA and others): nodes and how they move. Meshes, materials and
/// everything else stay in the file.
namespace animbridge::scene {

/// x -> translation + rotation * (scale * x), in the parent's frame and in the file's unit.
struct Placement {
    glm::dvec3 translation{0, 0, 0};
    glm::dquat rotation{1, 0, 0, 0};  ///< unit
    glm::dvec3 scale{1, 1, 1};        ///< negative if the node mirrors
};

/// What is attached to a node. If several apply, a node has the last of them.
enum class NodeRole : std::uint8_t {
    plain,
    mesh,
    light,
    camera,
};

struct Node {
    std::string name;                       ///< as in the file; may be empty or occur twice
    std::optional<std::uint32_t> parent{};  ///< index of an earlier node; nullopt: a root
    Placement rest{};                       ///< without animation
    NodeRole role = NodeRole::plain;
    bool is_skinned = false;  ///< a mesh's skin names the node as one of its bones
    std::optional<Placement>
        bind_world{};  ///< its pose when the first such skin was bound, in the file's world space
};

/// A camera looks along the node's own -Z, and +Y is up in its picture, whatever the file's convention.
struct Camera {
    std::uint32_t node = 0;
    double horizontal_field_degrees = 0;  ///< 0: unknown or orthographic
};

enum class Target : std::uint8_t { translation, rotation, scale };

[[nodiscard]] constexpr std::size_t width_of(Target target) { return target == Target::rotation ? 4 : 3; }

/// The interpolation from one key to the next.
enum class KeyKind : std::uint8_t {
    step,
    linear,  ///< rotations by slerp
    cubic,  ///< glTF's cubic spline: Hermite with tangents in value per second; rotations are then normalised
};

/// Keys of one part of a node's placement. Before the first key and after the last, the value is held.
struct Channel {
    std::uint32_t node = 0;
    Target target = Target::rotation;
    KeyKind kind = KeyKind::linear;
    SharedNumbers times_seconds{};  ///< strictly increasing; at least one
    SharedNumbers values{};         ///< a row for each key; rotations w, x, y, z, unit
    /// For cubic channels: for each key the row of its in-tangent and of its out-tangent; else empty.
    SharedNumbers tangents{};
};

struct Animation {
    std::string name;                 ///< as in the file; may be empty or occur twice
    double duration_seconds = 0;      ///< from 0 to the last key, or as in the file if that is longer
    std::vector<Channel> channels{};  ///< at most one for each node and target
};

/// A direction of the file's space.
enum class Axis : std::uint8_t { plus_x, minus_x, plus_y, minus_y, plus_z, minus_z };

/// "X", "-X", ...
inline constexpr std::array<std::string_view, 6> axis_names = {"X", "-X", "Y", "-Y", "Z", "-Z"};

/// What the file defines about its space.
struct Space {
    Axis up = Axis::plus_y;
    Axis front = Axis::plus_z;  ///< the direction in which a character faces
    double metres_per_unit = 1;
    bool says_axes = false;  ///< false: `up` and `front` are a guess
    bool says_unit = false;  ///< false: `metres_per_unit` is a guess
};

/// A body part that the file names, such as in VRM.
struct HumanBone {
    std::string slot;  ///< VRM 1.0's name: "leftUpperArm"
    std::uint32_t node = 0;
};

/// The kinds of changes and omissions in reading.
enum class NoteKind : std::uint8_t {
    shear,              ///< a node's rest matrix shears; the shear is left out
    key_order,          ///< keys whose times do not increase; the later ones are left out
    bad_number,         ///< numbers that are not finite; their keys or placements are left out
    zero_length,        ///< rotations of length 0; their keys are left out
    no_frame_rate,      ///< no ticks per second: 25 are assumed
    side_file_missing,  ///< a file beside this one could not be read
    curves_resampled,   ///< curves were sampled to a bound, which is in the text
    other,              ///< described only by the text
};

struct Note {
    NoteKind kind = NoteKind::other;
    std::optional<std::uint32_t> node{};
    std::uint64_t count = 1;  ///< how often
    std::string text{};       ///< a sentence for NoteKind::other, else a detail; may be empty
};

struct Document {
    std::string loader;          ///< id of the loader that read the file (loaders.h)
    std::string program{};       ///< the program that read it: "AnimBridge", "ufbx 0.21.2", "Assimp 6.0.5"
    std::string generator{};     ///< the program that made the file, if the file names it
    std::string human_format{};  ///< "VRM 1.0", "VRM 0.x", "VRMA": the source of `human_bones`
    Space space{};
    double frames_per_second = 0;  ///< 0: not in the file
    std::vector<Node> nodes{};     ///< parents before children
    std::vector<Camera> cameras{};
    std::vector<Animation> animations{};
    std::vector<HumanBone> human_bones{};  ///< at most as many as nodes
    std::vector<Note> notes{};
    std::optional<std::size_t> chosen_animation{};  ///< what the caller shows and converts; not from the file
    Trim part{};                                    ///< the part of the animation; not from the file
    Bytes file{};  ///< the file that was read or written; empty if there is none yet
    /// When this is written, no file is made if a joint in it is farther off. 0: never stop.
    double stop_above_mm = 20;
    double stop_above_degrees = 5;
};

/// The greatest depth of a node below its root.
inline constexpr std::size_t deepest_node = 1000;

}  // namespace animbridge::scene
