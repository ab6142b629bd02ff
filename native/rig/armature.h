// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/skeleton.h"

namespace animbridge::rig {

/// Where the character looks in armature space. Clip space looks along +X.
enum class Facing : std::uint8_t { x, negative_y, negative_x, y };

[[nodiscard]] std::string_view name_of(Facing facing);

/// The turn about Z that takes clip space to armature space.
[[nodiscard]] glm::dquat rotation_of(Facing facing);

/// The numbers are those of AB_CHANNEL_* in animbridge.h.
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
};

/// How many F-curves a full channel has.
[[nodiscard]] constexpr std::size_t components_of(BoneChannel channel) {
    return channel == BoneChannel::quaternion || channel == BoneChannel::axis_angle ? 4 : 3;
}

/// A bone of an armature, at rest.
struct Bone {
    std::string name;
    std::optional<std::size_t> parent{};
    Transform rest{};            ///< armature space: head in metres, and the bone's axes (roll included)
    bool connected = false;      ///< Blender ignores its location keys
    bool local_location = true;  ///< location keys run along the bone's axes, else along its parent's
    bool inherits_rotation = true;
    BoneChannel rotation_channel = BoneChannel::quaternion;  ///< for import; quaternion or an Euler order
};

struct Armature {
    std::vector<Bone> bones;
    Facing facing = Facing::x;
};

/// Rest placement out of a column-major 4x4 matrix; scale is ignored.
[[nodiscard]] Transform transform_of(const std::array<float, 16>& matrix);

struct BoneMap;

/// The facing under which the mapped bones lie best where the skeleton's joints do; none when nothing tells.
[[nodiscard]] std::optional<Facing> find_facing(const Skeleton& skeleton, const Armature& armature,
                                                const BoneMap& map);

/// How values of one mapped bone go between clip space (in the parent's frame) and the bone's own channels.
/// Sound for any roll, any facing, and for joints whose rest rotation in the clip is not the identity.
class BoneSpace {
public:
    BoneSpace(const Skeleton& skeleton, std::size_t node, const Armature& armature, const BoneMap& map);

    /// Rotation channel of the bone, relative to its rest. Linear in q, length and sign kept.
    [[nodiscard]] glm::dquat rotation_to_bone(const glm::dquat& clip) const {
        return before_ * clip * after_;
    }
    [[nodiscard]] glm::dquat rotation_to_clip(const glm::dquat& bone) const {
        return glm::conjugate(before_) * bone * glm::conjugate(after_);
    }

    /// Location channel of the bone in metres.
    [[nodiscard]] glm::dvec3 location_to_bone(const glm::dvec3& clip) const;
    [[nodiscard]] glm::dvec3 location_to_clip(const glm::dvec3& bone) const;

private:
    glm::dquat facing_;
    glm::dquat before_{1, 0, 0, 0};
    glm::dquat after_{1, 0, 0, 0};
    glm::dquat location_axes_{1, 0, 0, 0};
    glm::dvec3 rest_offset_{0, 0, 0};  ///< from the parent joint to this one, armature space
    glm::dvec3 clip_rest_{0, 0, 0};
    bool absolute_ = false;  ///< the parent joint has a bone: positions count from its head
};

}  // namespace animbridge::rig
