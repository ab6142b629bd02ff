// SPDX-License-Identifier: MIT
#include "formats/mrtk/measure.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "formats/mrtk/axes.h"
#include "formats/mrtk/player.h"
#include "model/clip_poser.h"

namespace animbridge::mrtk {

namespace {

struct MeasuredNode {
    std::size_t node = 0;
    std::size_t pose = 0;
};

std::vector<MeasuredNode> measured_nodes(const Clip& clip, const Player& player) {
    std::vector<MeasuredNode> nodes;
    for (std::size_t node = 0; node < clip.skeleton.nodes.size(); ++node) {
        if (const auto pose = pose_named(clip.skeleton.nodes[node].name); pose && player.exists(*pose)) {
            nodes.push_back({node, *pose});
        }
    }
    return nodes;
}

/// When a node of the clip has a key.
std::vector<double> times_of(const Clip& clip) {
    std::vector<double> times{0.0};
    for (const Track& track : clip.tracks) {
        times.insert(times.end(), track.times.begin(), track.times.end());
    }
    return sorted_unique(std::move(times));
}

/// When the recording's poses have a key.
std::vector<double> times_of(const Player& player, const std::vector<MeasuredNode>& nodes) {
    std::vector<double> times;
    for (const MeasuredNode& one : nodes) {
        for (std::size_t i = 0; i < pose_curves; ++i) {
            const CurveView& curve = player.curve(first_curve_of(one.pose) + i);
            for (std::size_t key = 0; key < curve.size(); ++key) {
                times.push_back(curve.time(key));
            }
        }
        times = sorted_unique(std::move(times));
    }
    return times;
}

/// The key times of both, and half-way between. A time of the file that is one of the clip's, rounded to
/// single precision, is taken from the clip: at a step, the last bit would make a jump of it.
std::vector<double> times_of_both(const std::vector<double>& clip, const std::vector<double>& file) {
    std::vector<double> all = clip;
    for (const double seconds : file) {
        const double rounding = 2e-7 * std::max(1.0, std::abs(seconds));
        const auto next = std::lower_bound(clip.begin(), clip.end(), seconds - rounding);
        if (next == clip.end() || *next > seconds + rounding) {
            all.push_back(seconds);
        }
    }
    return with_midpoints(sorted_unique(std::move(all)));
}

}  // namespace

Result<Comparison> measure(const Document& document, const Clip& clip, const Job& job) {
    TRY_VOID(require_playable(document));
    const Player player(document);
    const std::vector<MeasuredNode> nodes = measured_nodes(clip, player);
    const std::vector<double> times = times_of_both(times_of(clip), times_of(player, nodes));
    Comparison comparison{{}, {}, {}, times.size()};
    for (const MeasuredNode& one : nodes) {
        comparison.joints.push_back({pose_name(one.pose)});
    }
    ClipPoser poser(clip);
    for (std::size_t i = 0; i < times.size(); ++i) {
        TRY_VOID(job.report(static_cast<double>(i) / static_cast<double>(times.size())));
        poser.pose(times[i]);
        for (std::size_t n = 0; n < nodes.size(); ++n) {
            const ShownPose shown = player.pose(nodes[n].pose, times[i]);
            const Transform& wanted = poser.world()[nodes[n].node];
            comparison.joints[n].widen(
                millimetres_per_metre * glm::length(swapped(shown.position) - wanted.translation),
                angle_between_degrees(swapped(shown.meant), wanted.rotation), times[i]);
        }
    }
    return comparison;
}

}  // namespace animbridge::mrtk
