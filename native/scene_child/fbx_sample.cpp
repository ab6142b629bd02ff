// SPDX-License-Identifier: MIT
#include "scene_child/fbx_sample.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/gtc/quaternion.hpp>

#include "model/skeleton.h"
#include "scene_child/fbx_curves.h"
#include "scene_child/fbx_read.h"

namespace animbridge::scene_child {

namespace {

using scene::Target;

/// Before a jump, the last key of what comes before.
constexpr double jump_seconds = 1e-6;
/// A rotation of more than this cannot be told from a smaller one by its ends.
constexpr double longest_turn_degrees = 60;
constexpr double longest_repeated_seconds = 0.05;
/// A stretch is halved no more than this often.
constexpr int deepest_split = 16;
/// The error is measured at three points, between which it may be a little larger.
constexpr double measured_part = 0.8;
constexpr double scale_bound = 1e-6;

using Row = std::array<double, 4>;

/// One part of a node's placement at any time.
class Part {
public:
    Part(const ufbx_anim& animation, const ufbx_node& node, Target target, double metres_per_unit)
        : animation_(animation), node_(node), target_(target), metres_per_unit_(metres_per_unit) {}

    [[nodiscard]] Row at(double time) const {
        constexpr unsigned always = UFBX_TRANSFORM_FLAG_EXPLICIT_INCLUDES;
        if (target_ == Target::rotation) {
            const ufbx_quat q = ufbx_evaluate_transform_flags(&animation_, &node_, time,
                                                              always | UFBX_TRANSFORM_FLAG_INCLUDE_ROTATION)
                                    .rotation;
            return {q.w, q.x, q.y, q.z};
        }
        const bool is_scale = target_ == Target::scale;
        const unsigned wanted =
            is_scale ? UFBX_TRANSFORM_FLAG_INCLUDE_SCALE : UFBX_TRANSFORM_FLAG_INCLUDE_TRANSLATION;
        const ufbx_transform found =
            ufbx_evaluate_transform_flags(&animation_, &node_, time, always | wanted);
        const ufbx_vec3 v = is_scale ? found.scale : found.translation;
        return {v.x, v.y, v.z, 0};
    }

    /// Whether the way from `a` to `b` passes `row` at `fraction`, within the bound.
    [[nodiscard]] bool passes(const Row& a, const Row& b, double fraction, const Row& row) const {
        if (target_ == Target::rotation) {
            const glm::dquat between = glm::slerp(rotation(a), rotation(b), fraction);
            return angle_between_degrees(between, rotation(row)) <= measured_part * fbx_bound_degrees;
        }
        double distance = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            const double error = a[i] + fraction * (b[i] - a[i]) - row[i];
            distance += error * error;
        }
        const double bound = target_ == Target::scale ? scale_bound : fbx_bound_metres / metres_per_unit_;
        return std::sqrt(distance) <= measured_part * bound;
    }

private:
    static glm::dquat rotation(const Row& row) { return {row[0], row[1], row[2], row[3]}; }

    const ufbx_anim& animation_;
    const ufbx_node& node_;
    Target target_;
    double metres_per_unit_;
};

struct Point {
    double time = 0;
    Row row{};
};

/// Puts the keys of one part one after the other.
class Sampler {
public:
    Sampler(const Part& part, scene::Channel& channel) : part_(part), channel_(channel) {}

    void run(const PartCurves& curves, const std::vector<double>& times) {
        const bool is_step = channel_.kind == scene::KeyKind::step;
        for (std::size_t i = 0; i < times.size(); ++i) {
            add(point(times[i]));
            if (i + 1 < times.size() && !is_step) {
                fill(curves.between(times[i], times[i + 1]), times[i], times[i + 1]);
            }
        }
    }

private:
    [[nodiscard]] Point point(double time) const { return {time, part_.at(time)}; }

    void add(const Point& key) {
        channel_.times_seconds.push_back(key.time);
        channel_.values.insert(channel_.values.end(), key.row.begin(),
                               key.row.begin() + static_cast<std::ptrdiff_t>(width_of(channel_.target)));
    }

    /// The keys between two of the file's.
    void fill(const Stretch& stretch, double start, double end) {
        if (end - start < 4 * jump_seconds) {
            return;
        }
        Point from = point(start);
        Point to = point(end);
        if (stretch.jumps_after) {
            from = point(start + jump_seconds);
            add(from);
        }
        if (stretch.jumps_at_end) {
            to = point(end - jump_seconds);
        }
        if (!stretch.is_still) {
            split(from, to, stretch);
        }
        if (stretch.jumps_at_end) {
            add(to);
        }
    }

    void split(const Point& from, const Point& to, const Stretch& stretch) {
        double pieces = 1;
        if (channel_.target == Target::rotation) {
            pieces = std::ceil(stretch.turn_degrees / longest_turn_degrees);
        }
        if (stretch.repeats) {
            pieces = std::max(pieces, std::ceil((to.time - from.time) / longest_repeated_seconds));
        }
        const auto count = static_cast<std::size_t>(std::clamp(pieces, 1.0, 1e6));
        Point before = from;
        for (std::size_t i = 1; i <= count; ++i) {
            const double time =
                from.time + (to.time - from.time) * static_cast<double>(i) / static_cast<double>(count);
            const Point next = i == count ? to : point(time);
            halve(before, point((before.time + next.time) / 2), next, 0);
            if (i < count) {
                add(next);
            }
            before = next;
        }
    }

    /// Adds keys between `from` and `to` until the way between neighbours is within the bound.
    void halve(const Point& from, const Point& middle, const Point& to, int depth) {
        const Point first = point((from.time + middle.time) / 2);
        const Point second = point((middle.time + to.time) / 2);
        const bool is_near = part_.passes(from.row, to.row, 0.5, middle.row) &&
                             part_.passes(from.row, to.row, 0.25, first.row) &&
                             part_.passes(from.row, to.row, 0.75, second.row);
        if (is_near || depth >= deepest_split || to.time - from.time < 4 * jump_seconds) {
            return;
        }
        halve(from, first, middle, depth + 1);
        add(middle);
        halve(middle, second, to, depth + 1);
    }

    const Part& part_;
    scene::Channel& channel_;
};

/// Whether the part only jumps, so that its keys can say so themselves.
bool only_jumps(const PartCurves& curves, const std::vector<double>& times) {
    bool jumps = false;
    for (std::size_t i = 0; i + 1 < times.size(); ++i) {
        const Stretch stretch = curves.between(times[i], times[i + 1]);
        if (!stretch.is_still || stretch.jumps_after) {
            return false;
        }
        jumps = jumps || stretch.jumps_at_end;
    }
    return jumps;
}

}  // namespace

std::vector<scene::Channel> sample_node(const ufbx_anim& animation, const ufbx_node& node,
                                        std::uint32_t index, double metres_per_unit) {
    std::vector<scene::Channel> result;
    for (const Target target : {Target::translation, Target::rotation, Target::scale}) {
        const PartCurves curves(animation, node, target);
        if (curves.empty()) {
            continue;
        }
        const std::vector<double> times = curves.times(animation);
        const Part part(animation, node, target, metres_per_unit);
        scene::Channel& channel = result.emplace_back();
        channel.node = index;
        channel.target = target;
        if (only_jumps(curves, times)) {
            channel.kind = scene::KeyKind::step;
        }
        Sampler(part, channel).run(curves, times);
    }
    return result;
}

}  // namespace animbridge::scene_child
