// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "model/clip/clip.h"
#include "rig/humanoid/humanoid.h"
#include "rig/retarget/retarget.h"

/// What a retarget starts from: the parts of a body on both sides, their reference postures, and the turns
/// between their directions. Clip space, metres.
namespace animbridge::rig::retarget {

// ---- the parts that both rigs have ----

/// How a part's motion is distributed over its target joints.
enum class PartKind : std::uint8_t {
    limb,   ///< rigid: all joints point the same way, and only the twist is distributed
    chain,  ///< bends: the turn is distributed along its length
};

/// A part that both rigs have: the source's joints that move it, and the target's joints for it.
struct Part {
    std::string name;                     ///< the name of a slot or a chain, or of a chain with a number
    std::vector<std::size_t> source;      ///< joints, top first; at least one
    std::vector<std::size_t> target;      ///< joints, top first; at least one
    std::optional<std::size_t> parent{};  ///< index of the part above it
    std::optional<std::size_t> toward{};  ///< index of the part at whose head it points
    PartKind kind = PartKind::limb;
    std::string row{};     ///< the bending row that it belongs to, such as "spine" or "leftIndex"; "": none
    bool is_held = false;  ///< keeps the target's reference pose; the parts below move relative to it
    bool carries = false;  ///< its joint gets the body's path as a translation
};

struct Parts {
    std::vector<Part> parts;
    std::optional<std::size_t> body;          ///< the part with the body's path: the hips if both have them
    std::vector<std::string> only_in_source;  ///< names of slots and chains
    std::vector<std::string> only_in_target;

    [[nodiscard]] const Part* find(std::string_view name) const;
};

/// Some of the parts' names, for messages.
[[nodiscard]] std::string names_of(const Parts& parts);

/// Whether the node `upper` is `lower` or one of its ancestors.
[[nodiscard]] bool is_at_or_above(const Skeleton& skeleton, std::size_t upper, std::size_t lower);

/// Pairs the slots and chains of two rigs by their names; uses the skeleton of `clip` and which of its joints
/// have keys. ErrorCode::invalid_argument if a map names a joint that the skeleton lacks, or one joint twice,
/// or if `options` names an unknown slot; ErrorCode::rejected if the rigs have no part in common.
[[nodiscard]] Result<Parts> match_parts(const Clip& clip, const humanoid::FoundRig& source_rig,
                                        const Skeleton& target, const humanoid::FoundRig& target_rig,
                                        const RetargetOptions& options);

/// The joint at which a part points, in the source or the target; nullopt if none is known.
[[nodiscard]] std::optional<std::size_t> aimed_source_joint(const Parts& parts, std::size_t part);
[[nodiscard]] std::optional<std::size_t> aimed_target_joint(const Parts& parts, std::size_t part);

/// Whether the track ever takes its joint farther from the rest pose than `most`: metres, or the chord of a
/// turn, which is 2 sin(angle / 4). Files have keys for joints that stay, such as the tips of fingers.
[[nodiscard]] bool leaves_rest(const Track& track, const Skeleton& skeleton, double most);

/// Takes out the tracks of fingers, eyes, jaws, tails and other chains that stay within 0.1 degrees of rest
/// through the whole clip: their keys show nothing, and would freeze the wearer's own fingers or tail. A
/// finger, or a chain, goes as a whole or not at all. What stays in another pose keeps its keys, and so do
/// spine, neck, head, arms and legs. Nothing is taken out of a clip that would have no tracks left.
void leave_out_still_parts(const Parts& parts, Clip& clip);

// ---- the source's motion ----

/// ErrorCode::invalid_argument: a joint comes before its parent. ErrorCode::bad_value: a joint's rest pose is
/// not a finite rotation and place. `which` is "source" or "target", for messages.
[[nodiscard]] Result<void> check_rest(const Skeleton& skeleton, const std::string& which);
/// ErrorCode::invalid_argument: a track moves a joint that the skeleton lacks. ErrorCode::bad_value: a key is
/// not finite.
[[nodiscard]] Result<void> check_tracks(const Clip& clip);

/// Whether the quaternion is near unit length.
[[nodiscard]] bool is_rotation(const glm::dquat& q);

/// A clip with rows of linear keys; a copy only if it has others. The clip must outlive it.
class LinearSource {
public:
    explicit LinearSource(const Clip& clip);
    [[nodiscard]] const Clip& clip() const { return *clip_; }

private:
    std::optional<Clip> sampled_;
    const Clip* clip_;
};

/// Joints of planted legs get keys at least this often.
inline constexpr double planted_step_seconds = 1.0 / 30.0;

/// The source's joints in clip space at all times at which one of them has a key.
struct SourceMotion {
    std::vector<double> times;           ///< ascending; at least one
    std::vector<std::size_t> column_of;  ///< per node of the skeleton; set only for recorded nodes
    std::size_t width = 0;               ///< number of recorded nodes
    std::vector<Transform> world;        ///< a row of `width` for each time

    [[nodiscard]] const Transform& at(std::size_t frame, std::size_t node) const {
        return world[frame * width + column_of[node]];
    }
};

/// Plays the clip, whose tracks are linear rows, at the key times of `nodes` and of their ancestors. Adds
/// times so that two are at most `most_seconds_apart` apart, or more in a clip that is very long for its
/// keys. ErrorCode::cancelled if the job's caller cancels.
[[nodiscard]] Result<SourceMotion> record_motion(const Clip& clip, const std::vector<std::size_t>& nodes,
                                                 double most_seconds_apart, const Job& job);

/// The key times of some tracks as one ascending list. If only some of them hold their values between keys,
/// each jump of these gets a time just before it, so that lines between the keys show the jump.
[[nodiscard]] std::vector<double> union_of_key_times(const std::vector<const Track*>& tracks);

/// Whether every track holds its values between keys.
[[nodiscard]] bool all_hold(const std::vector<const Track*>& tracks);

// ---- postures ----

/// A skeleton in one pose. Translations are those of the rest pose.
struct Posture {
    std::vector<glm::dquat> local;  ///< per node, in the parent's frame
    std::vector<Transform> world;   ///< per node, clip space

    [[nodiscard]] const glm::dvec3& head(std::size_t node) const { return world[node].translation; }
};

[[nodiscard]] Posture posture_of(const Skeleton& skeleton, std::vector<glm::dquat> local);

/// The posture of a reference. `which` is "source" or "target", for messages. ErrorCode::invalid_argument if
/// there is not one rotation per joint, or a rotation is not finite or has no length.
[[nodiscard]] Result<Posture> reference_posture(const Skeleton& skeleton, const humanoid::FoundRig& rig,
                                                const Reference& reference, const std::string& which);

/// Unit vectors to a body's front and left, horizontal, in clip space.
struct Heading {
    glm::dvec3 forward{1, 0, 0};
    glm::dvec3 left{0, 1, 0};
};

/// From pairs of left and right joints of legs, arms or shoulders; nullopt if the rig has no such pair, or if
/// it is vertical.
[[nodiscard]] std::optional<Heading> heading_of(const humanoid::FoundRig& rig, const Posture& posture);

/// The unit vector from the right to the left hip, and from the right to the left side of the chest, clip
/// space; nullopt if the rig has no such pair, or both joints are at one position.
[[nodiscard]] std::optional<glm::dvec3> hip_line(const humanoid::FoundRig& rig, const Posture& posture);
[[nodiscard]] std::optional<glm::dvec3> shoulder_line(const humanoid::FoundRig& rig, const Posture& posture);

/// The height in metres of the lowest of these joints; if there are none, of the lowest joint of all.
[[nodiscard]] double lowest_height(const std::vector<std::size_t>& joints,
                                   const std::vector<Transform>& world);

inline constexpr std::array<std::string_view, 8> foot_slots = {
    "leftFoot", "leftToes", "leftToeTip", "leftHeel", "rightFoot", "rightToes", "rightToeTip", "rightHeel"};

/// The joints in foot_slots that the rig has.
[[nodiscard]] std::vector<std::size_t> foot_joints(const humanoid::FoundRig& rig);

// ---- rotations between directions ----

/// The unit vector; nullopt if the vector is not longer than `shortest`.
[[nodiscard]] std::optional<glm::dvec3> direction_of(const glm::dvec3& vector, double shortest = 1e-9);

/// The smallest rotation from the unit vector `from` to the unit vector `to`. For opposite vectors, the axis
/// is any perpendicular one.
[[nodiscard]] glm::dquat swing_between(const glm::dvec3& from, const glm::dvec3& to);

/// The part of a rotation that is about the unit axis: rotation = swing * twist.
[[nodiscard]] glm::dquat twist_about(const glm::dquat& rotation, const glm::dvec3& axis);

/// The rotation to the power of `share`, 0 to 1, on the side of the quaternion's own sign.
[[nodiscard]] glm::dquat share_of(const glm::dquat& rotation, double share);

/// A turn as a rotation vector, of up to half a turn, and back.
[[nodiscard]] glm::dvec3 vector_of(const glm::dquat& turn);
[[nodiscard]] glm::dquat turn_by(const glm::dvec3& vector);

/// The rotation about the unit axis that brings `from` as close as possible to `to`, seen along the axis;
/// nullopt if one of them points along the axis.
[[nodiscard]] std::optional<glm::dquat> roll_between(const glm::dvec3& from, const glm::dvec3& to,
                                                     const glm::dvec3& axis);

/// The orientation whose x axis is the unit vector `direction`, and whose y axis is as close as possible to
/// `across`; nullopt if they are parallel.
[[nodiscard]] std::optional<glm::dquat> frame_of(const glm::dvec3& direction, const glm::dvec3& across);

/// A limb of two bones. All places are from its head.
struct TwoBones {
    glm::dvec3 middle{0, 0, 0};  ///< knee or elbow
    glm::dvec3 end{0, 0, 0};     ///< ankle or wrist
    double longest = 0;          ///< how far the end may be
    /// The side to which a straight limb bends, perpendicular to it as far as that matters; 0: to none.
    glm::dvec3 bends_to{0, 0, 0};
};

/// Turns of both bones, in clip space: they come after the bones' own rotations.
struct BentBones {
    glm::dquat upper{1, 0, 0, 0};
    glm::dquat lower{1, 0, 0, 0};
    bool reaches = false;  ///< whether the end is at the wanted place
};

/// Brings the end of a limb to `wanted`, as far as it reaches. The middle stays in its plane. nullopt: a
/// bone, or one of the ways from head to end, has no length.
[[nodiscard]] std::optional<BentBones> bend_limb(const TwoBones& limb, const glm::dvec3& wanted);

/// The angle between two unit vectors in degrees, precise for small angles.
[[nodiscard]] double angle_of_directions_degrees(const glm::dvec3& a, const glm::dvec3& b);

/// From 0 to 1 as the share goes from 0 to 1, level at both ends and beyond them.
[[nodiscard]] inline double smooth_step(double share) {
    const double x = std::clamp(share, 0.0, 1.0);
    return x * x * (3.0 - 2.0 * x);
}

/// The quaternion with the sign that is closer to `other`.
[[nodiscard]] inline glm::dquat with_sign_of(const glm::dquat& q, const glm::dquat& other) {
    return glm::dot(q, other) < 0.0 ? -q : q;
}

// ---- from the source's directions to the target's ----

/// The constant turn of each part from the source's directions to the target's: for a body, the turn about Z
/// between their headings; for a hand without a body, the turn between the hands. Adds to `warnings` if the
/// turn cannot be determined. ErrorCode::rejected if a map mixes up left and right.
[[nodiscard]] Result<std::vector<glm::dquat>> turns_of_parts(
    const Parts& parts, const humanoid::FoundRig& source_rig, const Posture& source,
    const humanoid::FoundRig& target_rig, const Posture& target, const RetargetOptions& options,
    std::vector<std::string>& warnings);

/// What the alignment did to one part.
struct PartAlignment {
    double degrees = 0;        ///< the turn of its first target joint, relative to the joint that carries it
    bool is_left_out = false;  ///< its direction may differ from the source part's: where torsos have their
                               ///< joints says little
};

/// The constant turns, per part, from directions of the source to directions of the target.
struct Alignment {
    std::vector<glm::dquat> turns;     ///< C per part: from the source's directions to the target's
    Posture target;                    ///< the target in the source's posture
    std::vector<PartAlignment> parts;  ///< per part
    std::vector<std::string> warnings;
};

/// Finds the turns between the rigs, and turns the target's reference until each part points in the same
/// direction as in the source: by the smallest swing, topmost joint first, then about a second axis if both
/// have one. Torso and neck turn as one each, and only if they differ by more than rigs usually do;
/// collarbones stay. ErrorCode::rejected if the left hip is on the right: the map mixes up the sides.
[[nodiscard]] Result<Alignment> align_rigs(const Parts& parts, const humanoid::FoundRig& source_rig,
                                           const Posture& source, const humanoid::FoundRig& target_rig,
                                           const Skeleton& target_skeleton, const Posture& target,
                                           const RetargetOptions& options);

}  // namespace animbridge::rig::retarget
