// SPDX-License-Identifier: MIT
#include "reduce/reduce.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>
#include <utility>

#include "model/clip/clip.h"
#include "reduce/passes.h"

namespace animbridge::reduce {

namespace {

/// Each node's distance to its farthest counted descendant in the rest pose, in metres.
std::vector<double> reaches_of(const PlayedMotion& motion) {
    const Skeleton& skeleton = motion.skeleton;
    std::vector<Transform> world(skeleton.nodes.size());
    std::vector<double> reach(skeleton.nodes.size(), 0.0);
    for (std::size_t i = 0; i < world.size(); ++i) {
        const Node& node = skeleton.nodes[i];
        world[i] = node.parent ? world[*node.parent] * node.rest_local : node.rest_local;
        for (auto above = motion.counted[i] ? node.parent : std::nullopt; above;
             above = skeleton.nodes[*above].parent) {
            const double distance = glm::length(world[i].translation - world[*above].translation);
            reach[*above] = std::max(reach[*above], distance);
        }
    }
    return reach;
}

/// The error that a track may have by itself, so that its farthest descendant stays about within the bound: a
/// chord, or metres.
double local_tolerance(const KeyTrack& track, const std::vector<double>& reach, const Bound& bound) {
    if (track.channel == Channel::translation) {
        return bound.position_mm / 1000.0 * (track.node ? share_of_bound : 1.0);
    }
    double degrees = bound.rotation_degrees;
    if (track.node && reach[*track.node] > 0.0) {
        const double radians = share_of_bound * bound.position_mm / 1000.0 / reach[*track.node];
        degrees = std::min(degrees, radians * 180.0 / std::numbers::pi);
    }
    return chord_of_degrees(degrees);
}

}  // namespace

Reducer::Reducer(const PlayedMotion& motion, std::vector<float> times)
    : motion_(motion), times_(std::move(times)), reaches_(reaches_of(motion)) {}

std::vector<Kept> Reducer::seed(const Bound& bound, std::uint64_t& operations) const {
    std::vector<Kept> kept;
    kept.reserve(motion_.tracks.size());
    for (std::size_t i = 0; i < motion_.tracks.size(); ++i) {
        const KeyTrack& track = motion_.tracks[i];
        const double tolerance = local_tolerance(track, reaches_, bound);
        kept.push_back(track.may_lose_keys ? choose_keys(motion_, i, times_, tolerance, operations)
                                           : Kept(track.size(), 1));
    }
    return kept;
}

Result<Reduced> Reducer::within(const Bound& bound, const Job& job) const {
    std::uint64_t operations = 0;
    std::vector<Kept> kept = seed(bound, operations);
    TRY_VOID(put_keys_back(motion_, times_, bound, kept, job.part(0.1, 0.9), operations));
    TRY(auto errors, largest_errors(motion_, times_, kept, job.part(0.9, 1.0)));
    Reduced reduced;
    for (std::size_t i = 0; i < motion_.tracks.size(); ++i) {
        const KeyTrack& track = motion_.tracks[i];
        if (track.may_lose_keys) {
            reduced.keys_before += track.size();
            reduced.keys_after +=
                static_cast<std::size_t>(std::count(kept[i].begin(), kept[i].end(), std::uint8_t{1}));
        }
    }
    reduced.holds =
        errors.position_mm <= bound.position_mm && errors.rotation_degrees <= bound.rotation_degrees;
    reduced.kept = std::move(kept);
    reduced.errors = std::move(errors);
    reduced.operations = operations;
    return reduced;
}

namespace {

constexpr double step = 4.0;        ///< factor between scales until one fits and one does not
constexpr double precision = 1.02;  ///< of the final scale
constexpr double smallest = 1.0 / 4096.0;
constexpr double largest = 1e12;  ///< under this bound, every key may be dropped

/// Tries scales of the unit bound and keeps the smallest that fits.
class Search {
public:
    Search(const Reducer& reducer, const Bound& unit, std::size_t limit,
           const std::function<std::size_t(const std::vector<Kept>&)>& bytes_of, const Job& job)
        : reducer_(reducer), unit_(unit), limit_(limit), bytes_of_(bytes_of), job_(job) {}

    /// Whether the result fits at this scale. The size is not monotonic in the scale, so the smallest scale
    /// that ever fitted is kept.
    Result<bool> try_scale(double scale) {
        const Bound bound = unit_.scaled(scale);
        const double from = 1.0 - std::pow(0.85, tries_);
        const double to = 1.0 - std::pow(0.85, ++tries_);
        TRY(auto reduced, reducer_.within(bound, job_.part(from, to)));
        last_bytes_ = bytes_of_(reduced.kept);
        if (last_bytes_ > limit_) {
            return false;
        }
        if (!best_ || scale < best_scale_) {
            best_ = Fitted{std::move(reduced), bound, last_bytes_};
            best_scale_ = scale;
        }
        return true;
    }

    [[nodiscard]] std::size_t last_bytes() const { return last_bytes_; }
    [[nodiscard]] Fitted best() && { return std::move(*best_); }

private:
    const Reducer& reducer_;
    Bound unit_;
    std::size_t limit_;
    const std::function<std::size_t(const std::vector<Kept>&)>& bytes_of_;
    const Job& job_;
    int tries_ = 0;
    std::size_t last_bytes_ = 0;
    std::optional<Fitted> best_;
    double best_scale_ = 0;
};

}  // namespace

Result<Fitted> fit(const Reducer& reducer, const Bound& unit, bool at_least_unit, std::size_t limit,
                   const std::function<std::size_t(const std::vector<Kept>&)>& bytes_of, const Job& job) {
    Search search(reducer, unit, limit, bytes_of, job);
    const auto failed = [](Result<bool>& tried) { return fail(std::move(tried.error())); };
    auto fits = search.try_scale(largest);
    if (fits && !*fits) {
        return fail(ErrorCode::rejected, "one key per track takes " + std::to_string(search.last_bytes()) +
                                             " bytes; " + std::to_string(limit) +
                                             " are allowed: animate fewer joints");
    }
    fits = fits ? search.try_scale(1.0) : std::move(fits);
    if (!fits) {
        return failed(fits);
    }
    if (*fits && at_least_unit) {
        return std::move(search).best();
    }
    // Find a scale at which it does not fit (low) and one at which it does (high).
    double low = 1.0;
    double high = 1.0;
    if (*fits) {
        while (fits && *fits && low > smallest) {
            high = low;
            low /= step;
            fits = search.try_scale(low);
        }
    } else {
        while (fits && !*fits && high < largest) {
            low = high;
            high *= step;
            fits = search.try_scale(high);
        }
    }
    if (!fits) {
        return failed(fits);
    }
    const bool at_an_end = *fits ? low <= smallest : high >= largest;
    if (at_an_end) {
        return std::move(search).best();
    }
    while (high > low * precision) {
        const double middle = std::sqrt(low * high);
        fits = search.try_scale(middle);
        if (!fits) {
            return failed(fits);
        }
        (*fits ? high : low) = middle;
    }
    return std::move(search).best();
}

namespace {

/// How far a key is from the line between two others.
double error_of(const Track& track, std::size_t key, std::size_t first, std::size_t last) {
    const double length = track.times[last] - track.times[first];
    const double u = length > 0.0 ? (track.times[key] - track.times[first]) / length : 0.0;
    if (track.channel == Channel::rotation) {
        const glm::dquat line = track.rotation(first) * (1.0 - u) + track.rotation(last) * u;
        return angle_between_degrees(line, track.rotation(key));
    }
    const glm::dvec3 line = track.translation(first) * (1.0 - u) + track.translation(last) * u;
    return 1000.0 * glm::length(line - track.translation(key));
}

}  // namespace

std::vector<bool> needed_keys(const Track& track, double bound) {
    std::vector<bool> needed(track.key_count(), bound == 0.0);
    needed.front() = needed.back() = true;
    std::vector<std::pair<std::size_t, std::size_t>> waiting;
    if (bound > 0.0) {
        waiting.emplace_back(0, track.key_count() - 1);
    }
    while (!waiting.empty()) {
        const auto [first, last] = waiting.back();
        waiting.pop_back();
        std::size_t worst = first;
        double largest = bound;
        for (std::size_t key = first + 1; key < last; ++key) {
            const double error = error_of(track, key, first, last);
            if (error > largest) {
                largest = error;
                worst = key;
            }
        }
        if (worst != first) {
            needed[worst] = true;
            waiting.emplace_back(first, worst);
            waiting.emplace_back(worst, last);
        }
    }
    return needed;
}

Track without_needless_keys(const Track& track, double bound) {
    if (track.key_count() < 2) {
        return track;
    }
    const std::vector<bool> needed = needed_keys(track, bound);
    Track reduced{track.node, track.channel};
    for (std::size_t key = 0; key < track.key_count(); ++key) {
        if (needed[key]) {
            reduced.add_key(track.times[key], track.value(key));
        }
    }
    return reduced;
}

}  // namespace animbridge::reduce
