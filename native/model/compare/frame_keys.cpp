// SPDX-License-Identifier: MIT
#include "model/compare/compare.h"

#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <optional>
#include <utility>

namespace animbridge {

namespace {

constexpr double highest_rate = 240.0;
/// Motion recorders reach it; in a file that gives a rate beyond these bounds, it means something else.
constexpr double highest_recorded_rate = 1000.0;
constexpr double lowest_rate = 1.0;
/// Longer clips are not sampled: a few keys may be years apart.
constexpr double most_frames = 1e6;
constexpr double most_mm = 0.5;
constexpr double most_degrees = 0.05;
/// Keys that are this close, and differ, are a jump: readers of files write jumps in this form.
constexpr double jump_seconds = 2e-6;
/// A frame that is this close to a jump gets no key besides the jump's.
constexpr double near_jump_seconds = 1e-4;

/// The precision of times in files: those of a minute are 4 microseconds apart.
constexpr double single_precision = 1.2e-7;

/// How far a key may be from its frame: rounding, in addition to single precision.
double tolerated_seconds(double seconds, double rate) {
    constexpr double of_a_frame = 1e-4;
    return of_a_frame / rate + single_precision * seconds;
}

bool has(const Track& track, Interpolation kind) {
    return std::ranges::find(track.interpolation, kind) != track.interpolation.end();
}

/// Whether the track can be sampled.
bool is_plain(const Track& track) {
    return track.channel != Channel::property && !track.component && track.key_count() > 1 &&
           !has(track, Interpolation::step);
}

/// The first and the last frame around a track's keys.
struct FrameSpan {
    double first = 0;
    double last = 0;

    [[nodiscard]] double count() const { return last - first + 1.0; }
};

FrameSpan outer_frames(const Track& track, double rate) {
    const double start = track.times.front();
    const double end = track.times.back();
    return {std::floor((start + tolerated_seconds(start, rate)) * rate),
            std::ceil((end - tolerated_seconds(end, rate)) * rate)};
}

bool is_sampled(const Track& track, double rate, Bends bends) {
    return is_plain(track) && (static_cast<double>(track.key_count()) > outer_frames(track, rate).count() ||
                               (bends == Bends::sample && has(track, Interpolation::bezier)));
}

bool has_key_at_each_frame(const Track& track, double rate) {
    const double start = track.times.front();
    const double end = track.times.back();
    std::size_t key = 0;
    const double first = std::ceil((start - tolerated_seconds(start, rate)) * rate);
    const double last = std::floor((end + tolerated_seconds(end, rate)) * rate);
    const auto count = static_cast<std::size_t>(std::max(last - first + 1.0, 0.0));
    for (std::size_t frame = 0; frame < count; ++frame) {
        const double seconds = (first + static_cast<double>(frame)) / rate;
        const double tolerated = tolerated_seconds(seconds, rate);
        while (key < track.key_count() && track.times[key] < seconds - tolerated) {
            ++key;
        }
        if (key == track.key_count() || track.times[key] > seconds + tolerated) {
            return false;
        }
    }
    return true;
}

/// Whether the source was recorded at this rate: a few tracks may have been made by hand.
bool is_baked(const Clip& clip, double rate) {
    constexpr double nearly_all = 0.9;
    std::size_t baked = 0;
    std::size_t all = 0;
    for (const Track& track : clip.tracks) {
        if (is_plain(track) && track.key_count() > 2) {
            baked += has_key_at_each_frame(track, rate) ? 1U : 0U;
            ++all;
        }
    }
    return baked > 0 && static_cast<double>(baked) >= nearly_all * static_cast<double>(all);
}

/// The whole multiples of the clip's rate to try, from the lowest.
std::vector<double> multiples(double rate, double highest) {
    std::vector<double> rates{rate};
    while (rates.back() + rate <= highest) {
        rates.push_back(static_cast<double>(rates.size() + 1) * rate);
    }
    return rates;
}

/// 0 if there is none.
double baked_rate(const Clip& clip, const std::vector<double>& own) {
    double best = 0;
    const auto try_rate = [&](double rate) {
        if (rate > best && is_baked(clip, rate)) {
            best = rate;
        }
    };
    std::ranges::for_each(own, try_rate);
    std::ranges::for_each(usual_rates, try_rate);
    return best;
}

bool jumps_after(const Track& track, std::size_t key) {
    const double gap = track.times[key + 1] - track.times[key];
    if (gap > jump_seconds + single_precision * track.times[key]) {
        return false;
    }
    return track.channel == Channel::rotation
               ? chord(track.rotation(key), track.rotation(key + 1)) > chord_of_degrees(most_degrees)
               : 1000.0 * glm::distance(track.translation(key), track.translation(key + 1)) > most_mm;
}

/// The frames around the keys, and both keys of each jump instead of a frame close to it.
std::vector<double> sample_times(const Track& track, double rate, double duration_seconds) {
    std::vector<double> jumps;
    for (std::size_t key = 0; key + 1 < track.key_count(); ++key) {
        if (jumps_after(track, key)) {
            jumps.push_back(track.times[key]);
            jumps.push_back(track.times[key + 1]);
        }
    }
    std::vector<double> times;
    const FrameSpan span = outer_frames(track, rate);
    auto jump = jumps.begin();
    const auto count = static_cast<std::size_t>(std::max(span.count(), 0.0));
    for (std::size_t frame = 0; frame < count; ++frame) {
        const double seconds = std::min((span.first + static_cast<double>(frame)) / rate, duration_seconds);
        for (; jump != jumps.end() && *jump < seconds + near_jump_seconds; ++jump) {
            times.push_back(*jump);
        }
        if (times.empty() || seconds - times.back() > near_jump_seconds) {
            times.push_back(seconds);
        }
    }
    times.insert(times.end(), jump, jumps.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
}

Track sampled(const Track& track, double rate, double duration_seconds) {
    Track result{track.node, track.channel};
    TrackCursor cursor(track);
    glm::dquat before(1, 0, 0, 0);
    for (const double seconds : sample_times(track, rate, duration_seconds)) {
        if (track.channel == Channel::translation) {
            const glm::dvec3 place = cursor.translation_at(seconds);
            result.add_key(seconds, std::array{place.x, place.y, place.z});
            continue;
        }
        const glm::dquat q = cursor.rotation_at(seconds);
        before = glm::dot(q, before) < 0.0 ? -q : q;
        result.add_key(seconds, std::array{before.w, before.x, before.y, before.z});
    }
    return result;
}

/// The track with keys that are at frames except for rounding moved to exactly the times of sampled tracks:
/// retargeting needs a key wherever any track has one.
Track snapped(Track track, double rate, double duration_seconds) {
    for (std::size_t key = 0; key < track.key_count(); ++key) {
        double& time = track.times[key];
        const double seconds = std::min(std::round(time * rate) / rate, duration_seconds);
        // The two keys of a jump stay separate.
        const bool is_free = (key == 0 || seconds > track.times[key - 1]) &&
                             (key + 1 == track.key_count() || seconds < track.times[key + 1]);
        if (is_free && std::abs(seconds - time) <= tolerated_seconds(time, rate)) {
            time = seconds;
        }
    }
    return track;
}

/// nullopt: no track needs it.
std::optional<Clip> sampled(const Clip& clip, double rate, Bends bends) {
    Clip result{clip.skeleton, {}, clip.markers, clip.duration_seconds, rate};
    bool any = false;
    for (const Track& track : clip.tracks) {
        const bool now = is_sampled(track, rate, bends);
        result.tracks.push_back(now ? sampled(track, rate, clip.duration_seconds)
                                    : snapped(track, rate, clip.duration_seconds));
        any = any || now;
    }
    return any ? std::optional(std::move(result)) : std::nullopt;
}

/// The times at which the motion is compared: at the source's keys, where lines change their direction, and
/// between frames, where curves are farthest from lines.
std::vector<double> times_between(const Clip& clip, double rate, double duration_seconds) {
    std::vector<double> times;
    for (const Track& track : clip.tracks) {
        times.insert(times.end(), track.times.begin(), track.times.end());
    }
    const auto quarters = static_cast<std::size_t>(4.0 * rate * duration_seconds);
    for (std::size_t quarter = 1; quarter <= quarters; ++quarter) {
        if (quarter % 4 != 0) {
            times.push_back(static_cast<double>(quarter) / (4.0 * rate));
        }
    }
    return sorted_unique(std::move(times));
}

/// How far the joints of a sampled clip are from their intended positions between frames.
FrameKeys measured(const Clip& clip, const Clip& frames, double rate) {
    FrameKeys result{rate};
    const auto times = times_between(clip, rate, clip.duration_seconds);
    const auto compared = compare_clips(clip, frames, times, {});
    if (compared) {  // the job is never cancelled
        for (const JointDifference& joint : compared->joints) {
            result.max_position_error_mm = std::max(result.max_position_error_mm, joint.position_mm);
            result.max_rotation_error_degrees =
                std::max(result.max_rotation_error_degrees, joint.rotation_degrees);
        }
    }
    return result;
}

}  // namespace

FrameKeys sample_at_frames(Clip& clip, Bends bends) {
    const double own_rate = frame_rate_of(clip);
    const bool is_sane = own_rate >= lowest_rate && own_rate <= highest_recorded_rate &&
                         clip.duration_seconds * highest_rate <= most_frames;
    if (!is_sane) {
        return {};
    }
    const double baked = baked_rate(clip, multiples(own_rate, highest_recorded_rate));
    if (baked > 0.0) {
        auto frames = sampled(clip, baked, bends);
        if (!frames) {
            return {};
        }
        clip = *std::move(frames);
        return {baked, true};
    }
    for (const double rate : multiples(own_rate, highest_rate)) {
        auto frames = sampled(clip, rate, bends);
        if (!frames) {
            return {};
        }
        const FrameKeys result = measured(clip, *frames, rate);
        if (result.max_position_error_mm < most_mm && result.max_rotation_error_degrees < most_degrees) {
            frames->frames_per_second = own_rate;
            clip = *std::move(frames);
            return result;
        }
    }
    return {};
}

}  // namespace animbridge
