// SPDX-License-Identifier: MIT
#include "bridges/sl_anim_to_bvh/hold.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include "bridges/sl_anim_to_bvh/axes.h"

namespace animbridge::sl_anim_to_bvh {

namespace {

/// The loader's thresholds: inches, and the summed distance between the tips of the unit vectors x and y.
constexpr double position_threshold = 0.03;
constexpr double rotation_threshold = 0.01;
constexpr double depth_share = 0.33;
/// Exceeds the threshold by this factor, because the loader works in single precision.
constexpr double margin = 1.02;
/// A move grows by this fraction of the threshold, at most this many times.
constexpr double step = 0.1;
constexpr int most_steps = 16;
/// At most about this many frames of a stretch are tested: a slow bend has no narrow corners.
constexpr std::size_t most_looks = 32;

/// The loader's test for rotations.
struct Rotations {
    using Value = glm::dquat;
    double threshold;

    /// A normalised lerp that ignores signs, like the loader's.
    static Value chord(const Value& from, const Value& to, double share) {
        return glm::normalize(from * (1.0 - share) + to * share);
    }
    static double apart(const Value& a, const Value& b) { return tip_distance(a, b); }
    /// Tests the way that the viewer plays between keys, which is the short one.
    static bool strays(const Value& a, const Value& b, double share, const Value& wanted) {
        const Value near = glm::dot(a, b) < 0.0 ? -b : b;
        static const double most = std::cos(glm::radians(most_stray_degrees) / 2.0);
        return std::fabs(glm::dot(chord(a, near, share), wanted)) < most;
    }
    /// `value`, rotated further in the direction from `from` to `to`.
    static Value moved(const Value& value, const Value& from, const Value& to, double by) {
        const Value rotation = to * glm::conjugate(from);
        const glm::dvec3 axis(rotation.x, rotation.y, rotation.z);
        constexpr double no_direction = 1e-6;
        // A rotation about z moves both x and y.
        const glm::dvec3 about = glm::length(axis) < no_direction
                                     ? from * glm::dvec3(0, 0, 1)
                                     : glm::normalize(rotation.w < 0.0 ? -axis : axis);
        return glm::angleAxis(by, about) * value;
    }
};

struct Positions {
    using Value = glm::dvec3;
    double threshold = position_threshold;

    static Value chord(const Value& from, const Value& to, double share) {
        return from * (1.0 - share) + to * share;
    }
    static double apart(const Value& a, const Value& b) { return glm::length(a - b); }
    static bool strays(const Value& a, const Value& b, double share, const Value& wanted) {
        constexpr double most = most_stray_mm / 1000.0 / metres_per_inch;
        return apart(chord(a, b, share), wanted) > most;
    }
    static Value moved(const Value& value, const Value& from, const Value& to, double by) {
        const glm::dvec3 direction = to - from;
        constexpr double no_direction = 1e-6;
        return value +
               by * (glm::length(direction) < no_direction ? glm::dvec3(0, 1, 0) : glm::normalize(direction));
    }
};

template <typename Track>
class Holder {
public:
    using Value = typename Track::Value;

    Holder(Track track, std::vector<Value>& values) : track_(track), values_(values), wanted_(values) {}

    std::vector<std::size_t> run(bool keeps_before_the_end) {
        std::size_t kept = 1;
        for (std::size_t frame = 3; frame < values_.size(); ++frame) {
            const bool is_end = frame + 1 == values_.size();
            const bool is_kept = off(kept, frame, values_[frame]) >= track_.threshold ||
                                 (keeps_before_the_end && is_end && frame - kept > 2);
            if (is_kept || (!is_end && strays(kept, frame) && move(kept, frame))) {
                kept = frame - 1;
            }
        }
        return std::move(moved_);
    }

private:
    /// How far the previous frame would be off the chord if `frame` were at `value`.
    [[nodiscard]] double off(std::size_t kept, std::size_t frame, const Value& value) const {
        const double share = 1.0 / static_cast<double>(frame - kept);
        return Track::apart(Track::chord(value, values_[kept], share), values_[frame - 1]);
    }

    /// Whether the frames between two keys would be too far from the wanted values.
    [[nodiscard]] bool strays(std::size_t kept, std::size_t frame) const {
        const std::size_t stride = 1 + (frame - kept) / most_looks;
        for (std::size_t at = kept + 1; at < frame; at += stride) {
            const double share = static_cast<double>(at - kept) / static_cast<double>(frame - kept);
            if (Track::strays(values_[kept], values_[frame], share, wanted_[at])) {
                return true;
            }
        }
        return false;
    }

    bool move(std::size_t kept, std::size_t frame) {
        const double share = 1.0 / static_cast<double>(frame - kept);
        const Value chord = Track::chord(values_[frame], values_[kept], share);
        for (int steps = 1; steps <= most_steps; ++steps) {
            const Value moved =
                Track::moved(values_[frame], values_[frame - 1], chord, steps * step * track_.threshold);
            if (off(kept, frame, moved) >= margin * track_.threshold) {
                values_[frame] = moved;
                moved_.push_back(frame);
                return true;
            }
        }
        return false;
    }

    Track track_;
    std::vector<Value>& values_;
    std::vector<Value> wanted_;
    std::vector<std::size_t> moved_{};
};

}  // namespace

std::vector<std::size_t> hold_rotation_keys(std::vector<glm::dquat>& rotations, std::size_t depth) {
    const double threshold = rotation_threshold / std::max(1.0, depth_share * static_cast<double>(depth));
    return Holder<Rotations>({threshold}, rotations).run(true);
}

std::vector<std::size_t> hold_position_keys(std::vector<glm::dvec3>& positions) {
    return Holder<Positions>({}, positions).run(false);
}

}  // namespace animbridge::sl_anim_to_bvh
