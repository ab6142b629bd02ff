// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "formats/bvh/file/file.h"
#include "model/clip/clip.h"
#include "model/compare/compare.h"
#include "rig/armature/armature.h"

/// A BVH as a clip and back: axes and unit, channels to quaternions, rest pose, size, and where the character
/// looks (docs/bvh.md).
namespace animbridge::bvh::clip {

// ---- axes and unit ----

/// A rotation by quarter turns: placed[i] = sign[i] * file[source[i]]. Right-handed, and exact in both
/// directions.
struct Axes {
    std::array<std::uint8_t, 3> source{0, 1, 2};
    std::array<double, 3> sign{1.0, 1.0, 1.0};

    [[nodiscard]] glm::dvec3 place(const glm::dvec3& file) const {
        return {sign[0] * file[source[0]], sign[1] * file[source[1]], sign[2] * file[source[2]]};
    }
    [[nodiscard]] Axes inverse() const;
    /// These axes, then rotated by quarter turns about the placed Z, from X towards Y.
    [[nodiscard]] Axes rotated(std::size_t quarters) const;
    /// The file's axis that becomes +Y, named as in axes_of.
    [[nodiscard]] std::string forward() const;
    /// The file's axis that becomes +Z, named as in axes_of.
    [[nodiscard]] std::string up() const;

    bool operator==(const Axes&) const = default;
};

/// The rotation that takes the file's axes `forward` and `up` ("X", "-X", "Y", ...) to Blender's +Y and +Z.
/// Null if a name is unknown or both name the same axis.
[[nodiscard]] std::optional<Axes> axes_of(std::string_view forward, std::string_view up);

/// From a file to the scene: the axes first, then the scale.
struct Placement {
    Axes axes{};
    double scale = 1.0;  ///< metres per unit of the file, above 0

    [[nodiscard]] glm::dvec3 place(const glm::dvec3& file) const { return axes.place(file) * scale; }
};

// ---- a document to a clip and back ----

/// Larger numbers (in metres or seconds) are refused: they are surely mistakes, and would overflow.
inline constexpr double largest_number = 1e30;

/// The animation in clip space. Nodes are the joints, at rest at their offsets, without rotation. A joint
/// with rotation channels gets a rotation track with continuous signs; one with position channels gets a
/// translation track. Keys are at the frames; scale channels are left out. ErrorCode::bad_value: a position
/// or time beyond largest_number.
[[nodiscard]] Result<Clip> to_clip(const file::Document& document, const Placement& placement);

/// With `frame_seconds` between frames instead of the file's frame time, for files without one.
[[nodiscard]] Result<Clip> to_clip(const file::Document& document, const Placement& placement,
                                   double frame_seconds);

/// How a clip becomes a file.
struct FromClip {
    Placement placement{};  ///< as in to_clip: from the file to the clip
    double frame_time_seconds = 1.0 / 30.0;
    std::size_t frame_count = 0;
    std::vector<std::vector<file::ChannelKind>>
        channels{};  ///< per node; at most one rotation about each axis
    std::vector<std::vector<file::EndSite>>
        end_sites{};                      ///< per node, in the file's axes and unit; empty for none
    std::optional<int> angle_decimals{};  ///< for rounding degrees; null: no rounding
    std::optional<int> place_decimals{};  ///< for rounding offsets and positions
};

/// The document whose frame i shows the clip at i * frame_time_seconds; before the first key and after the
/// last, values are held. Bezier keys are read as linear ones. Its joints are the clip's nodes in the same
/// order, which must be depth first. Angles are continuous. A node with fewer than three rotation channels
/// gets the nearest rotation that they can show (see can_hold); one without position channels loses its
/// translations. Scale channels are 1.
[[nodiscard]] file::Document from_clip(const Clip& clip, const FromClip& options);

/// Whether rotations about these axes (0, 1, 2 for the file's x, y, z; in channel order, each once) can show
/// every key of the track within 0.001 degrees.
[[nodiscard]] bool can_hold(const Track& rotation, const Axes& axes, const std::vector<std::uint8_t>& turns);

// ---- size, and the way the character looks ----

/// The root's rest height above the lowest joint or end site, along the axis that becomes Z, in the file's
/// unit.
[[nodiscard]] double hip_height(const file::Document& document, std::size_t root, const Axes& axes);

/// Returns the axes, rotated by quarter turns about the armature's Z so that the matched joints are nearest
/// to their bones at rest. Keeps the axes unless another rotation is clearly better.
[[nodiscard]] Axes rotated_like(const rig::armature::Armature& armature, const file::Document& document,
                                const Axes& axes, const rig::armature::JointMatch& match);

/// The height of a file's figure at rest, and the scale at which it is as tall as a human.
struct HumanScale {
    double height = 0.0;  ///< in the file's unit; 0: all joints rest at one point
    double scale = 1.0;   ///< metres per unit of the file
};

/// If the figure is 1 m to 2.5 m tall in metres, centimetres or inches, the scale is exactly that unit's.
/// Otherwise it makes the figure 1.75 m tall, rounded to three digits. `axes` define which way is up. For a
/// figure that rests flat, its longest side is its height. Without a height, the scale is 1.
[[nodiscard]] HumanScale human_scale(const file::Document& document, const Axes& axes);

/// Whether the joints' names and positions identify hips and legs, so that a human scale makes sense.
[[nodiscard]] bool has_body(const file::Document& document, const Axes& axes);

// ---- two documents ----

/// Plays both files at each frame time of either and at the midpoints between them, holding each file's last
/// pose after its end. If either file has no frame time (0 or less), both play one frame per second. Joints
/// match by name; joints with the same name match in order. A joint that only one file has is listed as such.
/// Positions are along the files' axes; a BVH does not state its unit, so one unit counts as a metre.
/// ErrorCode::bad_value: a position or time beyond largest_number. Time is linear in times * joints that
/// move, or have an ancestor that moves.
[[nodiscard]] Result<Comparison> compare(const file::Document& a, const file::Document& b, const Job& job);

// ---- a document's skeleton as bones ----

/// A name for each joint, made by rig::armature::bone_names.
[[nodiscard]] std::vector<std::string> bone_names(const file::Document& document);

/// A joint's rest pose in armature space.
struct RestJoint {
    std::string name;  ///< from bone_names
    glm::dvec3 head{0, 0, 0};
    glm::dvec3 tail{0, 0, 0};  ///< the mean of the children's heads and the end sites; never at the head
};

/// ErrorCode::bad_value: a joint rests beyond largest_number.
[[nodiscard]] Result<std::vector<RestJoint>> rest_joints(const file::Document& document,
                                                         const Placement& placement);

/// Blender's Euler order whose angles equal those of rotation channels about `axes` (0, 1, 2 for x, y, z; in
/// file order): the file's first axis turns last. Missing axes take positions where they change nothing. Null
/// if an axis repeats.
[[nodiscard]] std::optional<rig::armature::BoneChannel> euler_order_of(const std::vector<std::uint8_t>& axes);

/// "YXZ" for BoneChannel::euler_yxz; "" for other channels.
[[nodiscard]] std::string_view letters_of(rig::armature::BoneChannel order);

/// The matrix from the file's axes to those of a bone with rest rotation `rest`. Exact for quarter turns,
/// because it undoes float rounding of the rest rotation.
[[nodiscard]] glm::dmat3 axes_to_bone(const Axes& axes, const glm::dquat& rest);

// ---- motion in blocks of frames ----
// One array per component, so that compilers use vector registers. Only additions, multiplications and exact
// steps, so the bits are the same on every processor and with every mathematics library.

inline constexpr std::size_t block_frames = 64;

using Lane = std::array<double, block_frames>;

/// Unit quaternions w, x, y, z.
struct QuaternionBlock {
    alignas(64) std::array<Lane, 4> parts;
};

struct HalfAngles {
    alignas(64) Lane sine;
    alignas(64) Lane cosine;
};

/// Sine and cosine of half of each angle, within 3 units in the last place, for any finite angle. Whole turns
/// are removed exactly, so multiples of 90 degrees give exact zeros and ones, or the double nearest to
/// sqrt(1/2).
void half_angles(const Lane& degrees, HalfAngles& out);

/// The product of rotations about x, y or z (0, 1, 2), the first one leftmost: degrees[i] about axes[i].
/// Without axes it is the identity; an axis may repeat.
void rotations_of(std::span<const std::uint8_t> axes, std::span<const Lane> degrees, QuaternionBlock& out);

/// Positions x, y, z in the parent's frame, in the file's unit.
struct PositionBlock {
    alignas(64) std::array<Lane, 3> parts;
};

/// Evaluates the channels of one joint, in the file's axes, one block of frames at a time. A position channel
/// replaces the OFFSET on its axis. If a channel is repeated, the last position wins and every rotation
/// applies. Scale channels are ignored. Refers to the document, which must outlive it.
class JointMotion {
public:
    /// `first_column`: from Document::first_columns.
    JointMotion(const file::Document& document, std::size_t joint, std::size_t first_column);

    [[nodiscard]] bool rotates() const { return !axes_.empty(); }
    [[nodiscard]] bool moves() const { return position_columns_ != Columns{}; }
    /// The axes of the rotation channels in file order (0, 1, 2 for x, y, z), and their columns.
    [[nodiscard]] const std::vector<std::uint8_t>& axes() const { return axes_; }
    [[nodiscard]] const std::vector<std::size_t>& angle_columns() const { return angle_columns_; }

    /// Frames first to first + count - 1, count <= block_frames; the content of the remaining lanes is
    /// unspecified.
    void rotations(std::size_t first, std::size_t count, QuaternionBlock& out) const;
    void positions(std::size_t first, std::size_t count, PositionBlock& out) const;

private:
    using Columns = std::array<std::optional<std::size_t>, 3>;

    const double* motion_;
    std::size_t width_;
    file::Offset offset_;
    std::vector<std::uint8_t> axes_;
    std::vector<std::size_t> angle_columns_;
    Columns position_columns_{};
};

/// One per joint, in file order.
[[nodiscard]] std::vector<JointMotion> joint_motions(const file::Document& document);

/// Keeps quaternion signs continuous across blocks: flips each quaternion into the hemisphere of the one
/// before.
class SignKeeper {
public:
    void follow(QuaternionBlock& block, std::size_t count);

private:
    std::array<double, 4> last_{1.0, 0.0, 0.0, 0.0};
};

/// The path from the joint of the nearest matched ancestor bone to a joint: up to the common ancestor, then
/// down. Without such a bone, it starts outside the root.
struct JointPath {
    std::size_t joint = 0;
    bool from_root = false;         ///< no ancestor bone has a joint
    std::vector<std::size_t> up;    ///< in path order, starting with the ancestor bone's joint
    std::vector<std::size_t> down;  ///< in path order, ending with `joint`

    /// Whether the path is only the joint's own motion.
    [[nodiscard]] bool is_single() const { return up.empty() && down.size() == 1; }
};

/// The path for a bone that has a joint.
[[nodiscard]] JointPath path_of_bone(std::size_t bone, const file::Document& document,
                                     const rig::armature::Armature& armature,
                                     const rig::armature::JointMatch& match);

/// A joint's transform relative to the beginning of its path, one block of frames at a time, in the file's
/// axes and unit.
struct PathBlock {
    QuaternionBlock rotations;
    PositionBlock positions;
};

/// Frames first to first + count - 1; fills the positions only if `with_positions`.
void follow_path(const JointPath& path, const std::vector<JointMotion>& motions, bool with_positions,
                 std::size_t first, std::size_t count, PathBlock& out);

}  // namespace animbridge::bvh::clip
