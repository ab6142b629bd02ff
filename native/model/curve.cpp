// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include "model/clip.h"

namespace animbridge {

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
    const auto right = std::upper_bound(track.times.begin(), track.times.end(), time);
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

}  // namespace animbridge
