// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "formats/sl_anim/document.h"
#include "formats/sl_anim/keys.h"
#include "model/skeleton.h"

namespace animbridge::sl_anim {

/// Where in the clip the viewer is, and how strongly it shows it.
struct PlayState {
    float clip_seconds = 0;
    float weight = 0;  ///< 0..1, the ease towards and away from the other animations; 0 also once it is over
};

/// What the viewer shows of one file, at full weight (docs/second-life-format.md, "Playback"). Holds copies:
/// outlives the document. The document must have no finding of class *rejected*.
class Player {
public:
    explicit Player(const Document& document);

    /// `seconds` since the animation was started; `stop_seconds`: when it was asked to stop, if it was.
    [[nodiscard]] PlayState state_at(double seconds, std::optional<double> stop_seconds = std::nullopt) const;

    /// One animated joint: the first record of its name.
    struct AnimatedJoint {
        std::string name;                  ///< as in the file
        std::optional<std::size_t> joint;  ///< in skeleton(); none: the viewer does not know it
        RotationKeys rotation;             ///< as played; empty: the rotation is not moved
        PositionKeys position;
    };
    [[nodiscard]] const std::vector<AnimatedJoint>& joints() const { return joints_; }

    /// Placements of all of skeleton()'s joints in their parents' frames at a clip time; see world_pose.
    [[nodiscard]] std::vector<Transform> local_pose(float clip_seconds) const;

    /// Placements of all of skeleton()'s joints in the frame of mRoot at a clip time: the rest of the
    /// skeleton at rest, mPelvis rest 0.
    [[nodiscard]] std::vector<Transform> world_pose(float clip_seconds) const;

    [[nodiscard]] float duration_seconds() const { return duration_; }

    /// Local placements to ones in the frame of mRoot.
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
