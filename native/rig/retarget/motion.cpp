// SPDX-License-Identifier: MIT
#include "rig/retarget/parts.h"

#include <algorithm>
#include <cmath>

namespace animbridge::rig::retarget {

namespace {

/// The distance in seconds of samples between the keys of a Bezier curve.
constexpr double bezier_step_seconds = 1.0 / 120.0;

/// How long before a jump the key is that holds the value until then.
constexpr double jump_seconds = 1e-5;

/// The total number of times between keys: a clip with few keys that lasts for days must not take all memory.
constexpr double least_budget = 20000;
constexpr double budget_per_key = 4;

bool holds(const Track& track) {
    return !track.interpolation.empty() && std::ranges::all_of(track.interpolation, [](Interpolation kind) {
        return kind == Interpolation::step;
    });
}

void append_jumps(const Track& track, std::vector<double>& times) {
    for (std::size_t key = 0; key + 1 < track.key_count(); ++key) {
        const double length = track.times[key + 1] - track.times[key];
        if (track.interpolation_after(key) == Interpolation::step && length > 2.0 * jump_seconds) {
            times.push_back(track.times[key + 1] - jump_seconds);
        }
    }
}

/// The tracks that move the nodes or their ancestors.
std::vector<const Track*> tracks_of(const Clip& clip, const std::vector<std::size_t>& nodes) {
    std::vector<bool> is_needed(clip.skeleton.nodes.size());
    for (const std::size_t node : nodes) {
        is_needed[node] = true;
    }
    for (std::size_t node = is_needed.size(); node-- > 0;) {
        const auto parent = clip.skeleton.nodes[node].parent;
        if (is_needed[node] && parent) {
            is_needed[*parent] = true;
        }
    }
    std::vector<const Track*> tracks;
    for (const Track& track : clip.tracks) {
        if (track.channel != Channel::property && track.key_count() > 0 && is_needed[track.node]) {
            tracks.push_back(&track);
        }
    }
    return tracks;
}

/// The number of times that an interval needs inside.
double times_needed(double length, double most_seconds_apart) {
    // Slightly longer is still one step: key times are rounded.
    return std::max(std::floor(length / most_seconds_apart * 0.999), 0.0);
}

/// The step at which the times between keys do not become too many.
double affordable_step(const std::vector<double>& times, double most_seconds_apart) {
    double needed = 0;
    for (std::size_t i = 0; i + 1 < times.size(); ++i) {
        needed += times_needed(times[i + 1] - times[i], most_seconds_apart);
    }
    const double budget = least_budget + budget_per_key * static_cast<double>(times.size());
    return needed > budget ? most_seconds_apart * (needed / budget) : most_seconds_apart;
}

std::vector<double> with_times_between(const std::vector<double>& times, double most_seconds_apart) {
    const double step_seconds = affordable_step(times, most_seconds_apart);
    std::vector<double> all;
    all.reserve(times.size());
    for (std::size_t i = 0; i < times.size(); ++i) {
        all.push_back(times[i]);
        const double length = i + 1 < times.size() ? times[i + 1] - times[i] : 0.0;
        const auto inside = static_cast<std::size_t>(times_needed(length, step_seconds));
        for (std::size_t step = 1; step <= inside; ++step) {
            all.push_back(times[i] +
                          length * static_cast<double>(step) / (static_cast<double>(inside) + 1.0));
        }
    }
    return all;
}

}  // namespace

bool all_hold(const std::vector<const Track*>& tracks) {
    return !tracks.empty() && std::ranges::all_of(tracks, [](const Track* track) { return holds(*track); });
}

std::vector<double> union_of_key_times(const std::vector<const Track*>& tracks) {
    if (tracks.empty()) {
        return {};
    }
    const bool has_jumps = !all_hold(tracks);
    std::vector<double> all = tracks.front()->times;
    for (const Track* track : tracks) {
        // Recordings have the same times everywhere.
        if (track->times != tracks.front()->times) {
            all.insert(all.end(), track->times.begin(), track->times.end());
        }
        if (has_jumps && !track->interpolation.empty()) {
            append_jumps(*track, all);
        }
    }
    if (!std::ranges::is_sorted(all)) {
        std::ranges::sort(all);
    }
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

LinearSource::LinearSource(const Clip& clip) : clip_(&clip) {
    const bool has_others = std::ranges::any_of(clip.tracks, [](const Track& track) {
        return track.channel != Channel::property &&
               (track.component ||
                std::ranges::find(track.interpolation, Interpolation::bezier) != track.interpolation.end());
    });
    if (has_others) {
        sampled_ = with_linear_rows(clip, bezier_step_seconds);
        clip_ = &*sampled_;
    }
}

bool is_rotation(const glm::dquat& q) {
    const double length = glm::dot(q, q);
    return length > 0.25 && length < 4.0;
}

Result<void> check_rest(const Skeleton& skeleton, const std::string& which) {
    for (std::size_t node = 0; node < skeleton.nodes.size(); ++node) {
        const Node& joint = skeleton.nodes[node];
        if (joint.parent && *joint.parent >= node) {
            return fail(
                ErrorCode::invalid_argument,
                "the " + which + "'s joint \"" + without_controls(joint.name) + "\" comes before its parent");
        }
        if (!is_rotation(joint.rest_local.rotation) || !is_finite(joint.rest_local.translation)) {
            return fail(ErrorCode::bad_value,
                        "the " + which + "'s joint \"" + without_controls(joint.name) +
                            "\" has a rest pose that is not a finite rotation and place");
        }
    }
    return {};
}

Result<void> check_tracks(const Clip& clip) {
    const auto is_finite_number = [](double number) { return std::isfinite(number); };
    for (const Track& track : clip.tracks) {
        if (track.node >= clip.skeleton.nodes.size()) {
            return fail(ErrorCode::invalid_argument, "a track moves the joint " + std::to_string(track.node) +
                                                         ", but the skeleton has " +
                                                         std::to_string(clip.skeleton.nodes.size()));
        }
        if (!std::ranges::all_of(track.times, is_finite_number) ||
            !std::ranges::all_of(track.values, is_finite_number)) {
            return fail(ErrorCode::bad_value, "a key of the joint \"" +
                                                  without_controls(clip.skeleton.nodes[track.node].name) +
                                                  "\" is not a finite number");
        }
    }
    return {};
}

Result<SourceMotion> record_motion(const Clip& clip, const std::vector<std::size_t>& nodes,
                                   double most_seconds_apart, const Job& job) {
    SourceMotion motion;
    motion.times = with_times_between(union_of_key_times(tracks_of(clip, nodes)), most_seconds_apart);
    if (motion.times.empty()) {
        motion.times.push_back(0.0);
    }
    motion.column_of.resize(clip.skeleton.nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        motion.column_of[nodes[i]] = i;
    }
    motion.width = nodes.size();
    motion.world.reserve(motion.times.size() * motion.width);
    ClipPoser poser(clip);
    for (std::size_t frame = 0; frame < motion.times.size(); ++frame) {
        poser.pose(motion.times[frame]);
        for (const std::size_t node : nodes) {
            motion.world.push_back(poser.world()[node]);
        }
        if (frame % 256 == 0) {
            TRY_VOID(job.report(static_cast<double>(frame) / static_cast<double>(motion.times.size())));
        }
    }
    return motion;
}

}  // namespace animbridge::rig::retarget
