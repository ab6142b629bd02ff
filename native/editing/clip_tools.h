// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/base.h"
#include "editing/editing.h"
#include "model/clip/clip.h"
#include "rig/humanoid/humanoid.h"

/// The tools of editing.h on a clip. Each changes the clip in place; a track that needs no change keeps its
/// keys bit for bit.
namespace animbridge::editing {

/// The tools of a JSON object, and its other members.
struct GivenTools {
    Tools tools{};
    Json others = Json::object();
};
[[nodiscard]] Result<GivenTools> given_tools(const Json& edits);

/// The clip after the tools; each adds a row to the report.
[[nodiscard]] Result<Clip> with_tools(Clip clip, const rig::humanoid::FoundRig& rig, Tools tools, Json& rows,
                                      const Job& job);

/// ErrorCode::rejected: what comes before the time cannot follow at the end, because the clip is not one
/// closed loop.
[[nodiscard]] Result<void> require_closed(const Clip& clip, const rig::humanoid::FoundRig& rig, double at);

/// Samples a second where a motion is measured.
inline constexpr double measured_rate = 30.0;

// ---- rotations as vectors ----

inline constexpr double degrees_of_radian = 180.0 / std::numbers::pi;

/// Half the rotation vector, the shorter way; of a unit quaternion.
[[nodiscard]] glm::dvec3 log_of(const glm::dquat& q);
/// The rotation of half a rotation vector.
[[nodiscard]] glm::dquat exp_of(const glm::dvec3& half);

// ---- time: values stay ----

/// Moves times piece by piece, in straight lines between the pairs. Before the first and after the last pair,
/// times keep their distance from it. Tracks get keys at the pairs between two of their keys.
void retime(Clip& clip, std::span<const TimePair> pairs);

/// Every time divided by the factor, also the source's frame rate.
void speed_up(Clip& clip, double factor);

/// Backwards. Segments keep their shapes, and steps their values.
void reverse(Clip& clip);

/// Holds the first pose before the motion, and the last one after it.
void hold(Clip& clip, double first_seconds, double last_seconds);

/// What comes before the time follows at the end. The clip must be one closed loop.
void start_at(Clip& clip, double seconds);

// ---- the loop: its markers, else the whole clip ----

/// Of no length if the loop holds a single pose; the whole clip if the markers are out of order.
[[nodiscard]] TrimSpan loop_span(const Clip& clip);

/// Ends the loop in the pose of its beginning: over at most a quarter of the loop before its end, as long as
/// the joint's own speed allows. What the root travels stays if the loop travels. Returns the largest change.
struct SeamClosed {
    double largest_degrees = 0;
    double largest_mm = 0;
    std::size_t tracks = 0;
};
SeamClosed close_loop(Clip& clip);

/// Two times whose poses and speeds match.
struct LoopChoice {
    double in_seconds = 0;
    double out_seconds = 0;
    double distance_mm = 0;    ///< mean of the joints, with a share for speed
    double worst_degrees = 0;  ///< the joint that jumps most
};
struct BestLoops {
    std::vector<LoopChoice> choices{};    ///< the best ones first, at most eight; each is the best around it
    std::optional<LoopChoice> present{};  ///< that of the clip's markers
};
/// At frames of a clip that has a rate of its own, else to 1/240 s. ErrorCode::rejected: the clip is too
/// short, or does not move.
[[nodiscard]] Result<BestLoops> best_loops(const Clip& clip, const rig::humanoid::FoundRig& rig,
                                           const Job& job);

// ---- the body's path ----

/// The node whose positions carry the body, and its way in the loop.
struct Travel {
    std::size_t node = 0;
    glm::dvec3 metres_per_second{0};  ///< horizontal, clip space
    double way_metres = 0;
    double path_metres = 0;  ///< the length of the path

    /// Whether the body goes somewhere, and does not only sway.
    [[nodiscard]] bool leaves() const { return way_metres > 0.05 && way_metres > path_metres / 2.0; }
};
/// nullopt: no positions carry the body.
[[nodiscard]] std::optional<Travel> travel_of(const Clip& clip, const rig::humanoid::FoundRig& rig);

/// Adds a steady horizontal motion to the node, 0 at the loop's beginning. Between linear keys and on curves
/// it is exact; steps get a key for each frame.
void add_travel(Clip& clip, std::size_t node, const glm::dvec3& metres_per_second);

/// Horizontally from where it begins, vertically from its rest height.
void scale_path(Clip& clip, std::size_t node, const PathScale& scale);

// ---- poses ----

/// Per joint: the one on the other side, by its part of the body, else by its name; itself if it has none.
[[nodiscard]] std::vector<std::size_t> partners_of(const Skeleton& skeleton,
                                                   const rig::humanoid::FoundRig& rig);

struct Mirrored {
    std::size_t pairs = 0;
    std::size_t sampled = 0;                ///< channels that had to be sampled
    std::vector<std::string> left_alone{};  ///< joints that move, without a partner on the other side
};
/// Exchanges left and right in the plane that parts them at rest. A joint in the middle mirrors itself; one
/// below a side without a partner keeps its keys. ErrorCode::rejected: no joint has a partner.
Result<Mirrored> mirror(Clip& clip, const rig::humanoid::FoundRig& rig);

/// Spreads an edit as blend_keys does.
/// ErrorCode::bad_value: no such joint, or a time outside the clip.
[[nodiscard]] Result<void> blend(Clip& clip, const BlendEdit& edit);

/// An edit of the pose at one time.
struct KeyEdit {
    double at_seconds = 0;
    std::optional<double> falloff_seconds{};  ///< to either side; none: the whole clip
    int pieces = 1;                           ///< how many each side has, by keys that are added; 1: none
};
/// A row of a track with a part of an edit: all of it for 1.
using EditedRow = std::function<std::array<double, 4>(const std::array<double, 4>& row, double part)>;
/// Spreads the edit over a track of whole rows of the clip: all of it at its time, where a key is added if
/// there is none, and less and less until the falloff. Outside of that, which reaches to the next keys,
/// nothing changes. In a loop that the track closes, the falloff goes round, so that it stays closed.
void blend_keys(Track& track, const KeyEdit& edit, const Clip& clip, const EditedRow& edited_row);

struct Smoothed {
    std::size_t tracks = 0;
    double largest_degrees = 0;
    double largest_mm = 0;
};
/// Takes out shaking. No key, old or new, turns by more than `degrees` or moves by more than `mm`. Tracks
/// that are still, or step, stay.
Smoothed smooth(Clip& clip, Filter filter, double degrees, double mm);

/// How far a rotation track of whole rows is from its smooth curve, `measured_rate` times a second. Empty:
/// the track is too short.
[[nodiscard]] std::vector<double> shakes_degrees(const Clip& clip, const Track& track);

/// How deep limbs are in each other: {"depth_mm": 0 if none is, "joints": the first ones of both limbs,
/// "at_seconds"}. Those that touch at rest do not count. Null without a body.
[[nodiscard]] Json overlap_of(const Clip& clip, const rig::humanoid::FoundRig& rig);

/// Makes whole rows of steps and lines of the tracks for which `is_meant` is true and that are something
/// else. Returns how many channels were sampled, at 120 a second.
std::size_t use_lines(Clip& clip, const std::function<bool(const Track&)>& is_meant);

/// The tracks of the numbers of one channel, all of them in order, as a track of whole rows: with a key
/// wherever one of them has one, which changes none of them. nullopt: steps meet slopes.
[[nodiscard]] std::optional<Track> joined_numbers(std::vector<Track> numbers, std::size_t node,
                                                  Channel channel);

/// Makes whole rows of such tracks for which `is_meant` is true. The channels for which that is impossible
/// are sampled as by use_lines; returns how many.
std::size_t use_rows(Clip& clip, const std::function<bool(const Track&)>& is_meant);

}  // namespace animbridge::editing
