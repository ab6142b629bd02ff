// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <glm/vec3.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/base.h"
#include "base/json/json.h"
#include "model/clip/clip.h"

/// How far two animations are apart, at keys and between them: a joint's position in millimetres, in the
/// skeleton's frame, and its own rotation in degrees. With it, keys at frames that stay close to a curve.
namespace animbridge {

// ---- two clips ----

/// The largest differences of one joint between two animations.
struct JointDifference {
    std::string joint;
    double position_mm = 0;  ///< how far its position in the skeleton's frame is off
    double position_at_seconds = 0;
    double rotation_degrees = 0;  ///< how far its local rotation is off
    double rotation_at_seconds = 0;

    /// Raises the maxima by the difference at one time.
    void widen(double millimetres, double degrees, double at_seconds);
};

/// The largest differences over several joints: `joint` has the largest one of position.
struct WorstDifference : JointDifference {
    std::string rotation_joint{};
};

/// How large many errors are. One error is one joint at one time.
struct ErrorSpread {
    double worst = 0;
    std::string joint{};  ///< where the error is largest; empty: there is none
    double at_seconds = 0;
    double percentile_99_9 = 0;  ///< 99.9 % of the errors are no larger; rounded up by at most 0.8 %
    double mean = 0;
};

struct ErrorSpreads {
    ErrorSpread position_mm{};       ///< of positions in the skeleton's frame
    ErrorSpread rotation_degrees{};  ///< of joints' own rotations
    std::size_t joints = 0;
    std::size_t times = 0;

    /// {"position_mm": {"worst", "joint", "at_seconds", "percentile_99_9", "mean"}, "rotation_degrees": {the
    /// same}, "joints", "times"}
    [[nodiscard]] Json to_json() const;
};

/// Counts errors by their size, in memory that does not grow.
class SpreadCounter {
public:
    void add(double millimetres, double degrees, std::uint64_t times = 1);
    /// The spreads of what was added. The caller has the worst errors.
    [[nodiscard]] ErrorSpreads spreads(const WorstDifference& worst, std::size_t joints,
                                       std::size_t times) const;

private:
    /// Errors whose single-precision numbers begin with the same 16 bits count as one size.
    struct Counts {
        std::vector<std::uint64_t> of_size = std::vector<std::uint64_t>(std::size_t{1} << 15U);
        std::uint64_t all = 0;
        double sum = 0;

        void add(double error, std::uint64_t times);
        void put(ErrorSpread& spread) const;
    };
    Counts millimetres_{};
    Counts degrees_{};
};

struct Comparison {
    std::vector<JointDifference> joints;  ///< those that either file moves, or whose position differs
    std::vector<std::string> only_in_a;   ///< joints that one file moves and the other does not
    std::vector<std::string> only_in_b;
    std::size_t times = 0;                 ///< the number of compared times
    std::optional<ErrorSpreads> spread{};  ///< over all measured joints; none: it was not counted

    /// The largest differences over all joints; a default one if there are no joints.
    [[nodiscard]] WorstDifference worst() const;
};

/// How far the joints of two clips are apart at the times, which ascend. Joints with the same name are pairs;
/// if a name occurs more than once, they are paired in order.
[[nodiscard]] Result<Comparison> compare_clips(const Clip& a, const Clip& b,
                                               std::span<const double> times_seconds, const Job& job);

/// 0, the key times of both clips, and the midpoints between them; ascending.
[[nodiscard]] std::vector<double> times_to_compare(const Clip& a, const Clip& b);

/// What separates two paths besides errors: the median of each coordinate of `apart`, their distance at some
/// times in metres; 0 if it is no longer than 20 mm.
[[nodiscard]] glm::dvec3 offset_of_path(std::vector<glm::dvec3> apart);

/// The turn between two bodies besides errors: the median of `apart`, unit quaternions at some times. None if
/// it is no larger than 5 degrees, or if fewer than half of the turns are that near to it.
[[nodiscard]] glm::dquat turn_of_body(std::vector<glm::dquat> apart);

// ---- times: lines are farthest apart at their keys, curves anywhere ----

/// The times, sorted, without duplicates.
template <typename Seconds>
[[nodiscard]] std::vector<Seconds> sorted_unique(std::vector<Seconds> times) {
    std::ranges::sort(times);
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
}

/// The times, which must be sorted, with the midpoints between neighbours.
template <typename Seconds>
[[nodiscard]] std::vector<Seconds> with_midpoints(const std::vector<Seconds>& times) {
    std::vector<Seconds> all;
    all.reserve(times.size() * 2);
    for (std::size_t i = 0; i < times.size(); ++i) {
        all.push_back(times[i]);
        if (i + 1 < times.size()) {
            all.push_back(times[i] + (times[i + 1] - times[i]) / Seconds(2));
        }
    }
    return all;
}

/// Adds 15 times inside each Bezier segment of each of the track's numbers, at equal steps of the curve's
/// parameter: where the curve is steep, time hardly changes along it.
void add_bend_times(const Track& track, std::vector<double>& times);

/// Adds to the times, which must be sorted, at most eight `bends` between each two, evenly by index. So the
/// number of times bounds the cost. Leaves out bends that are too close to a time for files to distinguish:
/// there may be a step.
[[nodiscard]] std::vector<double> with_bends(const std::vector<double>& times, std::vector<double> bends);

/// How far two animations are apart at a time.
struct Difference {
    double millimetres = 0;
    double degrees = 0;
};

/// Looks for larger differences near those of `found`, which are at some of the times, and raises `found` to
/// them. The times must be sorted. Calls `at` at most 128 times per joint.
void widen_nearby(const std::vector<double>& times, const std::function<Difference(double seconds)>& at,
                  JointDifference& found);

/// The times at which nodes jump: at a key that differs from the one before, if that one is held or at most
/// `shortest_seconds` earlier. Sorted, without duplicates. Tracks of properties do not count.
[[nodiscard]] std::vector<double> jump_times(const Clip& clip, double shortest_seconds);

// ---- keys at frames ----

/// What to do with tracks that bend between few keys.
enum class Bends : std::uint8_t { keep, sample };

/// How a clip was sampled.
struct FrameKeys {
    double frames_per_second = 0;           ///< 0: no track was sampled
    bool is_baked = false;                  ///< the source has a key at each of these frames
    double max_position_error_mm = 0;       ///< between the frames, for a joint in clip space; 0 if baked
    double max_rotation_error_degrees = 0;  ///< between the frames, for a joint's own rotation; 0 if baked
};

/// Samples the pose's tracks that have more keys than frames, and with Bends::sample those that bend, so that
/// they have linear keys only at frames. Tracks with steps, or with separately keyed numbers, stay, and so do
/// both keys of a jump. The rate is the highest multiple of frame_rate_of, or usual rate, at which nearly
/// every track has a key at each frame; else the lowest multiple, up to 240 per second, that shows the motion
/// within 0.5 mm and 0.05 degrees. If there is none, or the clip lasts more than an hour, all tracks stay.
/// Sets the clip's frames_per_second to the rate at which the source was recorded, or else to frame_rate_of.
FrameKeys sample_at_frames(Clip& clip, Bends bends);

}  // namespace animbridge
