// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/vec3.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/base.h"
#include "model/clip/clip.h"

/// An armature as a scene describes it, the joints that its bones stand for, and skeletons made of it.
///
/// Lengths are in the armature's units, matrices in armature space; a bone points along its Y axis, as in
/// Blender.
namespace animbridge::rig::armature {

// ---- an armature ----

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
    scale = 10,    ///< only of curves that the library makes
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

// ---- bones and joints by name (docs/rig-maps.md) ----

/// Names of equal rank, each for one joint.
struct NameTable {
    std::string from;     ///< the source of the names, for reports
    bool folded = false;  ///< matched without namespace, prefixes and case
    std::unordered_map<std::string, std::size_t> node_of;
    /// The table applies only to armatures with a bone of one of these names, folded. Empty: to all.
    std::vector<std::string> only_with{};
};

/// Assigns names to the nodes of a skeleton.
struct RigMap {
    std::string name;
    std::vector<NameTable> tables;      ///< best first
    std::size_t own_tables = 0;         ///< how many come first: names in the map, and joints' own names
    NameTable below_parent;             ///< for bones whose parent has the parent joint's name
    std::vector<std::string> prefixes;  ///< in lower case
};

/// Reads a map from JSON. ErrorCode::bad_value with the member: a joint that the skeleton lacks, one name for
/// two joints, a wrong type, or an unknown member.
[[nodiscard]] Result<RigMap> read_rig_map(std::string_view json, const Skeleton& skeleton);

/// The built-in map for the joints of the avatar.
[[nodiscard]] std::string_view built_in_rig_map_json();

/// The pairs of bones and joints.
struct BoneMap {
    std::vector<std::optional<std::size_t>> bone_of_node;  ///< per node of the skeleton
    std::vector<std::optional<std::size_t>> node_of_bone;  ///< per bone
    std::vector<std::string_view> by;  ///< per bone with a node: the table's `from`, in the rig map
};

/// Assigns bones to joints. A bone belongs to the joint of the best table that has its name. If several bones
/// belong to a joint, the bone of the best table is used; if several are equally good, ErrorCode::bad_value
/// lists them. `map` must outlive the result.
[[nodiscard]] Result<BoneMap> map_bones(const Skeleton& skeleton, const Armature& armature,
                                        const RigMap& map);

/// Like map_bones, but leaves out joints with several equally good bones.
[[nodiscard]] BoneMap map_clear_bones(const Skeleton& skeleton, const Armature& armature, const RigMap& map);

/// The name in lower case, without the namespace up to its last colon and without one of the prefixes.
[[nodiscard]] std::string folded_name(std::string_view name, const std::vector<std::string>& prefixes);

/// The pairs of a file's joints and an armature's bones.
struct JointMatch {
    std::vector<std::optional<std::size_t>> bone_of_joint;
    std::vector<std::optional<std::size_t>> joint_of_bone;
};

/// A joint of a file. `parent` is the index of an earlier joint.
struct NamedJoint {
    std::string name;
    std::optional<std::size_t> parent{};
};

/// Pairs joints and bones with equal names.
[[nodiscard]] JointMatch match_by_names(const std::vector<NamedJoint>& joints, const Armature& armature);

/// Like match_by_names; then pairs the others by names that are equal without case, namespace and the map's
/// prefixes; then by names that the map assigns to the same joint of the avatar. Leaves out ambiguous pairs.
[[nodiscard]] JointMatch match_by_rig_map(const std::vector<NamedJoint>& joints, const Armature& armature,
                                          const Skeleton& avatar, const RigMap& map);

// ---- an armature of a scene ----

/// An armature of a scene, and the rig map for its bones.
struct SceneRig {
    Armature armature{};              ///< facing is +X if `finds_facing`
    bool finds_facing = true;         ///< find the facing from the bones
    const Skeleton* avatar{};         ///< has the joints that the rig map names; must outlive this
    const RigMap* built_in_map{};     ///< must outlive this
    std::optional<RigMap> own_map{};  ///< the caller's, instead of the built-in one

    [[nodiscard]] const RigMap& map() const { return own_map ? *own_map : *built_in_map; }
};

/// The armature with its facing, and its bones paired with the avatar's joints. The SceneRig must outlive it.
struct MappedRig {
    Armature armature;
    BoneMap map;
};

/// ErrorCode::bad_value: several bones are equally good for one joint.
[[nodiscard]] Result<MappedRig> mapped(const SceneRig& rig);

// ---- values of bones and values of joints ----

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

// ---- an armature as a skeleton of its own, for functions that work on any skeleton ----

struct ArmatureSkeleton {
    /// A node for each bone, parents first, in armature space. No node has a rest rotation, so a clip's
    /// rotations lead from the rest pose to the pose, whatever the bones' axes.
    Skeleton skeleton;
    Armature armature;  ///< the same bones; the clip space is armature space
    BoneMap map;        ///< each bone with its node
};

[[nodiscard]] ArmatureSkeleton skeleton_of(const Armature& armature);

/// Each node's local rotation in a pose. `matrices`: [bone][16], column-major, armature space.
/// ErrorCode::bad_value names the bone whose matrix is not a transform.
[[nodiscard]] Result<std::vector<glm::dquat>> local_rotations(const ArmatureSkeleton& skeleton,
                                                              std::span<const float> matrices);

// ---- a skeleton as bones ----

/// Blender's limit for a bone's name.
inline constexpr std::size_t most_name_bytes = 63;

/// One bone name per joint: valid UTF-8, without control characters, not empty, at most most_name_bytes long,
/// and made unique by ".001" and so on.
[[nodiscard]] std::vector<std::string> bone_names(std::span<const std::string> joint_names);

/// A joint that becomes a bone. Positions are in armature space, in metres.
struct BoneEnds {
    std::optional<std::size_t> parent{};  ///< the index of an earlier joint
    glm::dvec3 head{0, 0, 0};
    glm::dvec3 targets{0, 0,
                       0};  ///< the sum of the positions at which the bone points, such as children's heads
    double target_count = 0;

    void point_at(const glm::dvec3& place) {
        targets += place;
        target_count += 1.0;
    }
    /// The mean of the targets; the head if there are none.
    [[nodiscard]] glm::dvec3 target() const { return target_count > 0.0 ? targets / target_count : head; }
};

/// Each bone's tail: the point at which the bone points, never its head. A bone without a target continues
/// its parent's direction. `size_without_any`: the length of bones if all positions are equal.
[[nodiscard]] std::vector<glm::dvec3> bone_tails(std::span<const BoneEnds> joints, double size_without_any);

// ---- rest rotations, which BoneSpace does not expect, out of a clip and back ----
// Both ways are linear in each row, so keys and handles keep their times, and segments
// their shape. Tracks of single numbers stay unchanged: neither their joint nor a joint above it may have a
// rest rotation.

/// The motion with joints that rest along the axes of clip space.
[[nodiscard]] Clip without_rest_turns(Clip clip);

/// The inverse: `rest_world` has a unit rotation for each node, in clip space. The clip's own joints must
/// rest along the axes of clip space.
[[nodiscard]] Clip with_rest_turns(Clip clip, std::span<const glm::dquat> rest_world);

}  // namespace animbridge::rig::armature
