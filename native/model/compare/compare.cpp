// SPDX-License-Identifier: MIT
#include "model/compare/compare.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <glm/geometric.hpp>
#include <map>
#include <numbers>
#include <utility>

namespace animbridge {

void JointDifference::widen(double millimetres, double degrees, double at_seconds) {
    if (millimetres > position_mm) {
        position_mm = millimetres;
        position_at_seconds = at_seconds;
    }
    if (degrees > rotation_degrees) {
        rotation_degrees = degrees;
        rotation_at_seconds = at_seconds;
    }
}

WorstDifference Comparison::worst() const {
    WorstDifference worst;
    for (const JointDifference& joint : joints) {
        if (joint.position_mm > worst.position_mm || worst.joint.empty()) {
            worst.position_mm = joint.position_mm;
            worst.position_at_seconds = joint.position_at_seconds;
            worst.joint = joint.joint;
        }
        if (joint.rotation_degrees > worst.rotation_degrees) {
            worst.rotation_joint = joint.joint;
            worst.rotation_degrees = joint.rotation_degrees;
            worst.rotation_at_seconds = joint.rotation_at_seconds;
        }
    }
    return worst;
}

namespace {

constexpr std::uint32_t size_bits = 16;

Json spread_json(const ErrorSpread& spread) {
    return {{"worst", spread.worst},
            {"joint", json_text(spread.joint)},
            {"at_seconds", spread.at_seconds},
            {"percentile_99_9", spread.percentile_99_9},
            {"mean", spread.mean}};
}

}  // namespace

Json ErrorSpreads::to_json() const {
    return {{"position_mm", spread_json(position_mm)},
            {"rotation_degrees", spread_json(rotation_degrees)},
            {"joints", joints},
            {"times", times}};
}

void SpreadCounter::Counts::add(double error, std::uint64_t times) {
    // A NaN may have a sign.
    constexpr std::uint32_t without_sign = 0x7fffffff;
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(error)) & without_sign;
    of_size[bits >> size_bits] += times;
    all += times;
    sum += error * static_cast<double>(times);
}

void SpreadCounter::Counts::put(ErrorSpread& spread) const {
    if (all == 0) {
        return;
    }
    spread.mean = sum / static_cast<double>(all);
    constexpr std::uint64_t share = 1000;
    std::uint64_t larger = 0;
    std::size_t size = of_size.size();
    while (size > 0 && larger + of_size[size - 1] <= all / share) {
        larger += of_size[--size];
    }
    if (size > 0 && size - 1 > 0) {
        // The end of the size's range; the largest error can be below it.
        const auto end = std::bit_cast<float>(static_cast<std::uint32_t>(size) << size_bits);
        spread.percentile_99_9 = std::isfinite(end) ? std::min(double{end}, spread.worst) : spread.worst;
    }
}

void SpreadCounter::add(double millimetres, double degrees, std::uint64_t times) {
    millimetres_.add(millimetres, times);
    degrees_.add(degrees, times);
}

ErrorSpreads SpreadCounter::spreads(const WorstDifference& worst, std::size_t joints,
                                    std::size_t times) const {
    ErrorSpreads spreads{{worst.position_mm, worst.joint, worst.position_at_seconds},
                         {worst.rotation_degrees, worst.rotation_joint, worst.rotation_at_seconds},
                         joints,
                         times};
    millimetres_.put(spreads.position_mm);
    degrees_.put(spreads.rotation_degrees);
    return spreads;
}

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
    PoseComparison(const Clip& a, const Clip& b, const std::vector<Pair>& pairs, std::size_t times)
        : pairs_(pairs),
          times_(times),
          poser_a_(a),
          poser_b_(b),
          differences_(pairs.size()),
          largest_(pairs.size()),
          moves_(pairs.size()) {
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            if (poser_a_.moves(pairs[i].a) || poser_b_.moves(pairs[i].b)) {
                moves_[i] = true;
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
    [[nodiscard]] const SpreadCounter& counted() const { return counted_; }

private:
    void compare_pair(std::size_t pair, double time) {
        const auto [a, b] = pairs_[pair];
        const glm::dvec3 apart = poser_a_.world()[a].translation - poser_b_.world()[b].translation;
        const double millimetres = 1000.0 * glm::length(apart);
        const double degrees = degrees_apart(pair);
        differences_[pair].widen(millimetres, degrees, time);
        counted_.add(millimetres, degrees, moves_[pair] ? 1 : times_);
    }

    /// The angle between the rotations. If it is surely not the largest so far, to nine digits: that takes
    /// less time.
    double degrees_apart(std::size_t pair) {
        const glm::dquat& a = poser_a_.local()[pairs_[pair].a].rotation;
        const glm::dquat& b = poser_b_.local()[pairs_[pair].b].rotation;
        const glm::dquat apart = a - (glm::dot(a, b) < 0.0 ? -b : b);
        const double square = glm::dot(apart, apart);
        constexpr double rounding = 1e-9;
        constexpr double least = 1e-24;  // below the precision of doubles for a rotation of length 1
        const bool are_units =
            std::abs(glm::dot(a, a) - 1.0) < rounding && std::abs(glm::dot(b, b) - 1.0) < rounding;
        constexpr double small = 4e-4;  // 2.3 degrees: the formula below is then exact to nine digits
        if (are_units && square < small && square + least < (1.0 - rounding) * largest_[pair]) {
            return 2.0 * std::sqrt(square) * (1.0 + square / 24.0) * 180.0 / std::numbers::pi;
        }
        largest_[pair] = std::max(largest_[pair], are_units ? square : 0.0);
        return angle_between_degrees(a, b);
    }

    const std::vector<Pair>& pairs_;
    std::size_t times_;
    ClipPoser poser_a_;
    ClipPoser poser_b_;
    std::vector<JointDifference> differences_;
    std::vector<double> largest_;  ///< square of the difference of unit rotations, per pair
    std::vector<bool> moves_;
    std::vector<std::size_t> moving_{};
    SpreadCounter counted_{};
    bool is_first_ = true;
};

}  // namespace

Result<Comparison> compare_clips(const Clip& a, const Clip& b, std::span<const double> times_seconds,
                                 const Job& job) {
    Pairs pairs = pairs_of(a.skeleton, b.skeleton);
    PoseComparison poses(a, b, pairs.both, times_seconds.size());
    for (std::size_t i = 0; i < times_seconds.size(); ++i) {
        TRY_VOID(job.report(static_cast<double>(i) / static_cast<double>(times_seconds.size())));
        poses.compare_at(times_seconds[i]);
    }
    Comparison comparison{poses.take(), std::move(pairs.only_in_a), std::move(pairs.only_in_b),
                          times_seconds.size()};
    for (std::size_t i = 0; i < pairs.both.size(); ++i) {
        comparison.joints[i].joint = a.skeleton.nodes[pairs.both[i].a].name;
    }
    comparison.spread = poses.counted().spreads(comparison.worst(), pairs.both.size(), times_seconds.size());
    return comparison;
}

glm::dvec3 offset_of_path(std::vector<glm::dvec3> apart) {
    constexpr double longest_error_metres = 0.02;
    std::erase_if(apart, [](const glm::dvec3& distance) { return !is_finite(distance); });
    if (apart.empty()) {
        return {0, 0, 0};
    }
    glm::dvec3 offset(0);
    const auto middle = apart.begin() + static_cast<std::ptrdiff_t>(apart.size() / 2);
    for (glm::length_t axis = 0; axis < 3; ++axis) {
        std::nth_element(apart.begin(), middle, apart.end(),
                         [axis](const glm::dvec3& a, const glm::dvec3& b) { return a[axis] < b[axis]; });
        offset[axis] = (*middle)[axis];
    }
    const auto near = std::ranges::count_if(apart, [&](const glm::dvec3& distance) {
        return glm::length(distance - offset) <= longest_error_metres;
    });
    const bool is_constant = 2 * static_cast<std::size_t>(near) >= apart.size();
    return is_constant && glm::length(offset) > longest_error_metres ? offset : glm::dvec3(0);
}

glm::dquat turn_of_body(std::vector<glm::dquat> apart) {
    constexpr double largest_error_degrees = 5.0;
    const glm::dquat none(1, 0, 0, 0);
    std::erase_if(apart, [](const glm::dquat& turn) { return !std::isfinite(glm::dot(turn, turn)); });
    if (apart.empty()) {
        return none;
    }
    for (glm::dquat& turn : apart) {
        turn = glm::dot(turn, apart.front()) < 0.0 ? -turn : turn;
    }
    glm::dquat middle = none;
    const auto half = apart.begin() + static_cast<std::ptrdiff_t>(apart.size() / 2);
    for (glm::length_t i = 0; i < 4; ++i) {
        std::nth_element(apart.begin(), half, apart.end(),
                         [i](const glm::dquat& a, const glm::dquat& b) { return a[i] < b[i]; });
        middle[i] = (*half)[i];
    }
    const double length = glm::length(middle);
    if (!(length > 0.5)) {
        return none;
    }
    middle = middle / length;
    const auto near = std::ranges::count_if(apart, [&](const glm::dquat& turn) {
        return angle_between_degrees(turn, middle) <= largest_error_degrees;
    });
    const bool is_constant = 2 * static_cast<std::size_t>(near) >= apart.size();
    return is_constant && angle_between_degrees(middle, none) > largest_error_degrees ? middle : none;
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

namespace {

constexpr int looks_per_segment = 16;
constexpr std::size_t most_between = 8;

/// The distance of times that files cannot distinguish: a few steps of single precision.
double too_close(double seconds) { return 4e-7 * std::max(1.0, std::abs(seconds)); }

struct Peak {
    double at = 0;
    double height = 0;
};

/// Looks for a higher place on one side of the peak, at quarters of the way to `reach` from it.
template <typename Measure>
Peak higher(const Peak& peak, double reach, const Measure& measure) {
    Peak best = peak;
    for (const double share : {0.25, 0.5, 0.75}) {
        const double seconds = peak.at + share * reach;
        if (std::abs(seconds - peak.at) < too_close(peak.at)) {
            continue;
        }
        if (const double height = measure(seconds); height > best.height) {
            best = {seconds, height};
        }
    }
    return best;
}

/// Narrows down where the difference is largest: each round uses a quarter of the previous distance.
template <typename Measure>
void climb(const std::vector<double>& times, double from, const Measure& measure) {
    const auto at = std::ranges::lower_bound(times, from);
    if (at == times.end() || *at != from) {
        return;
    }
    Peak peak{from, measure(from)};
    double before = at == times.begin() ? 0.0 : *(at - 1) - from;
    double after = at + 1 == times.end() ? 0.0 : *(at + 1) - from;
    constexpr int rounds = 7;
    for (int round = 0; round < rounds; ++round) {
        const Peak left = higher(peak, before, measure);
        const Peak right = higher(peak, after, measure);
        if (right.height > left.height) {
            peak = right;
            before = -after;
        } else if (left.height > peak.height) {
            peak = left;
            after = -before;
        }
        before /= 4.0;
        after /= 4.0;
    }
}

}  // namespace

void add_bend_times(const Track& track, std::vector<double>& times) {
    for (std::size_t key = 0; key + 1 < track.key_count(); ++key) {
        const double length = track.times[key + 1] - track.times[key];
        if (track.interpolation_after(key) != Interpolation::bezier || !(length > 0.0)) {
            continue;
        }
        for (std::size_t number = 0; number < track.width(); ++number) {
            const Handles& out = track.handles[key * track.width() + number];
            const Handles& in = track.handles[(key + 1) * track.width() + number];
            const double x1 = std::clamp(out.out_time, 0.0, length);
            const double x2 = length - std::clamp(-in.in_time, 0.0, length);
            for (int look = 1; look < looks_per_segment; ++look) {
                const double u = static_cast<double>(look) / looks_per_segment;
                const double v = 1.0 - u;
                times.push_back(track.times[key] + 3.0 * v * v * u * x1 + 3.0 * v * u * u * x2 +
                                u * u * u * length);
            }
        }
    }
}

std::vector<double> with_bends(const std::vector<double>& times, std::vector<double> bends) {
    std::ranges::sort(bends);
    std::vector<double> all;
    std::vector<double> between;
    auto bend = bends.begin();
    for (std::size_t i = 0; i < times.size(); ++i) {
        all.push_back(times[i]);
        const double close = too_close(times[i]);
        const double end = i + 1 < times.size() ? times[i + 1] - close : times[i];
        bend = std::lower_bound(bend, bends.end(), times[i] + close);
        between.clear();
        for (; bend != bends.end() && *bend < end; ++bend) {
            if (between.empty() || *bend > between.back()) {
                between.push_back(*bend);
            }
        }
        const std::size_t count = std::min(between.size(), most_between);
        for (std::size_t one = 0; one < count; ++one) {
            all.push_back(between[(2 * one + 1) * between.size() / (2 * count)]);
        }
    }
    return all;
}

void widen_nearby(const std::vector<double>& times, const std::function<Difference(double seconds)>& at,
                  JointDifference& found) {
    const double position_at = found.position_at_seconds;
    const double rotation_at = found.rotation_at_seconds;
    const auto look = [&](double seconds) {
        // Rounding errors are not a reason to report another time.
        constexpr double larger = 1.0 - 1e-9;
        const Difference difference = at(seconds);
        found.widen(larger * difference.millimetres, larger * difference.degrees, seconds);
        return difference;
    };
    if (found.position_mm > 0.0) {
        climb(times, position_at, [&](double seconds) { return look(seconds).millimetres; });
    }
    if (found.rotation_degrees > 0.0) {
        climb(times, rotation_at, [&](double seconds) { return look(seconds).degrees; });
    }
}

namespace {

/// Whether the next key shows something else. A quaternion and its negative are the same rotation.
bool changes_after(const Track& track, std::size_t key) {
    const auto here = track.value(key);
    const auto next = track.value(key + 1);
    if (std::equal(here.begin(), here.end(), next.begin())) {
        return false;
    }
    return track.channel != Channel::rotation || track.component ||
           !std::equal(here.begin(), here.end(), next.begin(), [](double a, double b) { return a == -b; });
}

}  // namespace

std::vector<double> jump_times(const Clip& clip, double shortest_seconds) {
    std::vector<double> times;
    for (const Track& track : clip.tracks) {
        if (track.channel == Channel::property) {
            continue;
        }
        for (std::size_t key = 0; key + 1 < track.key_count(); ++key) {
            const bool is_sudden = track.interpolation_after(key) == Interpolation::step ||
                                   track.times[key + 1] - track.times[key] <= shortest_seconds;
            if (is_sudden && changes_after(track, key)) {
                times.push_back(track.times[key + 1]);
            }
        }
    }
    return sorted_unique(std::move(times));
}

}  // namespace animbridge
