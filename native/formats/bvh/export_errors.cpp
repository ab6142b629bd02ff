// SPDX-License-Identifier: MIT
#include "formats/bvh/export_errors.h"

#include <algorithm>
#include <glm/geometric.hpp>

#include "formats/bvh/clip.h"
#include "formats/bvh/read.h"
#include "formats/bvh/write.h"
#include "model/clip_poser.h"

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
                          std::size_t frame_count) {
    ClipPoser a(wanted);
    ClipPoser b(shown);
    ExportErrors worst;
    double worst_chord = 0;
    for (std::size_t frame = 0; frame < frame_count; ++frame) {
        const double time = static_cast<double>(frame) * frame_time_seconds;
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
                worst.frame = frame;
            }
        }
    }
    return worst;
}

Result<ExportErrors> errors_as_written(const Document& document, const Clip& wanted,
                                       const Placement& placement) {
    return read(write(document), Reading::strict)
        .and_then([&](const Document& again) { return to_clip(again, placement); })
        .map([&](const Clip& shown) {
            return worst_errors(wanted, shown, document.frame_time_seconds, document.frame_count);
        });
}

}  // namespace animbridge::bvh
