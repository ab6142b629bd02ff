// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace animbridge {

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

struct Comparison {
    std::vector<JointDifference> joints;  ///< those that either file moves, or whose position differs
    std::vector<std::string> only_in_a;   ///< joints that one file moves and the other does not
    std::vector<std::string> only_in_b;
    std::size_t times = 0;  ///< the number of compared times

    /// The largest differences over all joints; a default one if there are no joints.
    [[nodiscard]] WorstDifference worst() const;
};

/// The times, sorted, without duplicates.
template <typename Seconds>
[[nodiscard]] std::vector<Seconds> sorted_unique(std::vector<Seconds> times) {
    std::sort(times.begin(), times.end());
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

}  // namespace animbridge
