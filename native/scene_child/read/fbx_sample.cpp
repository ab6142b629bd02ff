// SPDX-License-Identifier: MIT
#include "scene_child/read/read.h"

#include <algorithm>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <glm/trigonometric.hpp>

#include "scene_child/read/fbx.h"

namespace animbridge::scene_child::read {

namespace {

using scene_file::file::Target;

/// How long before a jump the last key of the earlier motion is.
constexpr double jump_seconds = 1e-6;
/// The ends of a larger rotation do not distinguish it from a smaller one.
constexpr double longest_turn_degrees = 60;
constexpr double longest_repeated_seconds = 0.05;
/// A stretch is halved at most this often, and only if it is longer: where Euler angles pass a pole, a joint
/// turns around in no time, which no frame shows.
constexpr int deepest_split = 16;
constexpr double shortest_split_seconds = 2e-4;
/// The error is measured at three points; between them it may be a little larger.
constexpr double measured_part = 0.8;
constexpr double scale_bound = 1e-6;

/// Straight curves of Euler angles that turn this much deviate from the arc by at most the square of it (in
/// radians) over 24, which is within the bound.
constexpr double straight_turn_degrees = 1.0;

/// If straight curves of Euler angles turn no more than this and the middle is within the bound, so are the
/// quarters. For both paths, the third derivative is at most the cube of half the turn, h. Their difference
/// is 0 at both ends, so at a quarter it is at most 3/4 of that in the middle and h^3 / 64: a tenth of the
/// bound.
constexpr double middle_says_all_degrees = 4.0;

/// How far the path of the keys may be from the curves.
class Bound {
public:
    Bound(Target target, double metres_per_unit)
        : is_rotation_(target == Target::rotation),
          most_(measured_part * (target == Target::rotation ? glm::radians(fbx_bound_degrees) / 2
                                 : target == Target::scale  ? scale_bound
                                                            : fbx_bound_metres / metres_per_unit)) {}

    /// Whether the path from `a` to `b` passes `row` at `fraction`.
    [[nodiscard]] bool passes(const FbxRow& a, const FbxRow& b, double fraction, const FbxRow& row) const {
        const FbxRow on_way = is_rotation_ ? turned(a, b, fraction) : mixed(a, b, fraction, 1.0);
        double same = 0;
        double other = 0;  // -q is the rotation q
        for (std::size_t i = 0; i < on_way.size(); ++i) {
            same += (on_way[i] - row[i]) * (on_way[i] - row[i]);
            other += (on_way[i] + row[i]) * (on_way[i] + row[i]);
        }
        // For two rotations, this is the chord: half the angle, for a small one.
        return std::sqrt(is_rotation_ ? std::min(same, other) : same) <= most_;
    }

private:
    static FbxRow mixed(const FbxRow& a, const FbxRow& b, double fraction, double sign) {
        FbxRow row{};
        for (std::size_t i = 0; i < row.size(); ++i) {
            row[i] = a[i] + fraction * (sign * b[i] - a[i]);
        }
        return row;
    }

    /// slerp
    static FbxRow turned(const FbxRow& a, const FbxRow& b, double fraction) {
        constexpr double nearly_same = 0.9998;  // of the angle's half, 1.1 degrees: a sine is a line there
        const double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
        if (std::abs(dot) > nearly_same) {
            FbxRow row = mixed(a, b, fraction, dot < 0 ? -1.0 : 1.0);
            const double length =
                std::sqrt(row[0] * row[0] + row[1] * row[1] + row[2] * row[2] + row[3] * row[3]);
            std::ranges::transform(row, row.begin(), [&](double number) { return number / length; });
            return row;
        }
        const glm::dquat q =
            glm::slerp(glm::dquat(a[0], a[1], a[2], a[3]), glm::dquat(b[0], b[1], b[2], b[3]), fraction);
        return {q.w, q.x, q.y, q.z};
    }

    bool is_rotation_;
    double most_;
};

struct Point {
    double time = 0;
    FbxRow row{};
};

/// Adds the keys of one part, one after another, until no more may be added.
class Sampler {
public:
    Sampler(FbxPart& part, const Bound& bound, scene_file::file::Channel& channel, std::size_t& keys_left)
        : part_(part),
          bound_(bound),
          channel_(channel),
          keys_left_(keys_left),
          times_(channel.times_seconds.edit()),
          values_(channel.values.edit()) {}

    void run(PartCurves& curves, const std::vector<double>& times) {
        times_.reserve(times.size());
        values_.reserve(times.size() * width_of(channel_.target));
        const bool is_step = channel_.kind == scene_file::file::KeyKind::step;
        Point key = point(times.front());
        for (std::size_t i = 0; i < times.size(); ++i) {
            add(key);
            if (i + 1 == times.size()) {
                return;
            }
            const Point next = point(times[i + 1]);
            if (!is_step) {
                fill(curves.between(times[i], times[i + 1]), key, next);
            }
            key = next;
        }
    }

private:
    [[nodiscard]] Point point(double time) { return {time, part_.at(time)}; }

    void add(const Point& key) {
        times_.push_back(key.time);
        values_.insert(values_.end(), key.row.begin(),
                       key.row.begin() + static_cast<std::ptrdiff_t>(width_of(channel_.target)));
    }

    /// Adds a key that the file does not have.
    void add_between(const Point& key) {
        if (keys_left_ > 0) {
            --keys_left_;
            add(key);
        }
    }

    /// Adds the keys between two of the file's.
    void fill(const Stretch& stretch, Point from, Point to) {
        const double start = from.time;
        const double end = to.time;
        if (end - start < 4 * jump_seconds) {
            return;
        }
        if (stretch.jumps_after) {
            from = point(start + jump_seconds);
            add(from);
        }
        if (stretch.jumps_at_end) {
            to = point(end - jump_seconds);
        }
        if (!stretch.is_still && !is_line(stretch)) {
            split(from, to, stretch);
        }
        if (stretch.jumps_at_end) {
            add(to);
        }
    }

    /// Whether the keys at both ends are enough.
    [[nodiscard]] bool is_line(const Stretch& stretch) const {
        const bool turns_little =
            channel_.target != Target::rotation || stretch.turn_degrees <= straight_turn_degrees;
        return part_.is_plain() && stretch.is_straight && !stretch.repeats && turns_little;
    }

    /// Whether the middle alone shows that no key is needed.
    [[nodiscard]] bool says_all(const Point& middle, const Point& from, const Point& to,
                                const Stretch& stretch) const {
        return channel_.target == Target::rotation && part_.is_plain() && stretch.is_straight &&
               !stretch.repeats && stretch.turn_degrees <= middle_says_all_degrees &&
               bound_.passes(from.row, to.row, 0.5, middle.row);
    }

    void split(const Point& from, const Point& to, const Stretch& stretch) {
        double pieces = 1;
        if (channel_.target == Target::rotation) {
            pieces = std::ceil(stretch.turn_degrees / longest_turn_degrees);
        }
        if (stretch.repeats) {
            pieces = std::max(pieces, std::ceil((to.time - from.time) / longest_repeated_seconds));
        }
        pieces = std::min(pieces, (to.time - from.time) / shortest_split_seconds);
        // A file can make the turn NaN.
        const auto count = pieces >= 1.0 ? static_cast<std::size_t>(std::min(pieces, 1e9)) : std::size_t{1};
        Point before = from;
        for (std::size_t i = 1; i <= count && keys_left_ > 0; ++i) {
            const double time =
                from.time + (to.time - from.time) * static_cast<double>(i) / static_cast<double>(count);
            const Point next = i == count ? to : point(time);
            const Point middle = point((before.time + next.time) / 2);
            if (!says_all(middle, before, next, stretch)) {
                halve(before, middle, next, 0);
            }
            if (i < count) {
                add_between(next);
            }
            before = next;
        }
    }

    /// Adds keys between `from` and `to` until the path between neighbours is within the bound.
    void halve(const Point& from, const Point& middle, const Point& to, int depth) {
        const Point first = point((from.time + middle.time) / 2);
        const Point second = point((middle.time + to.time) / 2);
        const bool is_near = bound_.passes(from.row, to.row, 0.5, middle.row) &&
                             bound_.passes(from.row, to.row, 0.25, first.row) &&
                             bound_.passes(from.row, to.row, 0.75, second.row);
        if (is_near || depth >= deepest_split || to.time - from.time < shortest_split_seconds ||
            keys_left_ == 0) {
            return;
        }
        halve(from, first, middle, depth + 1);
        add_between(middle);
        halve(middle, second, to, depth + 1);
    }

    FbxPart& part_;
    const Bound& bound_;
    scene_file::file::Channel& channel_;
    std::size_t& keys_left_;
    std::vector<double>& times_;
    std::vector<double>& values_;
};

/// Whether the part only jumps, so that its own keys are enough.
bool only_jumps(PartCurves& curves, const std::vector<double>& times) {
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

std::vector<scene_file::file::Channel> sample_node(const ufbx_anim& animation, const ufbx_node& node,
                                                   std::uint32_t index, double metres_per_unit,
                                                   std::size_t& keys_left) {
    std::vector<scene_file::file::Channel> result;
    for (const Target target : {Target::translation, Target::rotation, Target::scale}) {
        PartCurves curves(animation, node, target);
        if (curves.empty()) {
            continue;
        }
        const std::vector<double> times = curves.times(animation);
        if (times.empty()) {
            continue;
        }
        FbxPart part(animation, node, target, curves);
        scene_file::file::Channel& channel = result.emplace_back();
        channel.node = index;
        channel.target = target;
        if (only_jumps(curves, times)) {
            channel.kind = scene_file::file::KeyKind::step;
        }
        Sampler(part, Bound(target, metres_per_unit), channel, keys_left).run(curves, times);
    }
    return result;
}

}  // namespace animbridge::scene_child::read
