// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/base.h"
#include "base/json/json.h"
#include "formats/mrtk/curves/curves.h"
#include "formats/mrtk/file/file.h"
#include "model/clip/clip.h"
#include "model/compare/compare.h"
#include "rig/exchange/exchange.h"

/// What MRTK shows of a recording at a time, how far two recordings are apart, and how exact a conversion is.
/// Unity's space, as in the file: left-handed, +X right, +Y up, +Z forward, metres; every pose is in the
/// world.
namespace animbridge::mrtk::play {

// ---- the player ----

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
    explicit Player(const file::Document& document);

    [[nodiscard]] double duration_seconds() const { return duration_; }
    /// Whether the pose has any key: a pose without keys is not part of the recording.
    [[nodiscard]] bool exists(std::size_t pose) const { return exists_.at(pose); }
    [[nodiscard]] bool has_gaze() const { return has_gaze_; }
    [[nodiscard]] const curves::CurveView& curve(std::size_t curve) const { return curves_[curve]; }

    [[nodiscard]] ShownPose pose(std::size_t pose, double seconds) const;
    [[nodiscard]] bool is_on(std::size_t switch_number, double seconds) const;
    [[nodiscard]] ShownGaze gaze(double seconds) const;

private:
    [[nodiscard]] double value(std::size_t curve, double seconds) const {
        return curves_[curve].evaluate(seconds);
    }
    [[nodiscard]] glm::dquat continuous(std::size_t pose, double seconds) const;

    std::vector<std::vector<file::FullKey>> sorted_{};  ///< for curves whose keys are not in order
    std::vector<curves::CurveView> curves_{};
    std::array<bool, file::pose_count> exists_{};
    /// Per pose and key: whether the sign is flipped; empty: no key's is.
    std::array<std::vector<bool>, file::pose_count> turned_{};
    bool has_gaze_ = false;
    double duration_ = 0;
};

/// Per key: whether a quaternion must change its sign to be near the one before it; empty: none must. The
/// four curves must share their times.
[[nodiscard]] std::vector<bool> sign_turns(const curves::RotationViews& rotation);

// ---- poses in bulk ----

/// The poses that have keys, the camera first: the joints of `play`.
[[nodiscard]] Result<std::vector<std::string>> played_joints(const file::Document& document);
/// A pose's row is {"seconds", "joints": [{"joint", "position", "rotation_wxyz", "played_rotation_wxyz"}],
/// "gaze": {"origin", "direction"} or null, "tracked_left", ...}. "rotation_wxyz" is what was recorded,
/// "played_rotation_wxyz" what MRTK hands on (ShownPose). The arrays have "rotation_wxyz" and "position", and
/// no joint has a parent. ErrorCode::rejected where the recording cannot be played.
[[nodiscard]] Result<void> play(const file::Document& document, std::span<const double> times_seconds,
                                std::optional<double> stop_seconds, const PoseArrays& out);

// ---- how far apart ----

/// Plays both at every key time of either and at the midpoints, and compares the camera, the joints and the
/// gaze; if a curve moves one, also at times along the curve, and near the largest differences. Rotations are
/// those that were recorded, not what MRTK shows between keys. The rotation of the gaze is the angle of its
/// direction. ErrorCode::rejected if either cannot be played.
[[nodiscard]] Result<Comparison> compare(const file::Document& a, const file::Document& b, const Job& job);

/// The names of the switches, tracked or pinch, that differ at any time.
[[nodiscard]] std::vector<std::string> differing_switches(const file::Document& a, const file::Document& b);

inline constexpr double millimetres_per_metre = 1000.0;

/// How far the recording, played as it is meant, is from the clip: per pose, in the world, at all key times
/// of both and at the midpoints; where curves bend, also at times along them, and near the largest
/// differences. Nodes with other names are not measured. The document must be playable.
[[nodiscard]] Result<Comparison> measure(const file::Document& document, const Clip& clip, const Job& job);

// ---- Unity's space to clip space, and back ----
// Swaps Y and Z: a reflection, so the axis of a rotation also changes its sign. Each is its own inverse.

[[nodiscard]] inline glm::dvec3 swapped(const glm::dvec3& v) { return {v.x, v.z, v.y}; }
[[nodiscard]] inline glm::dquat swapped(const glm::dquat& q) { return {q.w, -q.x, -q.z, -q.y}; }

}  // namespace animbridge::mrtk::play
