// SPDX-License-Identifier: MIT
#include "formats/bvh/export_errors.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <utility>

#include "formats/bvh/clip.h"
#include "formats/bvh/read.h"
#include "formats/bvh/write.h"
#include "model/between_keys.h"
#include "model/clip_poser.h"
#include "model/comparison.h"

namespace animbridge::bvh {

namespace {

/// The squared chord between two orientations, whatever their signs. It orders errors like the angle and is
/// cheaper.
double chord(const glm::dquat& a, const glm::dquat& b) {
    const glm::dquat minus = a - b;
    const glm::dquat plus = a + b;
    return std::min(glm::dot(minus, minus), glm::dot(plus, plus));
}

}  // namespace

ExportErrors worst_errors(const Clip& wanted, const Clip& shown, double frame_time_seconds,
                          std::span<const double> times) {
    ClipPoser a(wanted);
    ClipPoser b(shown);
    ExportErrors worst;
    double worst_chord = 0;
    for (const double time : times) {
        a.pose(time);
        b.pose(time);
        for (std::size_t node = 0; node < a.local().size(); ++node) {
            const double apart = chord(a.local()[node].rotation, b.local()[node].rotation);
            if (apart > worst_chord) {
                worst_chord = apart;
                worst.rotation_degrees =
                    angle_between_degrees(a.local()[node].rotation, b.local()[node].rotation);
            }
            const double away_mm =
                1000.0 * glm::length(a.world()[node].translation - b.world()[node].translation);
            if (away_mm > worst.position_mm) {
                worst.position_mm = away_mm;
                worst.node = node;
                worst.frame = static_cast<std::size_t>(std::max(0.0, std::round(time / frame_time_seconds)));
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

std::vector<double> times_between(const Document& document, const Clip& wanted) {
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
    return with_bends(with_midpoints(times), std::move(bends));
}

Result<ExportErrors> errors_as_written(const Document& document, const Clip& wanted,
                                       const Placement& placement, std::span<const double> times) {
    return read(write(document), Reading::strict)
        .and_then([&](const Document& again) { return to_clip(again, placement); })
        .map([&](const Clip& shown) {
            return worst_errors(wanted, shown, document.frame_time_seconds, times);
        });
}

}  // namespace animbridge::bvh
