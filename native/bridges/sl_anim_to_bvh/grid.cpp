// SPDX-License-Identifier: MIT
#include "bridges/sl_anim_to_bvh/grid.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
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
std::vector<double> key_codes(const Plan& plan, double duration) {
    std::vector<double> codes;
    const auto add = [&](const std::vector<float>& times) {
        for (const float time : times) {
            if (time >= 0.0F && static_cast<double>(time) <= duration) {
                codes.push_back(static_cast<double>(time) / duration * sl_anim::max_code);
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
    const double spacing = sl_anim::max_code / static_cast<double>(intervals);
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
        grid.times_seconds.push_back(sl_anim::decode_time(sl_anim::encode_time(seconds, end), end));
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
    const double code_seconds = static_cast<double>(grid.times_seconds.back()) / sl_anim::max_code;
    // The frame's own time is already truncated, and the duration may differ in its last bit.
    const double reach = (most_codes_early + 0.5) * code_seconds;
    return std::fabs(static_cast<double>(nearest) - static_cast<double>(seconds)) <= reach ? nearest
                                                                                           : seconds;
}

Result<FrameGrid> frame_grid(const Plan& plan, float duration_seconds,
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

}  // namespace animbridge::sl_anim_to_bvh
