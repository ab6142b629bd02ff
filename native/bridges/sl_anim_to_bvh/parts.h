// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "base/json/json.h"
#include "formats/bvh/file/file.h"
#include "formats/sl_anim/file/file.h"
#include "formats/sl_anim/play/play.h"
#include "model/compare/compare.h"

/// The steps of `convert`, in their order. A BVH of the viewer has inches, +Z forward, +X left, +Y up.
namespace animbridge::sl_anim_to_bvh {

// ---- the avatar's space (metres, +X forward, +Y left, +Z up) and that of the files ----

/// The viewer's own factor, not 0.0254.
inline constexpr double metres_per_inch = 0.02540005;

[[nodiscard]] inline glm::dvec3 to_bvh_axes(const glm::dvec3& v) { return {v.y, v.z, v.x}; }
[[nodiscard]] inline glm::dquat to_bvh_axes(const glm::dquat& q) { return {q.w, q.y, q.z, q.x}; }

/// Rounds to six decimals, for degrees and inches: an error of at most half a millionth, less than the
/// loader's single precision. Never returns -0.
[[nodiscard]] inline double rounded(double value) { return std::round(value * 1e6) / 1e6 + 0.0; }

/// The summed distance between the rotated tips of the unit vectors x and y.
[[nodiscard]] inline double tip_distance(const glm::dquat& a, const glm::dquat& b) {
    const glm::dvec3 x(1, 0, 0);
    const glm::dvec3 y(0, 1, 0);
    return glm::length(a * x - b * x) + glm::length(a * y - b * y);
}

// ---- the joints ----

inline constexpr std::size_t pelvis = 0;  ///< mPelvis in sl_anim::avatar::skeleton()

struct PlannedJoint {
    std::size_t joint = 0;                                       ///< index in sl_anim::avatar::skeleton()
    std::optional<std::size_t> parent{};                         ///< an earlier index in JointPlan::joints
    const sl_anim::play::Player::AnimatedJoint* keys = nullptr;  ///< null: needed only for its descendants
    bool positions = false;  ///< six channels, from which the loader makes both tracks
    /// A collision volume, or an attachment point without an alias. The loader reads its channels in the
    /// avatar's own axes, and uses position zero if it has no position channels.
    bool own_axes = false;
};

/// An animated joint that the file cannot hold.
struct LeftOut {
    std::string joint;
    std::string_view reason;
};

struct JointPlan {
    std::vector<PlannedJoint> joints{};  ///< depth first, starting with mPelvis
    std::vector<LeftOut> left_out{};
};

/// mPelvis, every animated joint that survives an upload, and the joints between. `player` must outlive the
/// plan.
[[nodiscard]] JointPlan plan_joints(const sl_anim::play::Player& player);

/// The hierarchy, before the joints have channels.
[[nodiscard]] std::vector<bvh::file::Joint> hierarchy_of(const JointPlan& plan, bool aliases);

// ---- frame times for which the viewer's loader puts its keys at the animation's keys ----

/// The most frames: a requested rate that needs more is an error, and a search does not try more.
inline constexpr std::size_t max_intervals = 7200;
/// A search does not try denser grids.
inline constexpr double max_frames_per_second = 120.0;
/// The rate if no grid fits the keys, and for an animation without length.
inline constexpr double usual_frames_per_second = 30.0;

/// The times of the frames. Frame 0 is the loader's reference and has no time.
struct FrameGrid {
    double frame_time_seconds = 0;
    bool fits_keys = false;  ///< every key is as near to a frame as time codes resolve
    /// Clip times of frames 1, 2, ..., at which the viewer plays the loader's keys. Ascending from 0 to the
    /// duration (except for a float's last bit); only one if the animation has no length.
    std::vector<float> times_seconds{};
};

/// The clip time of a key for the frame at `seconds`: a nearby key's time if the grid fits, else `seconds`.
/// `times`: the played key times of a track.
[[nodiscard]] float time_of_key(const std::vector<float>& times, float seconds, const FrameGrid& grid);

/// The coarsest grid that fits all keys of the planned joints, or else 30 frames per second. If a rate is
/// requested, the nearest one with a whole number of frames over the duration. Error: more than
/// max_intervals.
[[nodiscard]] Result<FrameGrid> frame_grid(const JointPlan& plan, float duration_seconds,
                                           std::optional<double> frames_per_second);

// ---- the order of a joint's rotation channels ----

/// Axes in file order; the last one turns first.
using AxisOrder = std::array<int, 3>;

/// The order that the joint has in the files of the viewer's makers, or that of the trunk. If its middle
/// angle comes near 90 degrees, where the other two angles jump: the order whose middle angle stays farthest
/// from that. `joint` is a name in skeleton(); `rotations` are in the file's axes.
[[nodiscard]] AxisOrder axis_order(std::string_view joint, const std::vector<glm::dquat>& rotations);

[[nodiscard]] std::vector<bvh::file::ChannelKind> channels_of(AxisOrder order, bool positions);

/// The rotation as the product of its channels, with the resulting sign.
[[nodiscard]] glm::dquat rotation_of(AxisOrder order, const glm::dvec3& degrees);

/// Degrees about x, y, z that give the rotation and are nearest to `before`.
[[nodiscard]] glm::dvec3 degrees_near(AxisOrder order, const glm::dquat& rotation, const glm::dvec3& before);

// ---- frames that keep the viewer's loader from dropping keys ----
// The loader tests a frame against the chord from the last kept one only when the next frame comes, so a
// slow bend can drift by degrees. If the result would deviate by more than the limits below, the frame after
// the one to keep is moved just far enough for the test to fail. The loader then usually drops the moved
// frame itself.

/// How far the loader's keys may be from the animation before a frame is moved.
inline constexpr double most_stray_degrees = 0.8;
inline constexpr double most_stray_mm = 1.2;

/// The frames of a track. Frame 0 is first; the loader uses it only as its reference. Rotations have the
/// signs of their channels' products. Returns the moved frames in ascending order.
[[nodiscard]] std::vector<std::size_t> hold_rotation_keys(std::vector<glm::dquat>& rotations,
                                                          std::size_t depth);

/// `positions` are in inches.
[[nodiscard]] std::vector<std::size_t> hold_position_keys(std::vector<glm::dvec3>& positions);

// ---- the frames ----

/// What a joint's channels show in each frame, starting with frame 0: rotations in the file's axes, positions
/// in inches.
struct JointFrames {
    std::vector<glm::dquat> rotations;
    std::vector<glm::dvec3> positions;
};

/// The joint at rest in frame 0, and as the viewer plays it in the other frames. The loader subtracts frame 0
/// from mPelvis, so mPelvis is at the skeleton's height.
[[nodiscard]] JointFrames sample_frames(const PlannedJoint& planned, const FrameGrid& grid);

/// Whether the loader sees a change from frame 0. It drops joints without a change.
[[nodiscard]] bool change_is_seen(const JointFrames& frames, bool positions);

/// A joint's frames that deviate from the animation, so that the loader keeps the frames before them.
struct MovedFrames {
    std::size_t joint = 0;  ///< index in JointPlan::joints
    std::vector<std::size_t> frames{};
};

struct FrameMotion {
    std::vector<double> values{};  ///< [frame][channel], six decimals
    /// Planned joints whose frame 0 is not at rest, so that the loader does not drop them.
    std::vector<std::size_t> shifted{};
    std::vector<MovedFrames> moved{};
    std::size_t keys_between_frames = 0;  ///< keys that are not at a frame
};

/// Samples all joints, and gives each joint of `hierarchy` its channels. `hold_keys`: frames may be moved.
[[nodiscard]] FrameMotion build_motion(const JointPlan& plan, const FrameGrid& grid, bool hold_keys,
                                       std::vector<bvh::file::Joint>& hierarchy);

// ---- how exact it is, and the report ----

/// How far the motion that the viewer's loader makes from the BVH is from the animation, at the keys of both
/// and at the midpoints: {"rotation_degrees", "rotation_joint", "rotation_at_seconds" (local rotations),
/// "position_mm", "position_joint", "position_at_seconds" (positions on the avatar), "joints_lost": joints
/// that no longer move, "times": how many were compared}. `document` must not have a finding of class
/// *rejected*.
[[nodiscard]] Result<Json> measure_upload(const sl_anim::file::Document& document, ByteView written);

/// How far the frames, and the motion between them, are from the animation, at its keys, at the frames and at
/// the midpoints, but not where the animation jumps within a frame. Joints that a BVH cannot hold do not
/// count. `made`: the content of `written`.
[[nodiscard]] Result<WorstDifference> measure_frames(const sl_anim::file::Document& document,
                                                     const bvh::file::Document& made, ByteView written);

/// What the viewer's loader does not restore: header values other than the loader's own (as members of
/// sl_anim::edit::edit, which restores them in the .anim), constraints, and keys between frames.
struct Lost {
    Json header = Json::object();
    Json for_good = Json::object();
};

[[nodiscard]] Lost lost_of(const sl_anim::file::Document& document, const JointPlan& plan,
                           const FrameMotion& motion);

/// {"frames", "frame_time_seconds", "fits_keys", "joints", "frame_0_shifted": [...], "frames_moved": {joint:
/// [frame, ...]}, "tracks_added": [...], "own_axes": [...], "left_out": [{"joint", "reason"}], "lost": {...},
/// "give_back": {...}}. Joints have their names in the BVH; those left out have their names in the .anim.
[[nodiscard]] Json report_of(const JointPlan& plan, const FrameMotion& motion, const FrameGrid& grid,
                             const std::vector<bvh::file::Joint>& hierarchy, const Lost& lost);

}  // namespace animbridge::sl_anim_to_bvh
