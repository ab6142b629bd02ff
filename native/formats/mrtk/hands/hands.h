// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/base.h"
#include "base/json/json.h"
#include "formats/mrtk/file/file.h"
#include "formats/mrtk/play/play.h"
#include "model/clip/clip.h"
#include "model/compare/compare.h"
#include "rig/armature/armature.h"
#include "rig/humanoid/humanoid.h"

/// Recorded hands as rigs: the hierarchy that world poses lack, a rest shape, the hands of characters, and
/// when joints need keys. Clip space, metres.
namespace animbridge::mrtk::hands {

// ---- the joints of a hand, and a hand for recordings that have no pose to rest in ----

/// The joint above, as in OpenXR. nullopt for the wrist and for None.
[[nodiscard]] std::optional<std::size_t> parent_of(std::size_t joint);

/// The joint that a joint's bone points to; for the wrist, the knuckle of the middle finger. nullopt for
/// tips, the palm and None.
[[nodiscard]] std::optional<std::size_t> next_of(std::size_t joint);

/// The length of a bone in metres if nothing else defines it: for a tip, or a joint without a next one.
inline constexpr double tip_length = 0.012;

/// A flat hand of an adult, by joint, in clip space with the wrist at the origin: the palm faces -Z, the
/// fingers point along +Y. As in recordings, each joint's +Y points to the fingertip, and its +Z out of the
/// back of the hand. The joint None is not part of it and stays at the origin.
///
/// Lengths of the bones: A. Buryanov and V. Kotiuk, "Proportions of Hand Segments", International Journal of
/// Morphology 28(3), 2010.
[[nodiscard]] std::array<Transform, file::joint_count> flat_hand(std::size_t hand);

// ---- a recording as two hands whose bones form a hierarchy, or as separate poses ----

/// The poses that make up a rig: the camera, the joints except None, and the gaze. Parents come first.
struct HandRig {
    Skeleton skeleton{};
    std::vector<std::size_t> pose_of_node{};  ///< gaze_pose and gaze_direction_pose for the gaze's two nodes
    std::vector<double> length_of_node{};     ///< of the bone at rest, in metres
};
/// Used instead of a pose's index.
inline constexpr std::size_t gaze_pose = file::pose_count;
inline constexpr std::size_t gaze_direction_pose = gaze_pose + 1;

/// In metres.
inline constexpr double camera_length = 0.1;

/// The rest pose of the rig's joints.
struct HandRest {
    bool is_flat = false;                ///< like flat_hand(), at the position of the first tracked frame
    std::optional<double> at_seconds{};  ///< none: the first time at which all of a hand's joints are tracked
};

/// The rig of the joints that the recording has; a joint's parent is the nearest joint above that it has.
[[nodiscard]] HandRig hand_rig(const play::Player& player, const HandRest& rest);

/// The rig of all poses that the recording has, each separate: a bone at the origin along +Y, whose values
/// are the pose in the world. Only the gaze's direction has a parent, its origin.
[[nodiscard]] HandRig exact_rig(const play::Player& player, const HandRest& rest);

/// Two complete hands without a recording: flat, side by side in front of a person of average height at the
/// origin.
[[nodiscard]] HandRig flat_hand_rig();

// ---- the hands of characters, whose bones have other names and axes ----

/// A joint that moves with a bone.
struct ForeignJoint {
    std::size_t pose = 0;  ///< its index in a recording
    std::size_t bone = 0;
    Transform local{};     ///< in the bone's frame
    bool has_bone = true;  ///< false: the bone is another joint's, and this one was placed on it
};

struct ForeignHands {
    std::vector<ForeignJoint> joints{};   ///< in the order of recordings
    std::vector<std::string> left_out{};  ///< sentences: hands and fingers that the armature lacks, and why
};

/// The joints of both hands. `found` says which bones are parts of hands; its joints
/// are the armature's bones.
///
/// `tails`: the end of each bone, in armature space; empty: along its Y axis. A tail at its bone's head is
/// ignored.
///
/// Positions are those of the bones' heads. Missing joints are placed by the proportions of flat_hand(): tips
/// at the end of the distal bone (at its tail, if that continues the finger's direction and is about as long
/// as a fingertip); metacarpals between wrist and knuckle; the palm in the middle of the middle finger's
/// metacarpal. A finger without all three phalanges (the thumb: all three of its bones) is left out, and so
/// is a hand without a wrist or with fewer than two knuckles, because the direction of its back is unknown.
///
/// Axes are those of recordings: at rest, +Y points to the next joint, and +Z out of the back of the hand,
/// which the line of the knuckles defines. In a pose, a joint turns like its bone.
[[nodiscard]] ForeignHands foreign_hands(const rig::armature::Armature& armature,
                                         const rig::humanoid::FoundRig& found,
                                         std::span<const glm::dvec3> tails = {});

struct FoundHands {
    std::vector<ForeignJoint> joints{};   ///< in the order of recordings; at least one hand's
    std::vector<std::string> warnings{};  ///< what is left out, and the warnings about the rig
    Json report{};  ///< "convention"; "bones": each joint's bone; "placed": joints without a bone of their
                    ///< own; "missing": joints of the hands that are not in the recording
};

/// Finds the hands of an armature. A hand with under half of its joints is left out. `rig_file`: the text of
/// a rig file (docs/rig-maps.md); empty: use names and positions. `tails`: as in foreign_hands().
/// ErrorCode::invalid_argument: there is no hand, and the message says what to do. ErrorCode::bad_value: the
/// rig file is wrong, or "tails" does not have one for each bone.
[[nodiscard]] Result<FoundHands> found_hands(const rig::armature::Armature& armature,
                                             const std::string& rig_file, std::span<const glm::dvec3> tails);

/// A clip's hands as poses of a recording.
struct FoundClip {
    /// A node without a parent for each joint, named as in recordings; also the camera and the gaze, if the
    /// skeleton has nodes of these names.
    Clip clip{};
    FoundHands hands{};
};

/// The hands of a clip's skeleton, posed in the world at the clip's key times and between them. Errors: as in
/// found_hands().
[[nodiscard]] Result<FoundClip> clip_of_found_hands(const Clip& clip, const std::string& rig_file);

// ---- when the joints of a hand need keys ----
// Wherever one of them has a key, and between those where arcs about the joints above leave the file's lines.

/// How far joints with linear keys may be from the recording, in the world.
inline constexpr double hand_bound_mm = 0.5;
inline constexpr double hand_bound_degrees = 0.25;

/// How long before its end a step is still held: more than the 0.01 frames within which newer Blender
/// versions merge keys. The bounds do not hold in this time.
inline constexpr double step_edge_seconds = 1e-3;

/// The most times that joints may share: this many, or times_per_row times as many as if each of their keys
/// belonged to a time at which all of them have keys. So memory grows in proportion to the file, whose keys
/// take 56 bytes per joint and such a time in version 1.1, and a clip's 72.
inline constexpr std::size_t fewest_most_times = 16384;
inline constexpr std::size_t times_per_row = 16;

/// The nodes of a rig that share their key times: the camera, or those of a hand. Parents come first and are
/// included.
class SharedPoses {
public:
    SharedPoses(const play::Player& player, const HandRig& rig, std::vector<std::size_t> nodes);

    [[nodiscard]] std::size_t size() const { return nodes_.size(); }
    [[nodiscard]] std::size_t node(std::size_t i) const { return nodes_[i]; }
    [[nodiscard]] std::size_t pose(std::size_t i) const { return poses_[i]; }
    [[nodiscard]] const play::Player& player() const { return player_; }

    /// The nodes' poses in the recording, in clip space.
    [[nodiscard]] std::vector<Transform> world(double seconds) const;
    /// The poses `world`, relative to the joints above.
    [[nodiscard]] std::vector<Transform> local(std::vector<Transform> world) const;
    /// The world poses that linear keys show between two keys.
    [[nodiscard]] std::vector<Transform> between(std::span<const Transform> left_local,
                                                 std::span<const Transform> right_local, double share) const;

private:
    const play::Player& player_;
    std::vector<std::size_t> nodes_;
    std::vector<std::size_t> poses_{};
    std::vector<std::optional<std::size_t>> parents_{};  ///< as indices in nodes_
};

struct SharedTimes {
    std::vector<double> seconds{};  ///< in order
    std::vector<bool> inserted{};   ///< per time: no joint has a key there
    JointDifference difference{};   ///< the largest that remains between the keys, in the world
};

/// Adds times until the joints are within the bounds, up to the most times.
[[nodiscard]] SharedTimes shared_times(const SharedPoses& poses);

}  // namespace animbridge::mrtk::hands
