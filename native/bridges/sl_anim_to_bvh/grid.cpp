// SPDX-License-Identifier: MIT
#include "bridges/sl_anim_to_bvh/parts.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <iterator>
#include <limits>

#include "base/options/options.h"
#include "formats/sl_anim/codes/codes.h"

namespace animbridge::sl_anim_to_bvh {

namespace {

/// How many time codes a key may be before or after the frame that wrote it. Each encoding truncates and may
/// lose a code; an uploaded file has been encoded two or three times. Writers that round are at most half a
/// code late.
constexpr double most_codes_early = 2.0;
constexpr double most_codes_late = 1.0;

/// The distinct key times of all tracks in time codes, not rounded.
std::vector<double> key_codes(const JointPlan& plan, double duration) {
    std::vector<double> codes;
    const auto add = [&](const std::vector<float>& times) {
        for (const float time : times) {
            if (time >= 0.0F && static_cast<double>(time) <= duration) {
                codes.push_back(static_cast<double>(time) / duration * sl_anim::codes::max_code);
            }
        }
    };
    for (const PlannedJoint& planned : plan.joints) {
        if (planned.keys != nullptr) {
            add(planned.keys->rotation.times);
            add(planned.keys->position.times);
        }
    }
    std::sort(codes.begin(), codes.end());
    codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
    return codes;
}

bool fits(const std::vector<double>& codes, std::size_t intervals) {
    const double spacing = sl_anim::codes::max_code / static_cast<double>(intervals);
    return std::all_of(codes.begin(), codes.end(), [&](double code) {
        const double early = std::round(code / spacing) * spacing - code;
        return early >= -most_codes_late && early <= most_codes_early;
    });
}

std::optional<std::size_t> coarsest_fit(const std::vector<double>& codes, double duration) {
    const auto most = static_cast<std::size_t>(
        std::clamp(duration * max_frames_per_second, 1.0, static_cast<double>(max_intervals)));
    for (std::size_t intervals = 1; intervals <= most; ++intervals) {
        if (fits(codes, intervals)) {
            return intervals;
        }
    }
    return std::nullopt;
}

/// The float whose product with the number of intervals is nearest to the duration, because the loader
/// multiplies in single precision.
float frame_time_of(float duration, std::size_t intervals) {
    const auto count = static_cast<float>(intervals);
    const float near = duration / count;
    const std::array<float, 3> candidates = {near, std::nextafter(near, 0.0F),
                                             std::nextafter(near, std::numeric_limits<float>::max())};
    return *std::min_element(candidates.begin(), candidates.end(), [&](float a, float b) {
        return std::fabs(count * a - duration) < std::fabs(count * b - duration);
    });
}

/// The double with the fewest digits that converts to this float.
double shortest_double(float value) {
    std::array<char, 32> text{};
    const auto written = std::to_chars(text.data(), text.data() + text.size(), value);
    double shortest = 0;
    std::from_chars(text.data(), written.ptr, shortest);
    return static_cast<float>(shortest) == value ? shortest : static_cast<double>(value);
}

FrameGrid grid_of(float duration, std::size_t intervals, bool fits_keys) {
    const float frame_time = frame_time_of(duration, intervals);
    const float end = static_cast<float>(intervals) * frame_time;
    FrameGrid grid{shortest_double(frame_time), fits_keys};
    grid.times_seconds.reserve(intervals + 1);
    for (std::size_t frame = 0; frame <= intervals; ++frame) {
        const float seconds = static_cast<float>(frame) * frame_time;
        grid.times_seconds.push_back(
            sl_anim::codes::decode_time(sl_anim::codes::encode_time(seconds, end), end));
    }
    return grid;
}

}  // namespace

float time_of_key(const std::vector<float>& times, float seconds, const FrameGrid& grid) {
    if (!grid.fits_keys || times.empty()) {
        return seconds;
    }
    const auto after = std::lower_bound(times.begin(), times.end(), seconds);
    const bool first = after == times.begin();
    const bool behind_all = after == times.end();
    const float nearest =
        behind_all || (!first && seconds - *(after - 1) < *after - seconds) ? *(after - 1) : *after;
    const double code_seconds = static_cast<double>(grid.times_seconds.back()) / sl_anim::codes::max_code;
    // The frame's own time is already truncated, and the duration may differ in its last bit.
    const double reach = (most_codes_early + 0.5) * code_seconds;
    return std::fabs(static_cast<double>(nearest) - static_cast<double>(seconds)) <= reach ? nearest
                                                                                           : seconds;
}

Result<FrameGrid> frame_grid(const JointPlan& plan, float duration_seconds,
                             std::optional<double> frames_per_second) {
    const double duration = duration_seconds;
    if (!(duration > 0.0)) {
        const double rate = frames_per_second.value_or(usual_frames_per_second);
        return FrameGrid{shortest_double(static_cast<float>(1.0 / rate)), true, {0.0F}};
    }
    const std::vector<double> codes = key_codes(plan, duration);
    if (!frames_per_second) {
        if (const auto intervals = coarsest_fit(codes, duration)) {
            return grid_of(duration_seconds, *intervals, true);
        }
    }
    const double rate = frames_per_second.value_or(usual_frames_per_second);
    const double wanted = std::max(1.0, std::round(duration * rate));
    if (!(wanted <= static_cast<double>(max_intervals))) {
        return fail(ErrorCode::bad_value, shown_number(rate) + " frames per second over " +
                                              shown_number(duration) + " s are " + shown_number(wanted) +
                                              " frames; allowed are at most " +
                                              std::to_string(max_intervals));
    }
    const auto intervals = static_cast<std::size_t>(wanted);
    return grid_of(duration_seconds, intervals, fits(codes, intervals));
}

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
