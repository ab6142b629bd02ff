// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "base/base.h"
#include "formats/sl_anim/codes/codes.h"
#include "formats/sl_anim/file/file.h"
#include "model/clip/clip.h"
#include "model/compare/compare.h"

/// What the viewer shows of a `.anim` (docs/second-life-format.md, "Playback"): the player, and how far what
/// it shows is from another file or from a clip. Only for documents without a finding of class *rejected*.
/// Times are seconds, transforms metres and Hamilton quaternions, +X forward, +Y left, +Z up.
namespace animbridge::sl_anim::play {

// ---- the player ----

/// The viewer's clip time, and how strongly it shows the animation.
struct PlayState {
    float clip_seconds = 0;
    float weight = 0;  ///< 0..1, the ease against other animations; also 0 after the end
};

/// What the viewer shows for one file at full weight. Copies what it needs, so it may outlive the document.
class Player {
public:
    explicit Player(const file::Document& document);

    /// `seconds`: time since the start of the animation; `stop_seconds`: when a stop was requested, if it
    /// was.
    [[nodiscard]] PlayState state_at(double seconds, std::optional<double> stop_seconds = std::nullopt) const;

    /// An animated joint: its first record in the file.
    struct AnimatedJoint {
        std::string name;                  ///< as in the file
        std::optional<std::size_t> joint;  ///< index into skeleton(); null if the viewer does not know it
        codes::RotationKeys rotation;      ///< as played; empty if the file does not rotate the joint
        codes::PositionKeys position;
    };
    [[nodiscard]] const std::vector<AnimatedJoint>& joints() const { return joints_; }

    /// Local transforms of all joints of skeleton() at a clip time. Joints that the file does not move are at
    /// rest, with mPelvis at 0.
    [[nodiscard]] std::vector<Transform> local_pose(float clip_seconds) const;

    /// local_pose in the frame of mRoot.
    [[nodiscard]] std::vector<Transform> world_pose(float clip_seconds) const;

    [[nodiscard]] float duration_seconds() const { return duration_; }

    /// Turns local transforms into transforms in the frame of mRoot.
    [[nodiscard]] static std::vector<Transform> to_world(std::vector<Transform> local);

private:
    [[nodiscard]] float playing_time(float seconds) const;
    [[nodiscard]] std::optional<float> self_stop() const;
    [[nodiscard]] float requested_stop(float now) const;
    [[nodiscard]] float weight_at(float seconds, std::optional<float> stop) const;

    float duration_;
    bool loop_;
    float loop_in_;
    float loop_out_;
    float ease_in_;
    float ease_out_;
    std::vector<AnimatedJoint> joints_;
};

// ---- how far apart ----

/// The times that `compare` samples: 0, the file's key times, and the midpoints between neighbours.
[[nodiscard]] std::vector<float> key_times_and_midpoints(const file::Document& document);

/// Plays both files at full weight, at all their key times and at the midpoints between them. Joints are in
/// skeleton order, positions in the frame of mRoot. Counts counted_joints() of both files' tracks. Joints
/// that the viewer does not know are not measured; a joint that only one file has is listed as such.
[[nodiscard]] Result<Comparison> compare(const file::Document& a, const file::Document& b, const Job& job);

/// Like compare, at `times_seconds`, which ascend.
[[nodiscard]] Result<Comparison> compare_at(const file::Document& a, const file::Document& b,
                                            const std::vector<float>& times_seconds, const Job& job);

/// How far a file is from the clip that it was made from.
struct Measured {
    WorstDifference worst{};  ///< if there is no error, it names the first joint that counts
    /// The largest errors, with their joints and times, that are not due to the steps in which the file
    /// stores times: each pose is also compared at the two nearest times that the file can store.
    WorstDifference at_held_times{};
    ErrorSpreads spread{};  ///< over all joints that count, with `worst`
};

/// How far the file, as the viewer plays it, is from the clip's tracks, at the times of all their keys.
/// Counts counted_joints() of the tracks of both. Joints without a track in the clip take their pose from the
/// file, so that only encoded tracks are measured.
[[nodiscard]] Result<Measured> measure(const Clip& wanted, const file::Document& written, const Job& job);

/// A summary for people: times, priorities, loop, hand pose by name, joints with their keys, constraints.
[[nodiscard]] Json info(const file::Document& document);

/// The report of `info` on a .anim, as text. `file`: its name.
[[nodiscard]] std::string describe(const std::string& file, const Json& info);

}  // namespace animbridge::sl_anim::play
