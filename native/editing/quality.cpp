// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "editing/clip_tools.h"
#include "rig/retarget/retarget.h"

namespace animbridge::editing {

namespace {

/// The clip, its rotations and positions in whole rows.
struct Measured {
    const Clip& clip;
    const Clip& rows;
    const rig::humanoid::FoundRig& rig;
};

std::string name_of_node(const Clip& clip, std::size_t node) {
    return without_controls(clip.skeleton.nodes[node].name);
}

// ---- shaking ----

/// The mean of squares, and the largest.
struct Sizes {
    double squares = 0;
    std::size_t count = 0;
    double largest = 0;
    std::size_t node = 0;  ///< of the largest

    void add(double size, std::size_t of_node) {
        squares += size * size;
        ++count;
        if (size > largest) {
            largest = size;
            node = of_node;
        }
    }
    [[nodiscard]] double mean() const {
        return count == 0 ? 0.0 : std::sqrt(squares / static_cast<double>(count));
    }
};

/// The change of a joint's acceleration, in degrees per second cubed.
void add_jitter(const Track& track, Sizes& jitter) {
    TrackCursor cursor(track);
    const double first = track.times.front();
    const auto steps = static_cast<std::size_t>((track.times.back() - first) * measured_rate + 1e-6);
    std::vector<glm::dvec3> speeds;
    glm::dquat before{1, 0, 0, 0};
    for (std::size_t step = 0; step <= steps; ++step) {
        const glm::dquat now = cursor.rotation_at(first + static_cast<double>(step) / measured_rate);
        if (step > 0) {
            const double unit = 2.0 * degrees_of_radian * measured_rate;
            speeds.push_back(log_of(product(glm::conjugate(before), now)) * unit);
        }
        before = now;
    }
    for (std::size_t i = 2; i < speeds.size(); ++i) {
        const glm::dvec3 bend = speeds[i] - 2.0 * speeds[i - 1] + speeds[i - 2];
        jitter.add(glm::length(bend) * measured_rate * measured_rate, track.node);
    }
}

/// Of the parts of the body; of a skeleton without a body, of all joints.
Json shaking(const Measured& motion) {
    std::vector<bool> is_meant(motion.clip.skeleton.nodes.size(), motion.rig.slots.empty());
    for (const auto& slot : motion.rig.slots) {
        is_meant[slot.joint] = true;
    }
    Sizes shake;
    Sizes jitter;
    for (const Track& track : motion.rows.tracks) {
        if (track.channel != Channel::rotation || track.key_count() < 2 || !is_meant[track.node]) {
            continue;
        }
        for (const double degrees : shakes_degrees(motion.rows, track)) {
            shake.add(degrees, track.node);
        }
        add_jitter(track, jitter);
    }
    return {{"shake_degrees", shake.mean()},
            {"largest_shake_degrees", shake.largest},
            {"shakiest_joint", shake.count == 0 ? Json() : Json(name_of_node(motion.clip, shake.node))},
            {"jitter_degrees_per_second3", jitter.mean()}};
}

// ---- the loop ----

/// The horizontal angle by which the body's front turns from one rotation to the other.
double heading_degrees(const glm::dquat& from, const glm::dquat& to) {
    const glm::dquat turn = product(to, glm::conjugate(from));
    return 2.0 * degrees_of_radian * std::atan2(turn.w < 0.0 ? -turn.z : turn.z, std::abs(turn.w));
}

Json travelled(const Measured& motion, const std::optional<Travel>& travel) {
    if (!travel) {
        return nullptr;
    }
    const TrimSpan loop = loop_span(motion.clip);
    ClipPoser poser(motion.rows);
    const std::size_t body = motion.rig.joint_of("hips").value_or(travel->node);
    poser.pose(loop.start_seconds);
    const glm::dquat start = poser.world()[body].rotation;
    poser.pose(loop.end_seconds);
    return {{"way_metres", travel->way_metres},
            {"metres_per_second", glm::length(travel->metres_per_second)},
            {"heading_degrees", heading_degrees(start, poser.world()[body].rotation)}};
}

/// How far the end is from the beginning. What the body travels does not count if it goes somewhere.
Json seam(const Measured& motion, const std::optional<Travel>& travel) {
    const TrimSpan loop = loop_span(motion.clip);
    ClipPoser poser(motion.rows);
    poser.pose(loop.start_seconds);
    const std::vector<Transform> local = poser.local();
    const std::vector<Transform> world = poser.world();
    poser.pose(loop.end_seconds);
    const bool goes = travel && travel->leaves();
    glm::dvec3 way(0);
    if (goes) {
        const std::size_t body = motion.rig.joint_of("hips").value_or(travel->node);
        way = poser.world()[body].translation - world[body].translation;
        way.z = 0.0;
    }
    Sizes turned;
    Sizes moved;
    std::vector<bool> is_carried(local.size());
    for (std::size_t node = 0; node < local.size(); ++node) {
        const auto parent = motion.clip.skeleton.nodes[node].parent;
        is_carried[node] = goes && (node == travel->node || (parent && is_carried[*parent]));
        const glm::dvec3 here = poser.world()[node].translation - (is_carried[node] ? way : glm::dvec3(0));
        turned.add(angle_between_degrees(local[node].rotation, poser.local()[node].rotation), node);
        moved.add(1000.0 * glm::length(here - world[node].translation), node);
    }
    return {{"in_seconds", loop.start_seconds},
            {"out_seconds", loop.end_seconds},
            {"seam_degrees", turned.largest},
            {"seam_mm", moved.largest},
            {"seam_joint", turned.largest > 0.0  ? Json(name_of_node(motion.clip, turned.node))
                           : moved.largest > 0.0 ? Json(name_of_node(motion.clip, moved.node))
                                                 : Json()}};
}

// ---- feet ----

/// Where the ankles and the balls of the feet are in the loop, `measured_rate` times a second.
std::vector<std::vector<glm::dvec3>> foot_paths(const Measured& motion) {
    constexpr std::array<std::string_view, 4> parts = {"leftFoot", "leftToes", "rightFoot", "rightToes"};
    const std::vector<std::size_t> joints = motion.rig.joints_of(parts);
    const TrimSpan loop = loop_span(motion.clip);
    const auto steps = static_cast<std::size_t>((loop.end_seconds - loop.start_seconds) * measured_rate);
    std::vector<std::vector<glm::dvec3>> paths(joints.size());
    ClipPoser poser(motion.rows);
    for (std::size_t step = 0; step <= steps; ++step) {
        poser.pose(loop.start_seconds + static_cast<double>(step) / measured_rate);
        for (std::size_t i = 0; i < joints.size(); ++i) {
            paths[i].push_back(poser.world()[joints[i]].translation);
        }
    }
    return paths;
}

double lowest_of(const std::vector<glm::dvec3>& path) {
    return std::ranges::min_element(path, {}, [](const glm::dvec3& p) { return p.z; })->z;
}

/// How fast the ground would pass below a body that walks in place: the middle one of the horizontal
/// speeds of what is within 15 mm of the lowest place of the feet.
glm::dvec3 implied_speed(const std::vector<std::vector<glm::dvec3>>& paths) {
    constexpr double on_ground_metres = 0.015;
    std::vector<glm::dvec3> speeds;
    for (const std::vector<glm::dvec3>& path : paths) {
        const double lowest = lowest_of(path);
        for (std::size_t i = 1; i < path.size(); ++i) {
            if (std::max(path[i].z, path[i - 1].z) < lowest + on_ground_metres) {
                const glm::dvec3 speed = (path[i] - path[i - 1]) * measured_rate;
                speeds.emplace_back(speed.x, speed.y, 0.0);
            }
        }
    }
    if (speeds.empty()) {
        return glm::dvec3(0);
    }
    const auto middle = speeds.begin() + static_cast<std::ptrdiff_t>(speeds.size() / 2);
    std::ranges::nth_element(speeds, middle, {}, [](const glm::dvec3& speed) { return glm::length(speed); });
    return *middle;
}

struct Slide {
    double contact_seconds = 0;
    double way_metres = 0;
};

/// What heels and balls slide on the ground, which passes at `ground`. A point comes down where it is low
/// and slow, and is up again only where it is clearly higher or faster.
Slide slide_of(const std::vector<std::vector<glm::dvec3>>& paths, const glm::dvec3& ground) {
    struct Limit {
        double metres;
        double metres_per_second;
    };
    constexpr Limit down{0.05, 0.3};
    constexpr Limit up{0.075, 0.6};
    Slide slide;
    for (const std::vector<glm::dvec3>& path : paths) {
        const double lowest = lowest_of(path);
        bool is_down = false;
        for (std::size_t i = 1; i < path.size(); ++i) {
            const glm::dvec3 step = path[i] - path[i - 1] - ground / measured_rate;
            const Limit& limit = is_down ? up : down;
            is_down = path[i].z - lowest < limit.metres &&
                      glm::length(step) * measured_rate < limit.metres_per_second;
            if (is_down) {
                slide.contact_seconds += 1.0 / measured_rate;
                slide.way_metres += glm::length(glm::dvec2(step));
            }
        }
    }
    return slide;
}

/// Both feet in one: how much they slide, and how deep and how high they are at most.
Json feet(const Measured& motion, const std::optional<Travel>& travel, const Job& job) {
    constexpr double standing_metres_per_second = 0.3;
    Clip moving = motion.rows;
    const auto body = travel ? std::optional(travel->node) : motion.rig.joint_of("hips");
    const bool goes = travel && travel->leaves();
    const auto paths = foot_paths(motion);
    glm::dvec3 ground = body && !goes ? implied_speed(paths) : glm::dvec3(0);
    const bool is_in_place = glm::length(ground) > standing_metres_per_second;
    if (is_in_place) {
        add_travel(moving, *body, -ground);
    } else {
        ground = glm::dvec3(0);
    }
    const auto measured = rig::retarget::measured_feet(moving, motion.rig, job);
    if (!measured) {
        return nullptr;
    }
    std::optional<double> depth;
    std::optional<double> height;
    for (const rig::retarget::FootReport& foot : *measured) {
        if (foot.now.depth_mm) {
            depth = std::max(depth.value_or(0.0), *foot.now.depth_mm);
        }
        if (foot.now.float_mm) {
            height = std::max(height.value_or(0.0), *foot.now.float_mm);
        }
    }
    const Slide slide = slide_of(paths, ground);
    return {{"contact_seconds", slide.contact_seconds},
            {"slide_mm_per_second",
             slide.contact_seconds > 0.0 ? Json(1000.0 * slide.way_metres / slide.contact_seconds) : Json()},
            {"depth_mm", depth ? Json(*depth) : Json()},
            {"float_mm", height ? Json(*height) : Json()},
            {"implied_metres_per_second", is_in_place ? Json(glm::length(ground)) : Json()}};
}

std::size_t own_keys(const Clip& clip) {
    std::size_t keys = 0;
    for (const Track& track : clip.tracks) {
        keys += track.key_count() - static_cast<std::size_t>(std::ranges::count(track.inserted, true));
    }
    return keys;
}

}  // namespace

Result<Json> quality_of(const Clip& clip, const rig::humanoid::FoundRig& rig, const Job& job) {
    constexpr double curve_step_seconds = 1.0 / 120.0;
    const Clip rows = with_linear_rows(clip, curve_step_seconds);
    const Measured motion{clip, rows, rig};
    const auto travel = travel_of(rows, rig);
    Json numbers = {{"seconds", clip.duration_seconds}, {"keys", own_keys(clip)}};
    numbers.update(shaking(motion));
    TRY_VOID(job.report(0.3));
    numbers["loop"] = seam(motion, travel);
    numbers["travel"] = travelled(motion, travel);
    numbers["feet"] = feet(motion, travel, job.part(0.4, 1.0));
    numbers["overlap"] = overlap_of(rows, rig);
    return numbers;
}

}  // namespace animbridge::editing
