// SPDX-License-Identifier: MIT
#include "formats/bvh/export_errors.h"

#include <algorithm>
#include <glm/geometric.hpp>
#include <utility>

#include "formats/bvh/clip.h"
#include "formats/bvh/read.h"
#include "formats/bvh/write.h"
#include "model/between_keys.h"
#include "model/clip_poser.h"
#include "model/jumps.h"

namespace animbridge::bvh {

namespace {

/// The squared chord between two orientations, whatever their signs. It orders errors like the angle and is
/// cheaper.
double chord(const glm::dquat& a, const glm::dquat& b) {
    const glm::dquat minus = a - b;
    const glm::dquat plus = a + b;
    return std::min(glm::dot(minus, minus), glm::dot(plus, plus));
}

/// A slope this short or shorter is a jump: retargeting makes slopes of 10 microseconds, and scene files have
/// some of half a thousandth of a frame.
double shortest_slope(double frame_time_seconds) { return 2e-5 + 1e-3 * frame_time_seconds; }

/// Separates the times between two frames if a jump is after the first and not after the second of them. All
/// are sorted.
ComparedTimes split_at_jumps(const std::vector<double>& times, const std::vector<double>& frames,
                             const std::vector<double>& jumps) {
    ComparedTimes split;
    auto rest = times.begin();
    for (std::size_t frame = 0; frame + 1 < frames.size(); ++frame) {
        const auto jump = std::upper_bound(jumps.begin(), jumps.end(), frames[frame]);
        if (jump == jumps.end()) {
            break;
        }
        if (*jump > frames[frame + 1]) {
            continue;
        }
        ++split.jumps;
        const auto inside = std::upper_bound(rest, times.end(), frames[frame]);
        const auto after = std::lower_bound(inside, times.end(), frames[frame + 1]);
        split.even.insert(split.even.end(), rest, inside);
        split.jumping.insert(split.jumping.end(), inside, after);
        rest = after;
    }
    split.even.insert(split.even.end(), rest, times.end());
    return split;
}

}  // namespace

WorstDifference worst_errors(const Clip& wanted, const Clip& shown, std::span<const double> times) {
    ClipPoser a(wanted);
    ClipPoser b(shown);
    const std::vector<Node>& nodes = wanted.skeleton.nodes;
    WorstDifference worst{{nodes.front().name}, nodes.front().name};
    double worst_chord = 0;
    for (const double time : times) {
        a.pose(time);
        b.pose(time);
        for (std::size_t node = 0; node < a.local().size(); ++node) {
            const double apart = chord(a.local()[node].rotation, b.local()[node].rotation);
            if (apart > worst_chord) {
                worst_chord = apart;
                worst.rotation_joint = nodes[node].name;
                worst.rotation_at_seconds = time;
                worst.rotation_degrees =
                    angle_between_degrees(a.local()[node].rotation, b.local()[node].rotation);
            }
            const double away_mm =
                1000.0 * glm::length(a.world()[node].translation - b.world()[node].translation);
            if (away_mm > worst.position_mm) {
                worst.position_mm = away_mm;
                worst.joint = nodes[node].name;
                worst.position_at_seconds = time;
            }
        }
    }
    return worst;
}

std::vector<double> frame_times(const Document& document) {
    std::vector<double> times;
    for (std::size_t frame = 0; frame < document.frame_count; ++frame) {
        times.push_back(static_cast<double>(frame) * document.frame_time_seconds);
    }
    return times;
}

ComparedTimes compared_times(const Document& document, const Clip& wanted, double jump_seconds) {
    std::vector<double> times = frame_times(document);
    std::vector<double> bends;
    for (const Track& track : wanted.tracks) {
        if (track.channel == Channel::property) {
            continue;
        }
        add_bend_times(track, bends);
        times.insert(times.end(), track.times.begin(), track.times.end());
        // Equal times of many tracks take memory only until the next track.
        times = sorted_unique(std::move(times));
    }
    // Nothing is shown before the first frame.
    times.erase(times.begin(), std::lower_bound(times.begin(), times.end(), 0.0));
    return split_at_jumps(
        with_bends(with_midpoints(times), std::move(bends)), frame_times(document),
        jump_times(wanted, std::max(jump_seconds, shortest_slope(document.frame_time_seconds))));
}

Result<Clip> as_written(const Document& document, const Placement& placement) {
    return read(write(document), Reading::strict).and_then([&](const Document& again) {
        return to_clip(again, placement);
    });
}

}  // namespace animbridge::bvh
