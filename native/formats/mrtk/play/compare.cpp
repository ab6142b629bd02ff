// SPDX-License-Identifier: MIT
#include "formats/mrtk/play/play.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>
#include <utility>

#include "formats/mrtk/check/check.h"

namespace animbridge::mrtk::play {

namespace {

constexpr double millimetres = 1000.0;

void collect_key_times(const file::Document& document, std::vector<double>& times) {
    for (const file::FullKey& key : document.full_keys) {
        times.push_back(static_cast<double>(key.time.value()));
    }
    for (const file::SimpleKey& key : document.simple_keys) {
        times.push_back(static_cast<double>(key.time.value()));
    }
}

/// No midpoint between two times that are neighbours in single precision: there may be a step, which MRTK's
/// clock never meets.
std::vector<double> times_of(const file::Document& a, const file::Document& b) {
    std::vector<double> keys{0.0};
    collect_key_times(a, keys);
    collect_key_times(b, keys);
    keys = sorted_unique(std::move(keys));
    std::vector<double> times = with_midpoints(keys);
    const auto is_between_floats = [&](double seconds) {
        const auto nearest = static_cast<double>(static_cast<float>(seconds));
        const auto key = std::ranges::lower_bound(keys, seconds);
        return *key != seconds && (nearest == *key || nearest == *(key - 1));
    };
    times.erase(std::remove_if(times.begin(), times.end(), is_between_floats), times.end());
    return times;
}

double angle_between(const glm::dvec3& a, const glm::dvec3& b) {
    return std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b)) * 180.0 / std::numbers::pi;
}

/// Two recordings, played in parallel.
struct Pair {
    const Player& a;
    const Player& b;
    const std::vector<double>& times;  ///< the key times of both, and the midpoints
};

Difference pose_difference(const Pair& pair, std::size_t pose, double seconds) {
    const ShownPose a = pair.a.pose(pose, seconds);
    const ShownPose b = pair.b.pose(pose, seconds);
    return {millimetres * glm::length(a.position - b.position), angle_between_degrees(a.meant, b.meant)};
}

Difference gaze_difference(const Pair& pair, double seconds) {
    const ShownGaze a = pair.a.gaze(seconds);
    const ShownGaze b = pair.b.gaze(seconds);
    return {millimetres * glm::length(a.origin - b.origin), angle_between(a.direction, b.direction)};
}

/// The largest differences of an object with `count` curves from the first one. Without curved segments, it
/// is farthest apart at its keys, closely enough.
template <typename At>
Result<void> widen_all(const Pair& pair, std::size_t first, std::size_t count, const At& at, const Job& job,
                       JointDifference& found, SpreadCounter& counted) {
    std::vector<double> bends;
    for (std::size_t curve = first; curve < first + count; ++curve) {
        curves::add_bend_times(pair.a.curve(curve), bends);
        curves::add_bend_times(pair.b.curve(curve), bends);
    }
    const bool is_curved = !bends.empty();
    const std::vector<double> times =
        is_curved ? with_bends(pair.times, std::move(bends)) : std::vector<double>();
    const std::vector<double>& looked_at = is_curved ? times : pair.times;
    for (std::size_t i = 0; i < looked_at.size(); ++i) {
        TRY_VOID(job.report(static_cast<double>(i) / static_cast<double>(looked_at.size())));
        const Difference difference = at(looked_at[i]);
        found.widen(difference.millimetres, difference.degrees, looked_at[i]);
        counted.add(difference.millimetres, difference.degrees);
    }
    if (is_curved) {
        widen_nearby(looked_at, at, found);
    }
    return {};
}

/// Adds a name to the list of those that only one of them has; returns whether both have it.
bool both_have(bool in_a, bool in_b, const std::string& name, Comparison& comparison) {
    if (in_a != in_b) {
        (in_a ? comparison.only_in_a : comparison.only_in_b).push_back(name);
    } else if (in_a) {
        comparison.joints.push_back({name});
    }
    return in_a && in_b;
}

}  // namespace

Result<Comparison> compare(const file::Document& a, const file::Document& b, const Job& job) {
    TRY_VOID(check::require_playable(a));
    TRY_VOID(check::require_playable(b));
    const Player player_a(a);
    const Player player_b(b);
    const std::vector<double> times = times_of(a, b);
    const Pair pair{player_a, player_b, times};
    Comparison comparison{{}, {}, {}, times.size()};
    SpreadCounter counted;
    for (std::size_t pose = 0; pose < file::pose_count; ++pose) {
        if (both_have(player_a.exists(pose), player_b.exists(pose), file::pose_name(pose), comparison)) {
            const auto at = [&](double seconds) { return pose_difference(pair, pose, seconds); };
            const double done = static_cast<double>(pose) / file::pose_count;
            TRY_VOID(widen_all(pair, file::first_curve_of(pose), file::pose_curves, at,
                               job.part(done, done + 1.0 / file::pose_count), comparison.joints.back(),
                               counted));
        }
    }
    if (both_have(player_a.has_gaze(), player_b.has_gaze(), std::string(file::gaze_name), comparison)) {
        const auto at = [&](double seconds) { return gaze_difference(pair, seconds); };
        TRY_VOID(widen_all(pair, file::first_gaze_curve, file::curve_count - file::first_gaze_curve, at,
                           job.part(1.0, 1.0), comparison.joints.back(), counted));
    }
    comparison.spread = counted.spreads(comparison.worst(), comparison.joints.size(), times.size());
    return comparison;
}

std::vector<std::string> differing_switches(const file::Document& a, const file::Document& b) {
    const Player player_a(a);
    const Player player_b(b);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < file::switch_count; ++i) {
        for (const double seconds : times_of(a, b)) {
            if (player_a.is_on(i, seconds) != player_b.is_on(i, seconds)) {
                names.emplace_back(file::switch_names.at(i));
                break;
            }
        }
    }
    return names;
}

namespace {

struct MeasuredNode {
    std::size_t node = 0;
    std::size_t pose = 0;
};

std::vector<MeasuredNode> measured_nodes(const Clip& clip, const Player& player) {
    std::vector<MeasuredNode> nodes;
    for (std::size_t node = 0; node < clip.skeleton.nodes.size(); ++node) {
        if (const auto pose = file::pose_named(clip.skeleton.nodes[node].name);
            pose && player.exists(*pose)) {
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
        for (std::size_t i = 0; i < file::pose_curves; ++i) {
            const curves::CurveView& curve = player.curve(file::first_curve_of(one.pose) + i);
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
        const auto next = std::ranges::lower_bound(clip, seconds - rounding);
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
        for (std::size_t i = 0; i < file::pose_curves; ++i) {
            curves::add_bend_times(player.curve(file::first_curve_of(one.pose) + i), bends);
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
        const auto worst = std::ranges::max_element(comparison.joints, less);
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

Result<Comparison> measure(const file::Document& document, const Clip& clip, const Job& job) {
    TRY_VOID(check::require_playable(document));
    const Player player(document);
    const std::vector<MeasuredNode> nodes = measured_nodes(clip, player);
    std::vector<double> bends = bends_of_both(clip, player, nodes);
    const bool is_curved = !bends.empty();
    const std::vector<double> times =
        with_bends(times_of_both(times_of(clip), times_of(player, nodes)), std::move(bends));
    Comparison comparison{{}, {}, {}, times.size()};
    for (const MeasuredNode& one : nodes) {
        comparison.joints.push_back({file::pose_name(one.pose)});
    }
    Measured measured(clip, player, nodes);
    SpreadCounter counted;
    for (std::size_t i = 0; i < times.size(); ++i) {
        TRY_VOID(job.report(static_cast<double>(i) / static_cast<double>(times.size())));
        measured.pose(times[i]);
        for (std::size_t n = 0; n < nodes.size(); ++n) {
            const Difference difference = measured.difference(n);
            comparison.joints[n].widen(difference.millimetres, difference.degrees, times[i]);
            counted.add(difference.millimetres, difference.degrees);
        }
    }
    if (is_curved && !nodes.empty()) {
        widen_worst(times, measured, comparison);
    }
    comparison.spread = counted.spreads(comparison.worst(), nodes.size(), times.size());
    return comparison;
}

}  // namespace animbridge::mrtk::play
