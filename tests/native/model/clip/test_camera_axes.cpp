// SPDX-License-Identifier: MIT
// Cameras that look along one axis of their node or another.
#include <array>
#include <cmath>
#include <glm/geometric.hpp>

#include "catch.h"
#include "model/clip/clip.h"

using namespace animbridge;

namespace {

using Axes = Camera::Axes;
constexpr double near_enough = 1e-12;

/// A camera on a boom, and a lamp on the camera.
Clip boom(Axes axes) {
    const glm::dquat tilt = glm::normalize(glm::dquat(0.9, 0.2, -0.3, 0.1));
    Clip clip;
    clip.skeleton.nodes.push_back({"boom"});
    clip.skeleton.nodes.push_back({"camera", {}, 0, {tilt, {1, 2, 3}}});
    clip.skeleton.nodes[1].camera = Camera{axes, 40};
    clip.skeleton.nodes.push_back({"lamp", {}, 1, {tilt, {0.5, 0, 0.25}}});
    Track turns{1, Channel::rotation};
    turns.add_key(0.0, std::array{1.0, 0.0, 0.0, 0.0});
    turns.add_key(1.0, std::array{0.6, 0.0, 0.8, 0.0});
    Track lamp{2, Channel::translation};
    lamp.add_key(0.0, std::array{0.0, 1.0, 0.0});
    lamp.add_key(1.0, std::array{1.0, 0.0, 2.0});
    clip.tracks = {turns, lamp};
    clip.duration_seconds = 1.0;
    return clip;
}

glm::dvec3 looks(const Transform& world, Axes axes) {
    return world.rotation * (axes == Axes::looks_down_z ? glm::dvec3(0, 0, -1) : glm::dvec3(0, 1, 0));
}

glm::dvec3 up(const Transform& world, Axes axes) {
    return world.rotation * (axes == Axes::looks_down_z ? glm::dvec3(0, 1, 0) : glm::dvec3(0, 0, 1));
}

}  // namespace

TEST_CASE("a camera with other axes shows the same picture", "[camera-axes]") {
    for (const Axes from : {Axes::looks_down_z, Axes::looks_along_y}) {
        const Axes to = from == Axes::looks_down_z ? Axes::looks_along_y : Axes::looks_down_z;
        const Clip clip = boom(from);
        CHECK_FALSE(with_camera_axes(clip, from).has_value());
        const auto turned = with_camera_axes(clip, to);
        REQUIRE(turned.has_value());
        CHECK(turned->skeleton.nodes[1].camera->axes == to);
        CHECK(turned->skeleton.nodes[1].camera->horizontal_field_degrees == 40);
        ClipPoser before(clip);
        ClipPoser after(*turned);
        for (const double seconds : {0.0, 0.3, 1.0}) {
            before.pose(seconds);
            after.pose(seconds);
            const Transform& a = before.world()[1];
            const Transform& b = after.world()[1];
            CHECK(glm::distance(a.translation, b.translation) < near_enough);
            CHECK(glm::distance(looks(a, from), looks(b, to)) < near_enough);
            CHECK(glm::distance(up(a, from), up(b, to)) < near_enough);
            // The camera's children stay.
            CHECK(glm::distance(before.world()[2].translation, after.world()[2].translation) < near_enough);
            CHECK(angle_between_degrees(before.world()[2].rotation, after.world()[2].rotation) < 1e-6);
        }
    }
}

TEST_CASE("curves of a camera bend alike with other axes", "[camera-axes]") {
    Clip clip = boom(Axes::looks_along_y);
    Track& turns = clip.tracks[0];
    turns.interpolation = {Interpolation::bezier, Interpolation::bezier};
    turns.handles.resize(8);
    for (std::size_t number = 0; number < 4; ++number) {
        turns.handles[number] = {-0.2, 0.0, 0.3, 0.1 * static_cast<double>(number)};
        turns.handles[4 + number] = {-0.3, 0.2, 0.2, 0.0};
    }
    const auto turned = with_camera_axes(clip, Axes::looks_down_z);
    REQUIRE(turned.has_value());
    ClipPoser before(clip);
    ClipPoser after(*turned);
    for (const double seconds : {0.2, 0.5, 0.7}) {
        before.pose(seconds);
        after.pose(seconds);
        CHECK(glm::distance(looks(before.world()[1], Axes::looks_along_y),
                            looks(after.world()[1], Axes::looks_down_z)) < near_enough);
    }
}
