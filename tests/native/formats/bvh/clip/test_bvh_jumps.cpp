// SPDX-License-Identifier: MIT
// A BVH moves evenly between frames. What that does to jumps is reported apart from other errors.
#include <array>
#include <cmath>
#include <numbers>

#include "catch.h"
#include "formats/bvh/file/file.h"
#include "formats/bvh/scene/scene.h"
#include "model/compare/compare.h"

using namespace animbridge;

namespace {

/// Turns a node about X, by degrees at seconds.
Track turning(std::size_t node, const std::vector<std::array<double, 2>>& keys) {
    Track track{node, Channel::rotation};
    for (const auto& [seconds, degrees] : keys) {
        const double half = degrees * std::numbers::pi / 360.0;
        track.add_key(seconds, std::array{std::cos(half), std::sin(half), 0.0, 0.0});
    }
    return track;
}

/// Two joints, a metre apart along Y.
Clip two_joints(double duration_seconds) {
    Clip clip;
    Node arm{"arm"};
    arm.parent = 0;
    arm.rest_local.translation = {0, 1, 0};
    clip.skeleton.nodes = {Node{"root"}, arm};
    clip.duration_seconds = duration_seconds;
    clip.frames_per_second = 10;
    return clip;
}

/// The report on a file at the clip's own rate.
Json report_of(const Clip& clip) {
    const Json options = {{"stop_above_mm", 0}, {"stop_above_degrees", 0}};
    const auto made = bvh::scene::file_from_clip({clip, options, {}});
    REQUIRE(made.has_value());
    return made->report;
}

}  // namespace

TEST_CASE("A jump of a held key is reported apart", "[bvh]") {
    Clip clip = two_joints(1.0);
    Track track = turning(0, {{0.0, 0.0}, {0.45, 60.0}, {1.0, 60.0}});
    track.interpolation.assign(3, Interpolation::step);
    clip.tracks = {track};
    const Json report = report_of(clip);
    CHECK(report["max_rotation_error_degrees"].get<double>() < 1e-4);
    CHECK(report["max_position_error_mm"].get<double>() < 1e-2);
    REQUIRE(report["jumps"]["frames"] == 1);
    // Just before the jump in the middle of the frame, the BVH has turned by 30 of the 60 degrees; at the
    // jump it lacks 30. The arm's end is a metre away.
    CHECK(report["jumps"]["max_rotation_error_degrees"].get<double>() == Approx(30.0).margin(1e-3));
    CHECK(report["jumps"]["max_position_error_mm"].get<double>() ==
          Approx(2000.0 * std::sin(std::numbers::pi / 12.0)).margin(1e-1));
    REQUIRE(report["warnings"].size() == 1);
}

TEST_CASE("A bend between frames counts although the clip jumps elsewhere", "[bvh]") {
    Clip clip = two_joints(1.0);
    Track jumping = turning(1, {{0.0, 0.0}, {0.8, 45.0}, {1.0, 45.0}});
    jumping.interpolation.assign(3, Interpolation::step);
    // Between frames: at 0.25 s it turns back.
    clip.tracks = {turning(0, {{0.0, 0.0}, {0.25, 10.0}, {0.5, 0.0}}), jumping};
    const Json report = report_of(clip);
    CHECK(report["jumps"]["frames"] == 1);
    CHECK(report["max_rotation_error_degrees"].get<double>() == Approx(2.0).margin(1e-2));
}

TEST_CASE("Motion without jumps has no warning", "[bvh]") {
    Clip clip = two_joints(1.0);
    clip.tracks = {turning(0, {{0.0, 0.0}, {0.5, 40.0}, {1.0, 0.0}})};
    const Json report = report_of(clip);
    CHECK_FALSE(report.contains("jumps"));
    CHECK(report["warnings"].empty());
}

TEST_CASE("Held keys of one value, and of a quaternion's negative, do not jump", "[model]") {
    Clip clip = two_joints(1.0);
    Track track = turning(0, {{0.0, 20.0}, {0.5, 20.0}, {1.0, 380.0}});
    track.interpolation.assign(3, Interpolation::step);
    for (std::size_t i = 0; i < 4; ++i) {
        track.values[8 + i] = -track.values[i];
    }
    clip.tracks = {track};
    CHECK(jump_times(clip, 0.0).empty());
    clip.tracks[0].values[8] = 0.5;
    CHECK(jump_times(clip, 0.0) == std::vector<double>{1.0});
}

TEST_CASE("A very short slope is a jump", "[model]") {
    Clip clip = two_joints(1.0);
    clip.tracks = {turning(0, {{0.0, 0.0}, {0.49999, 0.0}, {0.5, 40.0}, {1.0, 0.0}})};
    CHECK(jump_times(clip, 1e-4) == std::vector<double>{0.5});
    CHECK(jump_times(clip, 1e-6).empty());
}
