// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "editing/clip_tools.h"

namespace animbridge::editing {

namespace {

/// The rotation of the node's parent at rest: what carries the body has no moving joint above it.
glm::dquat parent_rotation(const Clip& clip, std::size_t node) {
    const auto parent = clip.skeleton.nodes[node].parent;
    return parent ? ClipPoser(Clip{clip.skeleton, {}, {}, 0.0}).world()[*parent].rotation
                  : glm::dquat(1, 0, 0, 0);
}

/// Calls `change` with each number of a translation track: its axis, its time, and where it is stored.
template <typename Change>
void change_numbers(Track& track, Change&& change) {
    const std::size_t width = track.width();
    for (std::size_t i = 0; i < track.values.size(); ++i) {
        const auto axis = static_cast<glm::length_t>(track.component ? *track.component : i % width);
        change(axis, i, track.times[i / width]);
    }
}

/// A key for each frame in the steps of the track within the time.
void cut_steps(Track& track, double rate, const TrimSpan& span) {
    const std::vector<double> times = track.times;
    for (std::size_t key = 0; key + 1 < times.size(); ++key) {
        const std::size_t now = insert_key(track, times[key]);
        if (track.interpolation_after(now) != Interpolation::step) {
            continue;
        }
        for (double time = times[key] + 1.0 / rate; time < std::min(times[key + 1], span.end_seconds);
             time += 1.0 / rate) {
            insert_key(track, time);
        }
    }
}

}  // namespace

std::optional<Travel> travel_of(const Clip& clip, const rig::humanoid::FoundRig& rig) {
    std::vector<bool> has_positions(clip.skeleton.nodes.size());
    std::optional<std::size_t> first;
    for (const Track& track : clip.tracks) {
        if (track.channel == Channel::translation && track.key_count() > 0) {
            has_positions[track.node] = true;
            first = std::min(first.value_or(track.node), track.node);
        }
    }
    const auto hips = rig.joint_of("hips");
    std::optional<Travel> travel;
    for (auto node = hips ? hips : first; node; node = clip.skeleton.nodes[*node].parent) {
        if (has_positions[*node]) {
            travel = Travel{*node};
        }
    }
    if (!travel) {
        return std::nullopt;
    }
    const std::size_t body = hips.value_or(travel->node);
    const TrimSpan loop = loop_span(clip);
    const double length = loop.end_seconds - loop.start_seconds;
    const auto steps = static_cast<std::size_t>(std::max(1.0, std::ceil(length * measured_rate)));
    ClipPoser poser(clip);
    glm::dvec3 start(0);
    glm::dvec3 before(0);
    for (std::size_t step = 0; step <= steps; ++step) {
        poser.pose(loop.start_seconds + length * static_cast<double>(step) / static_cast<double>(steps));
        glm::dvec3 place = poser.world()[body].translation;
        place.z = 0.0;
        travel->path_metres += step == 0 ? 0.0 : glm::length(place - before);
        start = step == 0 ? place : start;
        before = place;
    }
    travel->way_metres = glm::length(before - start);
    travel->metres_per_second = length > 0.0 ? (before - start) / length : glm::dvec3(0);
    return travel;
}

void add_travel(Clip& clip, std::size_t node, const glm::dvec3& metres_per_second) {
    const TrimSpan loop = loop_span(clip);
    const glm::dvec3 local = glm::conjugate(parent_rotation(clip, node)) * metres_per_second;
    const double rate = clip.frames_per_second > 0.0 ? clip.frames_per_second : usual_rate;
    bool has_track = false;
    for (Track& track : clip.tracks) {
        if (track.node != node || track.channel != Channel::translation || track.key_count() == 0) {
            continue;
        }
        has_track = true;
        // Held values become a way, which needs a key at both ends.
        insert_key(track, loop.start_seconds);
        insert_key(track, loop.end_seconds);
        const auto is_step = [](Interpolation kind) { return kind == Interpolation::step; };
        if (std::ranges::any_of(track.interpolation, is_step)) {
            cut_steps(track, rate, loop);
        }
        change_numbers(track, [&](glm::length_t axis, std::size_t i, double time) {
            track.values[i] += local[axis] * (time - loop.start_seconds);
            if (!track.handles.empty()) {
                track.handles[i].in_value += local[axis] * track.handles[i].in_time;
                track.handles[i].out_value += local[axis] * track.handles[i].out_time;
            }
        });
    }
    if (!has_track) {
        Track track{node, Channel::translation};
        const glm::dvec3 rest = clip.skeleton.nodes[node].rest_local.translation;
        for (const double time : {loop.start_seconds, loop.end_seconds}) {
            const glm::dvec3 place = rest + local * (time - loop.start_seconds);
            track.add_key(time, std::array{place.x, place.y, place.z});
        }
        clip.tracks.push_back(std::move(track));
    }
}

void scale_path(Clip& clip, std::size_t node, const PathScale& scale) {
    const glm::dquat to_world = parent_rotation(clip, node);
    const auto is_path = [&](const Track& track) {
        return track.node == node && track.channel == Channel::translation && track.key_count() > 0;
    };
    constexpr double exact = 1e-9;
    const bool is_turned = chord(to_world, {1, 0, 0, 0}) > exact;
    use_rows(clip, [&](const Track& track) { return is_turned && is_path(track); });
    ClipPoser poser(clip);
    poser.pose(0.0);
    glm::dvec3 origin = to_world * poser.local()[node].translation;
    origin.z = (to_world * clip.skeleton.nodes[node].rest_local.translation).z;
    const glm::dvec3 factors(scale.horizontal, scale.horizontal, scale.vertical);
    for (Track& track : clip.tracks) {
        if (!is_path(track)) {
            continue;
        }
        if (is_turned) {
            for (std::size_t key = 0; key < track.key_count(); ++key) {
                const glm::dvec3 place = origin + factors * (to_world * track.translation(key) - origin);
                const glm::dvec3 local = glm::conjugate(to_world) * place;
                std::ranges::copy(std::array{local.x, local.y, local.z}, &track.values[key * 3]);
                if (!track.handles.empty()) {
                    const auto own = std::span(track.handles).subspan(key * 3, 3);
                    for (const auto side : {&Handles::in_value, &Handles::out_value}) {
                        const glm::dvec3 way(own[0].*side, own[1].*side, own[2].*side);
                        const glm::dvec3 scaled = glm::conjugate(to_world) * (factors * (to_world * way));
                        for (glm::length_t i = 0; i < 3; ++i) {
                            own[static_cast<std::size_t>(i)].*side = scaled[i];
                        }
                    }
                }
            }
            continue;
        }
        change_numbers(track, [&](glm::length_t axis, std::size_t i, double /*time*/) {
            track.values[i] = origin[axis] + factors[axis] * (track.values[i] - origin[axis]);
            if (!track.handles.empty()) {
                track.handles[i].in_value *= factors[axis];
                track.handles[i].out_value *= factors[axis];
            }
        });
    }
}

}  // namespace animbridge::editing
