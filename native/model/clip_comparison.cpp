// SPDX-License-Identifier: MIT
#include "model/clip_comparison.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <map>
#include <string>
#include <utility>

#include "model/clip_poser.h"

namespace animbridge {

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

Pairs pairs_of(const Skeleton& a, const Skeleton& b) {
    // joints of b by name, last to first for pop_back
    std::map<std::string_view, std::vector<std::size_t>> left;
    for (std::size_t i = b.nodes.size(); i-- > 0;) {
        left[b.nodes[i].name].push_back(i);
    }
    std::vector<bool> found(b.nodes.size());
    Pairs pairs;
    for (std::size_t i = 0; i < a.nodes.size(); ++i) {
        std::vector<std::size_t>& same_name = left[a.nodes[i].name];
        if (same_name.empty()) {
            pairs.only_in_a.push_back(a.nodes[i].name);
            continue;
        }
        pairs.both.push_back({i, same_name.back()});
        found[same_name.back()] = true;
        same_name.pop_back();
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (!found[i]) {
            pairs.only_in_b.push_back(b.nodes[i].name);
        }
    }
    return pairs;
}

/// Plays two clips and measures how far apart their joints are.
class PoseComparison {
public:
    PoseComparison(const Clip& a, const Clip& b, const std::vector<Pair>& pairs)
        : pairs_(pairs), poser_a_(a), poser_b_(b), differences_(pairs.size()), largest_(pairs.size()) {
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            if (poser_a_.moves(pairs[i].a) || poser_b_.moves(pairs[i].b)) {
                moving_.push_back(i);
            }
        }
    }

    void compare_at(double time) {
        poser_a_.pose(time);
        poser_b_.pose(time);
        // The difference of joints that do not move in both is constant, so one comparison is enough.
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
        differences_[pair].widen(1000.0 * glm::length(apart), degrees_or_less(pair), time);
    }

    /// The angle between the rotations, or 0 if it is surely not the largest so far: its square is monotonic,
    /// and takes a tenth of the time.
    double degrees_or_less(std::size_t pair) {
        const glm::dquat& a = poser_a_.local()[pairs_[pair].a].rotation;
        const glm::dquat& b = poser_b_.local()[pairs_[pair].b].rotation;
        const glm::dquat apart = a - (glm::dot(a, b) < 0.0 ? -b : b);
        const double square = glm::dot(apart, apart);
        constexpr double rounding = 1e-9;
        constexpr double least = 1e-24;  // below the precision of doubles for a rotation of length 1
        const bool are_units =
            std::abs(glm::dot(a, a) - 1.0) < rounding && std::abs(glm::dot(b, b) - 1.0) < rounding;
        if (are_units && square + least < (1.0 - rounding) * largest_[pair]) {
            return 0.0;
        }
        largest_[pair] = std::max(largest_[pair], are_units ? square : 0.0);
        return angle_between_degrees(a, b);
    }

    const std::vector<Pair>& pairs_;
    ClipPoser poser_a_;
    ClipPoser poser_b_;
    std::vector<JointDifference> differences_;
    std::vector<double> largest_;  ///< square of the difference of unit rotations, per pair
    std::vector<std::size_t> moving_{};
    bool is_first_ = true;
};

}  // namespace

Result<Comparison> compare_clips(const Clip& a, const Clip& b, std::span<const double> times_seconds,
                                 const Job& job) {
    Pairs pairs = pairs_of(a.skeleton, b.skeleton);
    PoseComparison poses(a, b, pairs.both);
    for (std::size_t i = 0; i < times_seconds.size(); ++i) {
        TRY_VOID(job.report(static_cast<double>(i) / static_cast<double>(times_seconds.size())));
        poses.compare_at(times_seconds[i]);
    }
    Comparison comparison{poses.take(), std::move(pairs.only_in_a), std::move(pairs.only_in_b),
                          times_seconds.size()};
    for (std::size_t i = 0; i < pairs.both.size(); ++i) {
        comparison.joints[i].joint = a.skeleton.nodes[pairs.both[i].a].name;
    }
    return comparison;
}

std::vector<double> times_to_compare(const Clip& a, const Clip& b) {
    std::vector<double> times{0.0};
    for (const Clip* clip : {&a, &b}) {
        const std::vector<double>* before = nullptr;
        for (const Track& track : clip->tracks) {
            if (before != nullptr && *before == track.times) {
                continue;  // as in every sampled animation
            }
            before = &track.times;
            times.insert(times.end(), track.times.begin(), track.times.end());
        }
        // Equal times of many tracks take memory only until the next clip.
        times = sorted_unique(std::move(times));
    }
    return with_midpoints(times);
}

}  // namespace animbridge
