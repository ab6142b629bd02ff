// SPDX-License-Identifier: MIT
#include "formats/bvh/compare.h"

#include <glm/geometric.hpp>
#include <map>
#include <optional>

#include "formats/bvh/clip.h"
#include "model/clip_poser.h"

namespace animbridge::bvh {

namespace {

/// Which joint of the second file each joint of the first one is.
struct Pairs {
    std::vector<std::optional<std::size_t>> other;  ///< per joint of the first
    std::vector<std::string> only_in_a;
    std::vector<std::string> only_in_b;
};

Pairs pairs_of(const Document& a, const Document& b) {
    std::map<std::string_view, std::vector<std::size_t>> left;  // last one first
    for (std::size_t i = b.joints.size(); i-- > 0;) {
        left[b.joints[i].name].push_back(i);
    }
    std::vector<bool> found(b.joints.size());
    Pairs pairs;
    for (const Joint& joint : a.joints) {
        std::vector<std::size_t>& same_name = left[joint.name];
        if (same_name.empty()) {
            pairs.other.emplace_back(std::nullopt);
            pairs.only_in_a.push_back(joint.name);
            continue;
        }
        pairs.other.emplace_back(same_name.back());
        found[same_name.back()] = true;
        same_name.pop_back();
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (!found[i]) {
            pairs.only_in_b.push_back(b.joints[i].name);
        }
    }
    return pairs;
}

void collect_times(const Document& document, double frame_seconds, std::vector<double>& times) {
    for (std::size_t frame = 0; frame < document.frame_count; ++frame) {
        times.push_back(static_cast<double>(frame) * frame_seconds);
    }
}

}  // namespace

Result<Comparison> compare(const Document& a, const Document& b, const Job& job) {
    const bool timed = a.frame_time_seconds > 0.0 && b.frame_time_seconds > 0.0;
    const double seconds_a = timed ? a.frame_time_seconds : 1.0;
    const double seconds_b = timed ? b.frame_time_seconds : 1.0;
    const auto clip_a = to_clip(a, {}, seconds_a);
    const auto clip_b = to_clip(b, {}, seconds_b);
    if (!clip_a || !clip_b) {
        return tl::unexpected<Error>(!clip_a ? clip_a.error() : clip_b.error());
    }
    std::vector<double> frames{0.0};
    collect_times(a, seconds_a, frames);
    collect_times(b, seconds_b, frames);
    const std::vector<double> times = with_midpoints(in_order(std::move(frames)));
    Pairs pairs = pairs_of(a, b);
    std::vector<JointDifference> differences(a.joints.size());
    ClipPoser poser_a(*clip_a);
    ClipPoser poser_b(*clip_b);
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (auto going = job.report(static_cast<double>(i) / static_cast<double>(times.size())); !going) {
            return tl::unexpected<Error>(std::move(going.error()));
        }
        poser_a.pose(times[i]);
        poser_b.pose(times[i]);
        for (std::size_t joint = 0; joint < differences.size(); ++joint) {
            if (const auto other = pairs.other[joint]) {
                const glm::dvec3 apart =
                    poser_a.world()[joint].translation - poser_b.world()[*other].translation;
                differences[joint].widen(
                    1000.0 * glm::length(apart),
                    angle_between_degrees(poser_a.local()[joint].rotation, poser_b.local()[*other].rotation),
                    times[i]);
            }
        }
    }
    Comparison comparison{{}, std::move(pairs.only_in_a), std::move(pairs.only_in_b), times.size()};
    for (std::size_t joint = 0; joint < differences.size(); ++joint) {
        if (pairs.other[joint]) {
            differences[joint].joint = a.joints[joint].name;
            comparison.joints.push_back(std::move(differences[joint]));
        }
    }
    return comparison;
}

}  // namespace animbridge::bvh
