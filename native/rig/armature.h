// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/clip/clip.h"

namespace animbridge::rig {

/// The direction in which the character faces, in armature space. In clip space it faces +X.
enum class Facing : std::uint8_t { x, negative_y, negative_x, y };

[[nodiscard]] std::string_view name_of(Facing facing);

/// The rotation about Z from clip space to armature space.
[[nodiscard]] glm::dquat rotation_of(Facing facing);

/// The values equal AB_CHANNEL_* in animbridge.h.
enum class BoneChannel : std::int32_t {
    location = 0,
    quaternion = 1,
    axis_angle = 2,
    euler_xyz = 3,
    euler_xzy = 4,
    euler_yxz = 5,
    euler_yzx = 6,
    euler_zxy = 7,
    euler_zyx = 8,
    property = 9,  ///< a custom property of the object, by name
};

/// The number of F-curves of a complete channel.
[[nodiscard]] constexpr std::size_t components_of(BoneChannel channel) {
    switch (channel) {
        case BoneChannel::property:
            return 1;
        case BoneChannel::quaternion:
        case BoneChannel::axis_angle:
            return 4;
        default:
            return 3;
    }
}

/// A bone of an armature in its rest pose.
struct Bone {
    std::string name;
    std::optional<std::size_t> parent{};
    Transform rest{};            ///< armature space: head in metres, and the bone's axes (roll included)
    bool connected = false;      ///< Blender ignores its location keys
    bool local_location = true;  ///< location keys follow the bone's axes, else its parent's
    bool inherits_rotation = true;
    BoneChannel rotation_channel = BoneChannel::quaternion;  ///< for import: quaternion or an Euler order
};

struct Armature {
    std::vector<Bone> bones;
    Facing facing = Facing::x;
};

/// The transform in a column-major 4x4 matrix, without its scale.
[[nodiscard]] Transform transform_of(const std::array<float, 16>& matrix);

struct BoneMap;

/// The facing that brings the mapped bones closest to the skeleton's joints; nullopt if the bones do not
/// determine one.
[[nodiscard]] std::optional<Facing> find_facing(const Skeleton& skeleton, const Armature& armature,
                                                const BoneMap& map);

/// Converts values of one mapped bone between clip space (in the parent's frame) and the bone's own channels.
/// Works for any roll and facing, and for joints whose rest rotation in the clip is not the identity.
class BoneSpace {
public:
    BoneSpace(const Skeleton& skeleton, std::size_t node, const Armature& armature, const BoneMap& map);

    /// The bone's rotation channel, relative to its rest pose. Linear in the quaternion: keeps its length and
    /// sign.
    [[nodiscard]] glm::dquat rotation_to_bone(const glm::dquat& clip) const {
        return product(product(before_, clip), after_);
    }
    [[nodiscard]] glm::dquat rotation_to_clip(const glm::dquat& bone) const {
        return product(product(glm::conjugate(before_), bone), glm::conjugate(after_));
    }

    /// The bone's location channel, in metres.
    [[nodiscard]] glm::dvec3 location_to_bone(const glm::dvec3& clip) const;
    [[nodiscard]] glm::dvec3 location_to_clip(const glm::dvec3& bone) const;

private:
    glm::dquat facing_;
    glm::dquat before_{1, 0, 0, 0};
    glm::dquat after_{1, 0, 0, 0};
    glm::dquat location_axes_{1, 0, 0, 0};
    glm::dvec3 rest_offset_{0, 0, 0};  ///< from the parent joint to this one, armature space
    glm::dvec3 clip_rest_{0, 0, 0};
    bool absolute_ = false;  ///< the parent joint has a bone: positions are relative to its head
};

}  // namespace animbridge::rig
