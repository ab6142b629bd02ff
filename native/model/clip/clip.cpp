// SPDX-License-Identifier: MIT
#include "model/clip/clip.h"

#include <algorithm>
#include <glm/mat3x3.hpp>
#include <limits>
#include <numbers>

namespace animbridge {

double leading_hold_seconds(const Clip& clip) {
    double hold = clip.duration_seconds;
    bool moves = false;
    for (const Track& track : clip.tracks) {
        if (track.key_count() > 1 && track.channel != Channel::property) {
            hold = std::min(hold, track.times.front());
            moves = true;
        }
    }
    return moves ? std::max(hold, 0.0) : 0.0;
}

std::vector<NodeTracks> tracks_by_node(const Clip& clip) {
    std::vector<NodeTracks> tracks(clip.skeleton.nodes.size());
    for (const Track& track : clip.tracks) {
        if (track.node >= tracks.size() || track.key_count() == 0 || track.component) {
            continue;
        }
        NodeTracks& node = tracks[track.node];
        if (track.channel == Channel::rotation) {
            node.rotation = &track;
        } else if (track.channel == Channel::translation) {
            node.translation = &track;
        }
    }
    return tracks;
}

double angle_between_degrees(const glm::dquat& a, const glm::dquat& b) {
    const double length_a = std::sqrt(glm::dot(a, a));
    const double length_b = std::sqrt(glm::dot(b, b));
    if (!(length_a > 0.0) || !(length_b > 0.0)) {
        return length_a == length_b ? 0.0 : 180.0;
    }
    const glm::dquat unit_a = a / length_a;
    // The same arithmetic for both, so that equal quaternions differ by exactly 0.
    const glm::dquat unit_b = b / (glm::dot(a, b) < 0.0 ? -length_b : length_b);
    const glm::dquat difference = unit_a - unit_b;
    const glm::dquat sum = unit_a + unit_b;
    // For unit vectors, tan(angle / 2) = |a - b| / |a + b|. The rotation's angle is twice the angle between
    // the quaternions.
    return 4.0 * std::atan2(std::sqrt(glm::dot(difference, difference)), std::sqrt(glm::dot(sum, sum))) *
           180.0 / std::numbers::pi;
}

std::optional<std::size_t> Skeleton::find(std::string_view name) const {
    const auto found = std::ranges::find_if(nodes, [&](const Node& node) { return node.name == name; });
    if (found == nodes.end()) {
        return std::nullopt;
    }
    return static_cast<std::size_t>(found - nodes.begin());
}

std::vector<std::string> names_of(const Skeleton& skeleton) {
    std::vector<std::string> names;
    for (const Node& node : skeleton.nodes) {
        names.push_back(node.name);
    }
    return names;
}

namespace {

/// The parameter at which a Bezier segment reaches `x`. The control points make x(u) monotonic. Newton steps
/// within a bisection, so that it always converges.
double parameter_at(double x1, double x2, double x3, double x) {
    double low = 0.0;
    double high = 1.0;
    double u = std::clamp(x / x3, 0.0, 1.0);
    for (int step = 0; step < 64; ++step) {
        const double error = cubic_bezier(0.0, x1, x2, x3, u) - x;
        if (std::abs(error) <= 1e-14 * x3) {
            break;
        }
        (error > 0.0 ? high : low) = u;
        const double v = 1.0 - u;
        const double slope = 3.0 * (v * v * x1 + 2.0 * v * u * (x2 - x1) + u * u * (x3 - x2));
        const double newton = u - error / slope;
        u = newton > low && newton < high ? newton : 0.5 * (low + high);
    }
    return u;
}

struct Point {
    double time = 0;
    double value = 0;
};

/// The control points of a Bezier segment; times are relative to its start.
std::array<Point, 4> control_points(const Track& track, std::size_t key, std::size_t number) {
    const std::size_t width = track.width();
    const double length = track.times[key + 1] - track.times[key];
    Handles out = track.handles[key * width + number];
    Handles in = track.handles[(key + 1) * width + number];
    // A handle longer in time than its segment is scaled down, each of the two separately.
    if (out.out_time > length) {
        out.out_value *= length / out.out_time;
        out.out_time = length;
    }
    if (-in.in_time > length) {
        in.in_value *= length / -in.in_time;
        in.in_time = -length;
    }
    const double start = track.values[key * width + number];
    const double end = track.values[(key + 1) * width + number];
    return {Point{0.0, start}, Point{out.out_time, start + out.out_value},
            Point{length + in.in_time, end + in.in_value}, Point{length, end}};
}

double parameter_at(const std::array<Point, 4>& p, double seconds) {
    return parameter_at(p[1].time, p[2].time, p[3].time, seconds);
}

Point between(const Point& a, const Point& b, double u) {
    return {a.time + u * (b.time - a.time), a.value + u * (b.value - a.value)};
}

}  // namespace

double bezier_between(const Track& track, std::size_t key, double time, std::size_t number) {
    const auto p = control_points(track, key, number);
    return cubic_bezier(p[0].value, p[1].value, p[2].value, p[3].value,
                        parameter_at(p, time - track.times[key]));
}

SplitBezier split_bezier(const Track& track, std::size_t key, double time, std::size_t number) {
    // de Casteljau
    const auto p = control_points(track, key, number);
    const double u = parameter_at(p, time - track.times[key]);
    const Point a = between(p[0], p[1], u);
    const Point b = between(p[1], p[2], u);
    const Point c = between(p[2], p[3], u);
    const Point d = between(a, b, u);
    const Point e = between(b, c, u);
    const Point cut = between(d, e, u);
    return {{0.0, 0.0, a.time, a.value - p[0].value},
            {d.time - cut.time, d.value - cut.value, e.time - cut.time, e.value - cut.value},
            {c.time - p[3].time, c.value - p[3].value, 0.0, 0.0}};
}

double evaluate(const Track& track, double time, std::size_t number) {
    const std::size_t width = track.width();
    const auto right = std::ranges::upper_bound(track.times, time);
    if (right == track.times.begin()) {
        return track.values[number];
    }
    const auto left = static_cast<std::size_t>(right - track.times.begin()) - 1;
    const double start = track.values[left * width + number];
    if (right == track.times.end()) {
        return start;
    }
    switch (track.interpolation_after(left)) {
        case Interpolation::step:
            return start;
        case Interpolation::bezier:
            return bezier_between(track, left, time, number);
        case Interpolation::linear:
            break;
    }
    const double u = (time - track.times[left]) / (track.times[left + 1] - track.times[left]);
    return start + u * (track.values[(left + 1) * width + number] - start);
}

double chord_of_degrees(double degrees) {
    return degrees >= 180.0 ? std::numeric_limits<double>::infinity()
                            : 2.0 * std::sin(std::max(degrees, 0.0) * std::numbers::pi / 720.0);
}

double degrees_of_chord(double chord) {
    return 4.0 * std::asin(std::min(chord * 0.5, 1.0)) * 180.0 / std::numbers::pi;
}

namespace {

constexpr double pi = std::numbers::pi;

/// 1 if the axes are in the cyclic order x, y, z, else -1: then the angles change their sign.
double parity_of(const EulerOrder& order) { return order.second == (order.first + 1) % 3 ? 1.0 : -1.0; }

glm::dquat axis_rotation(int axis, double angle) {
    glm::dvec3 direction(0);
    direction[axis] = 1.0;
    return glm::angleAxis(angle, direction);
}

/// Adds whole turns to each angle to bring it as close to `before` as possible.
glm::dvec3 unwound(glm::dvec3 angles, const glm::dvec3& before) {
    for (int axis = 0; axis < 3; ++axis) {
        angles[axis] += 2.0 * pi * std::round((before[axis] - angles[axis]) / (2.0 * pi));
    }
    return angles;
}

}  // namespace

glm::dquat rotation_of_euler(const EulerOrder& order, const glm::dvec3& angles) {
    return axis_rotation(order.third, angles[order.third]) *
           axis_rotation(order.second, angles[order.second]) *
           axis_rotation(order.first, angles[order.first]);
}

glm::dvec3 euler_near(const EulerOrder& order, const glm::dquat& rotation, const glm::dvec3& before) {
    const auto [i, j, k] = order;
    const double s = parity_of(order);
    // glm's matrices are indexed by column, then row.
    const glm::dmat3 m = glm::mat3_cast(rotation);
    const double cosine = std::hypot(m[i][i], m[i][j]);
    glm::dvec3 angles(0);
    angles[j] = std::atan2(-s * m[i][k], cosine);
    // This close to gimbal lock, the first and third axis cannot be distinguished.
    constexpr double locked = 1e-7;
    if (cosine < locked) {
        angles[i] = before[i];
        const glm::dmat3 rest = glm::mat3_cast(rotation * axis_rotation(i, -before[i]));
        angles[k] = std::atan2(-s * rest[j][i], rest[j][j]);
        return unwound(angles, before);
    }
    angles[i] = std::atan2(s * m[j][k], m[k][k]);
    angles[k] = std::atan2(s * m[i][j], m[i][i]);
    glm::dvec3 flipped = angles + glm::dvec3(pi);
    flipped[j] = pi - angles[j];
    const glm::dvec3 one = unwound(angles, before);
    const glm::dvec3 other = unwound(flipped, before);
    return glm::length(other - before) < glm::length(one - before) ? other : one;
}

namespace {

bool is_inserted(const Track& track, std::size_t key) {
    return !track.inserted.empty() && track.inserted[key];
}

/// Whether every key of the source is at a frame.
bool fits(const Track& track, double frames_per_second) {
    constexpr double tolerated_frames = 1e-4;
    constexpr double single_precision = 1.2e-7;  // times in files: those of a minute are 4 microseconds apart
    for (std::size_t key = 0; key < track.key_count(); ++key) {
        const double frame = track.times[key] * frames_per_second;
        const double tolerated = tolerated_frames + single_precision * std::abs(frame);
        if (!is_inserted(track, key) && std::abs(frame - std::round(frame)) > tolerated) {
            return false;
        }
    }
    return true;
}

bool fits(const Clip& clip, double frames_per_second) {
    return std::ranges::all_of(clip.tracks,
                               [&](const Track& track) { return fits(track, frames_per_second); });
}

/// The gaps between neighbouring keys of the source that move a node. Keys closer than `shortest` count as
/// one: jumps, and rounded times.
std::vector<double> key_gaps(const Clip& clip) {
    constexpr double shortest = 1e-3;
    std::vector<double> times;
    for (const Track& track : clip.tracks) {
        for (std::size_t key = 0; track.channel != Channel::property && key < track.key_count(); ++key) {
            if (!is_inserted(track, key)) {
                times.push_back(track.times[key]);
            }
        }
    }
    std::ranges::sort(times);
    std::vector<double> gaps;
    for (std::size_t i = 1, last = 0; i < times.size(); ++i) {
        if (const double gap = times[i] - times[last]; gap >= shortest) {
            gaps.push_back(gap);
            last = i;
        }
    }
    return gaps;
}

/// The distance of frames, of which each gap is one or several: the most common among the shortest gaps.
double step_of(std::vector<double> gaps) {
    constexpr double of_one_frame = 1.5;
    std::ranges::sort(gaps);
    const double short_one = gaps[gaps.size() / 10];  // a few may be shorter than frames
    const auto end = std::ranges::upper_bound(gaps, of_one_frame * short_one);
    return gaps[static_cast<std::size_t>(end - gaps.begin()) / 2];
}

}  // namespace

double frame_rate_of(const Clip& clip) {
    if (clip.frames_per_second > 0.0) {
        return clip.frames_per_second;
    }
    const auto* const fitting =
        std::ranges::find_if(usual_rates, [&](double rate) { return fits(clip, rate); });
    if (fitting != usual_rates.end()) {
        return *fitting;
    }
    const std::vector<double> gaps = key_gaps(clip);
    if (gaps.empty()) {
        return usual_rate;
    }
    const double rate = 1.0 / step_of(gaps);
    if (rate > usual_rate && fits(clip, std::round(rate))) {
        return std::round(rate);
    }
    const auto* const nearest = std::ranges::min_element(usual_rates, [&](double a, double b) {
        return std::abs(std::log(a / rate)) < std::abs(std::log(b / rate));
    });
    return std::max(usual_rate, *nearest);
}

}  // namespace animbridge
