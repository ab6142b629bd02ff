// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "formats/sl_anim/document.h"
#include "formats/sl_anim/keys.h"
#include "model/skeleton.h"

namespace animbridge::sl_anim {

/// The viewer's clip time, and how strongly it shows the animation.
struct PlayState {
    float clip_seconds = 0;
    float weight = 0;  ///< 0..1, the ease against other animations; also 0 after the end
};

/// What the viewer shows for one file at full weight (docs/second-life-format.md, "Playback"). Copies what it
/// needs, so it may outlive the document. The document must have no finding of class *rejected*.
class Player {
public:
    explicit Player(const Document& document);

    /// `seconds`: time since the start of the animation; `stop_seconds`: when a stop was requested, if it
    /// was.
    [[nodiscard]] PlayState state_at(double seconds, std::optional<double> stop_seconds = std::nullopt) const;

    /// An animated joint: its first record in the file.
    struct AnimatedJoint {
        std::string name;                  ///< as in the file
        std::optional<std::size_t> joint;  ///< index into skeleton(); null if the viewer does not know it
        RotationKeys rotation;             ///< as played; empty if the file does not rotate the joint
        PositionKeys position;
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

}  // namespace animbridge::sl_anim
