// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "model/clip.h"

namespace animbridge {

namespace {

double bernstein(double p0, double p1, double p2, double p3, double u) {
    const double v = 1.0 - u;
    return v * v * v * p0 + 3.0 * v * v * u * p1 + 3.0 * v * u * u * p2 + u * u * u * p3;
}

/// The parameter at which a Bezier segment reaches `x`. The control points make x(u) monotonic. Newton steps
/// within a bisection, so that it always converges.
double parameter_at(double x1, double x2, double x3, double x) {
    double low = 0.0;
    double high = 1.0;
    double u = std::clamp(x / x3, 0.0, 1.0);
    for (int step = 0; step < 64; ++step) {
        const double error = bernstein(0.0, x1, x2, x3, u) - x;
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

}  // namespace

double bezier_between(const Track& track, std::size_t key, double time, std::size_t number) {
    const std::size_t width = track.width();
    const double length = track.times[key + 1] - track.times[key];
    Handles out = track.handles[key * width + number];
    Handles in = track.handles[(key + 1) * width + number];
    // A handle longer in time than its segment is scaled down, each of the two on its own.
    if (out.out_time > length) {
        out.out_value *= length / out.out_time;
        out.out_time = length;
    }
    if (-in.in_time > length) {
        in.in_value *= length / -in.in_time;
        in.in_time = -length;
    }
    const double u = parameter_at(out.out_time, length + in.in_time, length, time - track.times[key]);
    const double start = track.values[key * width + number];
    const double end = track.values[(key + 1) * width + number];
    return bernstein(start, start + out.out_value, end + in.in_value, end, u);
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
