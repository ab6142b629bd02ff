// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <vector>

#include "base/result.h"
#include "formats/mrtk/document.h"
#include "formats/mrtk/poses.h"
#include "formats/mrtk/unity_curve.h"

/// What MRTK shows at a time. Unity's space, as in the file: left-handed, +X right, +Y up, +Z forward,
/// metres; every pose is in the world.
namespace animbridge::mrtk {

/// ErrorCode::rejected if a key has a time, value or tangent that makes the motion undefined.
[[nodiscard]] Result<void> require_playable(const Document& document);

/// The pose of a joint or of the camera.
struct ShownPose {
    glm::dvec3 position{0};
    /// The four curves' values, which MRTK passes on: of any length, and through zero where the recorded
    /// quaternion changed its sign.
    glm::dquat played{0, 0, 0, 0};
    /// What was recorded: signs are made continuous if the four curves share their key times, then the length
    /// is made 1; no rotation if the quaternion is zero.
    glm::dquat meant{1, 0, 0, 0};
};

struct ShownGaze {
    glm::dvec3 origin{0};
    glm::dvec3 direction{0};  ///< as in the file, of any length
};

/// Plays a document that require_playable() accepts, and that must outlive this. The last values are held.
class Player {
public:
    explicit Player(const Document& document);

    [[nodiscard]] double duration_seconds() const { return duration_; }
    /// Whether the pose has any key: a pose without keys is not part of the recording.
    [[nodiscard]] bool exists(std::size_t pose) const { return exists_.at(pose); }
    [[nodiscard]] bool has_gaze() const { return has_gaze_; }
    [[nodiscard]] const CurveView& curve(std::size_t curve) const { return curves_[curve]; }

    [[nodiscard]] ShownPose pose(std::size_t pose, double seconds) const;
    [[nodiscard]] bool is_on(std::size_t switch_number, double seconds) const;
    [[nodiscard]] ShownGaze gaze(double seconds) const;

private:
    [[nodiscard]] double value(std::size_t curve, double seconds) const {
        return curves_[curve].evaluate(seconds);
    }
    [[nodiscard]] glm::dquat continuous(std::size_t pose, double seconds) const;

    std::vector<std::vector<FullKey>> sorted_{};  ///< for curves whose keys are not in order
    std::vector<CurveView> curves_{};
    std::array<bool, pose_count> exists_{};
    /// Per pose and key: whether the sign is flipped; empty: no key's is.
    std::array<std::vector<bool>, pose_count> turned_{};
    bool has_gaze_ = false;
    double duration_ = 0;
};

/// Per key: whether a quaternion must change its sign to be near the one before it; empty: none must. The
/// four curves must share their times.
[[nodiscard]] std::vector<bool> sign_turns(const RotationViews& rotation);

}  // namespace animbridge::mrtk
