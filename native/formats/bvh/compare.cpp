// SPDX-License-Identifier: MIT
#include "formats/bvh/compare.h"

#include <glm/geometric.hpp>
#include <map>
#include <utility>

#include "formats/bvh/clip.h"
#include "model/clip_poser.h"

namespace animbridge::bvh {

namespace {

/// A joint of the first file and its match in the second.
struct Pair {
    std::size_t a;
    std::size_t b;
};

struct Pairs {
    std::vector<Pair> both;  ///< in the order of the first file
    std::vector<std::string> only_in_a;
    std::vector<std::string> only_in_b;
};

Pairs pairs_of(const Document& a, const Document& b) {
    // joints of b by name, last to first for pop_back
    std::map<std::string_view, std::vector<std::size_t>> left;
    for (std::size_t i = b.joints.size(); i-- > 0;) {
        left[b.joints[i].name].push_back(i);
    }
    std::vector<bool> found(b.joints.size());
    Pairs pairs;
    for (std::size_t i = 0; i < a.joints.size(); ++i) {
        std::vector<std::size_t>& same_name = left[a.joints[i].name];
        if (same_name.empty()) {
            pairs.only_in_a.push_back(a.joints[i].name);
            continue;
        }
        pairs.both.push_back({i, same_name.back()});
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

/// Plays two files and measures how far apart their joints are.
class PoseComparison {
public:
    PoseComparison(const Clip& a, const Clip& b, const std::vector<Pair>& pairs)
        : pairs_(pairs), poser_a_(a), poser_b_(b), differences_(pairs.size()) {
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            if (poser_a_.moves(pairs[i].a) || poser_b_.moves(pairs[i].b)) {
                moving_.push_back(i);
            }
        }
    }

    void compare_at(double time) {
        poser_a_.pose(time);
        poser_b_.pose(time);
        // Joints that hold still in both files differ by the same amount at all times, so one look is enough.
        for (std::size_t i = 0; is_first_ && i < pairs_.size(); ++i) {
            compare_pair(i, time);
        }
        for (std::size_t i = 0; !is_first_ && i < moving_.size(); ++i) {
            compare_pair(moving_[i], time);
        }
        is_first_ = false;
    }
    [[nodiscard]] std::vector<JointDifference> take() { return std::move(differences_); }

private:
    void compare_pair(std::size_t pair, double time) {
        const auto [a, b] = pairs_[pair];
        const glm::dvec3 apart = poser_a_.world()[a].translation - poser_b_.world()[b].translation;
        differences_[pair].widen(
            1000.0 * glm::length(apart),
            angle_between_degrees(poser_a_.local()[a].rotation, poser_b_.local()[b].rotation), time);
    }

    const std::vector<Pair>& pairs_;
    ClipPoser poser_a_;
    ClipPoser poser_b_;
    std::vector<JointDifference> differences_;
    std::vector<std::size_t> moving_{};
    bool is_first_ = true;
};

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
    const std::vector<double> times = with_midpoints(sorted_unique(std::move(frames)));
    Pairs pairs = pairs_of(a, b);
    PoseComparison poses(*clip_a, *clip_b, pairs.both);
    for (std::size_t i = 0; i < times.size(); ++i) {
        TRY_VOID(job.report(static_cast<double>(i) / static_cast<double>(times.size())));
        poses.compare_at(times[i]);
    }
    Comparison comparison{poses.take(), std::move(pairs.only_in_a), std::move(pairs.only_in_b), times.size()};
    for (std::size_t i = 0; i < pairs.both.size(); ++i) {
        comparison.joints[i].joint = a.joints[pairs.both[i].a].name;
    }
    return comparison;
}

}  // namespace animbridge::bvh
