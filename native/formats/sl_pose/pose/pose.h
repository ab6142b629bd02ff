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
#include "formats/sl_pose/file/file.h"

/// What the posers read in a document: whose pose it is, its joints, and the animations under a difference
/// pose. The rotations of both, and back (docs/poses.md).
namespace animbridge::sl_pose::pose {

// ---- rotations ----

/// Numbers of a joint as stored: radians, metres, or factors.
using Triple = std::array<float, 3>;

/// Firestorm's angles as a rotation: z turns first, then y, then x. Identity if one is not finite.
[[nodiscard]] glm::dquat rotation_of(const Triple& radians);

/// The angles that Firestorm saves for a rotation.
[[nodiscard]] Triple angles_of(const glm::dquat& given);

/// Black Dragon stores y and z in each other's place. Its own inverse.
[[nodiscard]] inline Triple swapped(const Triple& radians) { return {radians[0], radians[2], radians[1]}; }

/// Whether the angles are stored in gimbal lock, where they are least exact.
[[nodiscard]] bool is_locked(const glm::dquat& rotation);

// ---- the pose ----

enum class Program : std::uint8_t { firestorm, black_dragon };
[[nodiscard]] std::string_view name_of(Program program);  ///< for people

/// What a file says of a joint; what it lacks is null.
struct Entry {
    std::string key;                     ///< as in the file
    std::optional<std::size_t> joint{};  ///< in rig::avatar::skeleton(); none: its program does not know it
    bool is_enabled = true;
    std::optional<Triple> rotation{};
    std::optional<Triple> position{};
    std::optional<Triple> scale{};
    std::optional<bool> base_is_zero{};
    std::optional<bool> user_base_is_zero{};
    bool is_mirrored = false;
};

/// An animation that played when a difference pose was saved.
struct State {
    std::int64_t number = 0;
    std::string animation_id{};
    double seconds = 0;
    std::int32_t capture_order = 0;
    std::int32_t layer_order = 0;
    std::vector<std::size_t> joints{};  ///< empty: all
    bool is_corrupt = false;            ///< its joints include one that the file cannot express
};

struct Pose {
    Program program = Program::firestorm;
    std::int32_t version = 0;      ///< Black Dragon: 1 to 3
    bool is_assumed = false;       ///< a short file of version 3 may be either program's
    bool from_t_pose = true;       ///< false: a difference to animations
    std::vector<Entry> entries{};  ///< each joint once
    std::vector<State> states{};   ///< in the order in which they apply
    std::optional<double> blend_seconds{};
    std::optional<std::int32_t> blend_type{};

    [[nodiscard]] bool is_difference() const { return program == Program::firestorm && !from_t_pose; }
    /// Firestorm until version 3 stores what a joint has, and not what it adds.
    [[nodiscard]] bool is_absolute() const { return program == Program::black_dragon || version <= 3; }
};

/// ErrorCode::bad_value: the file is LLSD and not a pose.
[[nodiscard]] Result<Pose> pose_of(const file::Document& document);

// ---- joints ----

/// Whether Firestorm's poser moves the joint.
[[nodiscard]] bool is_posed_by_firestorm(std::size_t joint);
[[nodiscard]] bool is_volume(std::size_t joint);
/// The rest position; mPelvis at 0.
[[nodiscard]] glm::dvec3 rest_position(std::size_t joint);

}  // namespace animbridge::sl_pose::pose
