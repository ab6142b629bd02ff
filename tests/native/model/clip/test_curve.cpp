// SPDX-License-Identifier: MIT
// F-curve segments: step, linear and Bezier, compared with a curve drawn point by point.
#include <algorithm>
#include <array>
#include <random>

#include "catch.h"
#include "model/clip/clip.h"

using namespace animbridge;

namespace {

struct Point {
    double x;
    double y;
};

/// De Casteljau's construction.
Point on_curve(std::array<Point, 4> p, double u) {
    for (std::size_t level = 3; level > 0; --level) {
        for (std::size_t i = 0; i < level; ++i) {
            p[i] = {p[i].x + u * (p[i + 1].x - p[i].x), p[i].y + u * (p[i + 1].y - p[i].y)};
        }
    }
    return p[0];
}

/// The curve's value at x, from drawing it as many short lines.
double drawn(const std::array<Point, 4>& p, double x) {
    constexpr int pieces = 20000;
    Point before = p[0];
    for (int i = 1; i <= pieces; ++i) {
        const Point now = on_curve(p, static_cast<double>(i) / pieces);
        if (now.x >= x) {
            const double u = now.x > before.x ? (x - before.x) / (now.x - before.x) : 1.0;
            return before.y + u * (now.y - before.y);
        }
        before = now;
    }
    return before.y;
}

Track segment(Interpolation interpolation, const Handles& left, const Handles& right) {
    Track track{0, Channel::property};
    track.times = {10.0, 14.0};
    track.values = {1.0, 3.0};
    track.interpolation = {interpolation, Interpolation::linear};
    track.handles = {left, right};
    return track;
}

}  // namespace

TEST_CASE("outside its keys a curve is held", "[curves]") {
    const Track track = segment(Interpolation::bezier, {0, 0, 1, 5}, {-1, 5, 0, 0});
    CHECK(evaluate(track, 9.0) == 1.0);
    CHECK(evaluate(track, 10.0) == 1.0);
    CHECK(evaluate(track, 14.0) == 3.0);
    CHECK(evaluate(track, 99.0) == 3.0);
}

TEST_CASE("constant and linear segments", "[curves]") {
    const Track step = segment(Interpolation::step, {}, {});
    CHECK(evaluate(step, 10.0) == 1.0);
    CHECK(evaluate(step, 13.999) == 1.0);
    CHECK(evaluate(step, 14.0) == 3.0);
    const Track line = segment(Interpolation::linear, {}, {});
    CHECK(evaluate(line, 11.0) == Approx(1.5));
    CHECK(evaluate(line, 13.5) == Approx(2.75));
    Track plain{0, Channel::property};
    plain.times = {0, 1, 3};
    plain.values = {0, 2, -2};
    CHECK(evaluate(plain, 0.5) == Approx(1.0));
    CHECK(evaluate(plain, 2.0) == Approx(0.0).margin(1e-12));
    plain = Track{0, Channel::property};
    plain.times = {5};
    plain.values = {7};
    CHECK(evaluate(plain, 0.0) == 7.0);
    CHECK(evaluate(plain, 5.0) == 7.0);
    CHECK(evaluate(plain, 6.0) == 7.0);
}

TEST_CASE("two keys of one time: the later counts from there on", "[curves]") {
    Track track{0, Channel::property};
    track.times = {0, 1, 1, 2};
    track.values = {0, 1, 5, 6};
    CHECK(evaluate(track, 0.999) == Approx(0.999));
    CHECK(evaluate(track, 1.0) == 5.0);
    CHECK(evaluate(track, 1.5) == Approx(5.5));
}

TEST_CASE("a Bezier segment goes where it is drawn", "[curves]") {
    std::mt19937 random(31);
    std::uniform_real_distribution<double> reach(0.0, 4.0);
    std::uniform_real_distribution<double> height(-6.0, 6.0);
    for (int round = 0; round < 100; ++round) {
        // Handles of any length within the segment; the two can overlap.
        const Handles left{0, 0, reach(random), height(random)};
        const Handles right{-reach(random), height(random), 0, 0};
        const Track track = segment(Interpolation::bezier, left, right);
        const std::array<Point, 4> p = {Point{10, 1},
                                        {10 + left.out_time, 1 + left.out_value},
                                        {14 + right.in_time, 3 + right.in_value},
                                        {14, 3}};
        for (int i = 1; i < 20; ++i) {
            const double x = 10.0 + 4.0 * i / 20.0;
            INFO("round " << round << " at " << x);
            CHECK(evaluate(track, x) == Approx(drawn(p, x)).margin(2e-3));
        }
    }
}

TEST_CASE("handles that reach past their segment are shortened in proportion", "[curves]") {
    // Twice as long as the segment: half of the handle is used, in time and in value.
    const Track longer = segment(Interpolation::bezier, {0, 0, 8, 6}, {-16, 4, 0, 0});
    const std::array<Point, 4> p = {Point{10, 1}, {14, 4}, {10, 4}, {14, 3}};
    for (const double x : {10.5, 11.0, 12.0, 13.0, 13.5}) {
        CHECK(evaluate(longer, x) == Approx(drawn(p, x)).margin(5e-3));
    }
}

TEST_CASE("numbers that Blender gives", "[curves]") {
    // A key at (0, 0) with its right handle at (3, 4), one at (10, 10) with its left handle at (7, 6): by
    // hand at u = 1/2: x = (0 + 3*3 + 3*7 + 10)/8 = 5, y = (0 + 12 + 18 + 10)/8 = 5; at u = 1/4: x =
    // 0.421875*3 + 0.140625*7 + 0.15625 = 2.40625, y = 0.421875*4 + 0.140625*6 + 0.15625 = 2.6875.
    Track track{0, Channel::property};
    track.times = {0, 10};
    track.values = {0, 10};
    track.interpolation = {Interpolation::bezier, Interpolation::bezier};
    track.handles = {{-3, -4, 3, 4}, {-3, -4, 3, 4}};
    CHECK(evaluate(track, 5.0) == Approx(5.0).margin(1e-9));
    CHECK(evaluate(track, 2.40625) == Approx(2.6875).margin(1e-9));
    CHECK(evaluate(track, 10.0 - 2.40625) == Approx(10.0 - 2.6875).margin(1e-9));
}

TEST_CASE("flat and vertical tangents", "[curves]") {
    // Handles of length 0 in time give a straight line.
    const Track none = segment(Interpolation::bezier, {}, {});
    CHECK(evaluate(none, 12.0) == Approx(2.0).margin(1e-6));
    // Handles that meet at one time: the value jumps there and stays finite.
    const Track leap = segment(Interpolation::bezier, {0, 0, 4, 0}, {-4, 0, 0, 0});
    CHECK(evaluate(leap, 11.9) > 1.0);
    CHECK(evaluate(leap, 11.9) < evaluate(leap, 12.1));
    CHECK(evaluate(leap, 12.1) < 3.0);
}
