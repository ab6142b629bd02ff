// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/base.h"
#include "base/options/options.h"
#include "formats/mrtk/edit/edit.h"
#include "formats/mrtk/file/file.h"
#include "formats/mrtk/hands/hands.h"
#include "formats/mrtk/play/play.h"
#include "model/clip/clip.h"
#include "model/compare/compare.h"
#include "rig/curves/curves.h"

/// A recording as a clip and back: key for key on nodes that are poses, or as the motion of hands.
namespace animbridge::mrtk::clip {

// ---- key for key ----

/// What to do with a quaternion that changes its sign from key to key.
enum class Signs : std::uint8_t {
    continuous,   ///< negate it, so that the joint rotates as it was recorded
    as_recorded,  ///< keep it; the joint tumbles, as in MRTK
};

/// Each curve as a track with its keys, tangents and weights, on the nodes of exact_rig(). A clip cannot hold
/// wrap modes that repeat. The document must be playable.
[[nodiscard]] Clip to_clip(const file::Document& document, const play::Player& player,
                           const hands::HandRig& rig, Signs signs);

/// Adds the tracks of the gaze's origin (gaze_pose) or direction (gaze_direction_pose), key for key.
void add_gaze_tracks(const play::Player& player, std::size_t pose, std::size_t node, Clip& clip);

struct FromClip {
    edit::NewRecording recording{};       ///< the curves of the clip's nodes, and its markers
    std::vector<std::string> left_out{};  ///< nodes that a recording does not have
};

/// Nodes are poses by their names (pose_name()), and properties are switches by theirs. A node without a
/// parent keeps its tracks' keys unchanged; the world pose of any other gets linear keys wherever its chain
/// has one. Times become single precision.
[[nodiscard]] FromClip from_clip(const Clip& clip);

// ---- the form that a recording takes in a scene ----

struct RigChoice {
    bool is_exact = true;  ///< a bone per pose, without parents; else hands
    hands::HandRest rest{};
    Signs signs = Signs::continuous;  ///< for an exact rig
    /// Only for skeleton_options(): the names to test with is_character().
    std::optional<std::vector<std::string>> bone_names{};
};

/// "rig", "signs", "rest" and "rest_seconds". `for_clip`: the table "to_clip", whose default rig is hands.
[[nodiscard]] Result<RigChoice> rig_choice_from(const Json& options, bool for_clip);
[[nodiscard]] std::span<const Option> rig_options(bool for_clip);
/// The table "skeleton": that of a scene, and "bone_names".
[[nodiscard]] Result<RigChoice> skeleton_choice_from(const Json& options);
[[nodiscard]] std::span<const Option> skeleton_options();

// ---- bones that are poses of a recording, by their names (pose_name(), "Gaze", "GazeDirection") ----

/// Pairs bones with the skeleton's nodes of the same names.
[[nodiscard]] rig::armature::BoneMap bones_by_name(const Skeleton& skeleton,
                                                   const rig::armature::Armature& armature);

/// A node for each bone that has the name of a pose, at its rest position in the armature, without parents
/// except for the gaze's direction. `exported`: per bone, 0 leaves it out; empty: all are in. A gaze's origin
/// and direction are only in together.
[[nodiscard]] hands::HandRig rig_of_bones(const rig::armature::Armature& armature,
                                          std::span<const std::uint8_t> exported = {});

// ---- hands whose bones form a hierarchy ----

struct HandMotion {
    Clip clip{};
    /// The largest difference between the clip and the recording, over all joints and times.
    WorstDifference difference{};

    /// A sentence if the difference is above hand_bound_mm or hand_bound_degrees.
    [[nodiscard]] std::optional<std::string> warning() const;
};

/// What the recording means (ShownPose::meant) on the rig. All joints of a hand have linear keys wherever one
/// of them has a key, and inserted ones between (shared_times()). Tracks of the switches are steps.
[[nodiscard]] HandMotion hand_motion(const file::Document& document, const play::Player& player,
                                     const hands::HandRig& rig);

/// Adds the tracks of the switches, as steps, and the markers. A clip without nodes gets no tracks.
void add_switches_and_markers(const file::Document& document, const play::Player& player, Clip& clip);

}  // namespace animbridge::mrtk::clip
