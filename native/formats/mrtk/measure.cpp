// SPDX-License-Identifier: MIT
#include "formats/mrtk/measure.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "formats/mrtk/axes.h"
#include "formats/mrtk/bends.h"
#include "formats/mrtk/player.h"
#include "model/between_keys.h"
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

/// The key times of the clip's nodes.
std::vector<double> times_of(const Clip& clip) {
    std::vector<double> times{0.0};
    for (const Track& track : clip.tracks) {
        times.insert(times.end(), track.times.begin(), track.times.end());
    }
    return sorted_unique(std::move(times));
}

/// The key times of the recording's poses.
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

/// The key times of both, and the midpoints. A time of the file that equals one of the clip's, rounded to
/// single precision, is replaced by the clip's: at a step, the last bit would become a jump.
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

/// The times to compare along curves of either.
std::vector<double> bends_of_both(const Clip& clip, const Player& player,
                                  const std::vector<MeasuredNode>& nodes) {
    std::vector<double> bends;
    for (const Track& track : clip.tracks) {
        if (track.channel != Channel::property) {
            add_bend_times(track, bends);
        }
    }
    for (const MeasuredNode& one : nodes) {
        for (std::size_t i = 0; i < pose_curves; ++i) {
            add_bend_times(player.curve(first_curve_of(one.pose) + i), bends);
        }
    }
    return bends;
}

/// The measured nodes, and the error of each at a time.
class Measured {
public:
    Measured(const Clip& clip, const Player& player, const std::vector<MeasuredNode>& nodes)
        : player_(player), nodes_(nodes), poser_(clip) {}

    void pose(double seconds) {
        seconds_ = seconds;
        poser_.pose(seconds);
    }
    [[nodiscard]] Difference difference(std::size_t i) const {
        const ShownPose shown = player_.pose(nodes_[i].pose, seconds_);
        const Transform& wanted = poser_.world()[nodes_[i].node];
        return {millimetres_per_metre * glm::length(swapped(shown.position) - wanted.translation),
                angle_between_degrees(swapped(shown.meant), wanted.rotation)};
    }

private:
    const Player& player_;
    const std::vector<MeasuredNode>& nodes_;
    ClipPoser poser_;
    double seconds_ = 0;
};

/// Searches near the largest differences. Only those of the worst joint are reported, and posing a clip takes
/// long.
void widen_worst(const std::vector<double>& times, Measured& measured, Comparison& comparison) {
    const auto widen = [&](const auto& less) {
        const auto worst = std::max_element(comparison.joints.begin(), comparison.joints.end(), less);
        const auto i = static_cast<std::size_t>(worst - comparison.joints.begin());
        const auto at = [&](double seconds) {
            measured.pose(seconds);
            return measured.difference(i);
        };
        widen_nearby(times, at, *worst);
    };
    widen([](const auto& a, const auto& b) { return a.position_mm < b.position_mm; });
    widen([](const auto& a, const auto& b) { return a.rotation_degrees < b.rotation_degrees; });
}

}  // namespace

Result<Comparison> measure(const Document& document, const Clip& clip, const Job& job) {
    TRY_VOID(require_playable(document));
    const Player player(document);
    const std::vector<MeasuredNode> nodes = measured_nodes(clip, player);
    std::vector<double> bends = bends_of_both(clip, player, nodes);
    const bool is_curved = !bends.empty();
    const std::vector<double> times =
        with_bends(times_of_both(times_of(clip), times_of(player, nodes)), std::move(bends));
    Comparison comparison{{}, {}, {}, times.size()};
    for (const MeasuredNode& one : nodes) {
        comparison.joints.push_back({pose_name(one.pose)});
    }
    Measured measured(clip, player, nodes);
    for (std::size_t i = 0; i < times.size(); ++i) {
        TRY_VOID(job.report(static_cast<double>(i) / static_cast<double>(times.size())));
        measured.pose(times[i]);
        for (std::size_t n = 0; n < nodes.size(); ++n) {
            const Difference difference = measured.difference(n);
            comparison.joints[n].widen(difference.millimetres, difference.degrees, times[i]);
        }
    }
    if (is_curved && !nodes.empty()) {
        widen_worst(times, measured, comparison);
    }
    return comparison;
}

}  // namespace animbridge::mrtk
