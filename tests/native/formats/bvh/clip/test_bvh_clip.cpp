// SPDX-License-Identifier: MIT
// Euler angles to quaternions and back: against the standard library's functions and GLM's products.
#include <algorithm>
#include <array>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <iterator>
#include <numbers>
#include <random>

#include "bvh_invariants.h"
#include "bvh_texts.h"
#include "catch.h"
#include "formats/bvh/clip/clip.h"

using namespace animbridge;
using namespace animbridge::test;
using bvh::file::ChannelKind;

namespace {

constexpr double radians_of_degree = std::numbers::pi / 180.0;

/// The number of doubles between the two, near the larger one.
double units_apart(double a, double b) {
    const double larger = std::max({std::abs(a), std::abs(b), 1e-3});
    return std::abs(a - b) / (std::nextafter(larger, 2.0 * larger) - larger);
}

glm::dquat turn(std::size_t axis, double degrees) {
    glm::dvec3 about(0);
    about[static_cast<int>(axis)] = 1.0;
    return glm::angleAxis(degrees * radians_of_degree, about);
}

constexpr std::array<ChannelKind, 3> rotation_kinds = {ChannelKind::x_rotation, ChannelKind::y_rotation,
                                                       ChannelKind::z_rotation};

/// Frames of one joint that rotates about these axes.
bvh::file::Document turning(const std::vector<std::size_t>& axes, const std::vector<double>& degrees) {
    bvh::file::Document document;
    bvh::file::Joint& joint = document.joints.emplace_back();
    joint.name = "joint";
    for (const std::size_t axis : axes) {
        joint.channels.push_back(rotation_kinds.at(axis));
    }
    document.frame_time_seconds = 0.1;
    document.frame_count = degrees.size() / axes.size();
    document.motion = degrees;
    return document;
}

std::vector<std::vector<std::size_t>> orders() {
    return {{0}, {2}, {0, 1}, {2, 1}, {0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
}

bvh::clip::FromClip back_to(const bvh::file::Document& document) {
    bvh::clip::FromClip options;
    options.frame_time_seconds = document.frame_time_seconds;
    options.frame_count = document.frame_count;
    for (const bvh::file::Joint& joint : document.joints) {
        options.channels.push_back(joint.channels);
    }
    return options;
}

/// From the C library, for an angle near 0: some processors are far off elsewhere.
std::pair<double, double> sine_and_cosine(double degrees) {
    const double quarters = std::nearbyint(degrees / 90.0);
    const auto radians =
        static_cast<long double>(degrees - 90.0 * quarters) * std::numbers::pi_v<long double> / 180.0L;
    auto sine = static_cast<double>(std::sin(radians));
    auto cosine = static_cast<double>(std::cos(radians));
    for (int turn = 0; turn < (static_cast<int>(quarters) % 4 + 4) % 4; ++turn) {
        std::swap(sine, cosine);
        cosine = -cosine;
    }
    return {sine, cosine};
}

}  // namespace

TEST_CASE("half angles are the library's sines and cosines", "[bvh-clip]") {
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> usual(-720.0, 720.0);
    double worst = 0;
    for (int block = 0; block < 5000; ++block) {
        bvh::clip::Lane degrees{};
        for (double& angle : degrees) {
            angle = usual(random);
        }
        bvh::clip::HalfAngles half;
        bvh::clip::half_angles(degrees, half);
        for (std::size_t i = 0; i < degrees.size(); ++i) {
            const auto [sine, cosine] = sine_and_cosine(degrees[i] / 2);
            worst = std::max({worst, units_apart(half.sine[i], sine), units_apart(half.cosine[i], cosine)});
        }
    }
    CHECK(worst <= 3.0);
}

TEST_CASE("quarter turns are exact, however many whole turns come before", "[bvh-clip]") {
    for (const double turns : {0.0, 1.0, -3.0, 1e6, -123456789.0, 1e12, 5e12}) {
        bvh::clip::Lane degrees{};
        degrees[0] = 720.0 * turns;
        degrees[1] = 720.0 * turns + 180.0;
        degrees[2] = 720.0 * turns + 360.0;
        degrees[3] = 720.0 * turns - 180.0;
        bvh::clip::HalfAngles half;
        bvh::clip::half_angles(degrees, half);
        const std::array<std::array<double, 2>, 4> expected = {{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}};
        for (std::size_t i = 0; i < expected.size(); ++i) {
            CHECK(half.sine[i] == expected.at(i)[0]);
            CHECK(half.cosine[i] == expected.at(i)[1]);
        }
    }
}

TEST_CASE("rotations are products in channel order, of unit length and one sign", "[bvh-clip]") {
    std::mt19937_64 random(6);
    std::uniform_real_distribution<double> angle(-400.0, 400.0);
    for (const auto& axes : std::vector<std::vector<std::size_t>>{
             {0}, {1, 2}, {2, 0, 1}, {0, 1, 2}, {2, 1, 2}, {0, 0}, {1, 0, 2, 1, 0, 2, 1, 0, 2}}) {
        std::vector<double> degrees(axes.size() * 150);
        for (double& value : degrees) {
            value = angle(random);
        }
        const Clip clip = bvh::clip::to_clip(turning(axes, degrees), {}).value();
        REQUIRE(clip.tracks.size() == 1);
        REQUIRE(clip.tracks[0].key_count() == 150);
        for (std::size_t frame = 0; frame < 150; ++frame) {
            glm::dquat product(1, 0, 0, 0);
            for (std::size_t i = 0; i < axes.size(); ++i) {
                product = product * turn(axes[i], degrees[frame * axes.size() + i]);
            }
            const glm::dquat found = clip.tracks[0].rotation(frame);
            CHECK(angle_between_degrees(found, product) < 1e-12 * static_cast<double>(axes.size()) + 2e-13);
            CHECK(std::abs(glm::length(found) - 1.0) < 1e-15 * static_cast<double>(4 * axes.size()));
            CHECK((frame == 0 || glm::dot(found, clip.tracks[0].rotation(frame - 1)) >= 0.0));
        }
    }
}

TEST_CASE("positions stand in place of the OFFSET, axis by axis", "[bvh-clip]") {
    bvh::file::Document document = turning({0}, {0.0, 0.0});
    document.joints[0].offset = {1.0, 2.0, 3.0};
    document.joints[0].channels = {ChannelKind::z_position, ChannelKind::x_rotation, ChannelKind::x_position};
    document.motion = {30.0, 0.0, 10.0, -30.0, 0.0, -10.0};
    const bvh::clip::Placement up_z{*bvh::clip::axes_of("-Z", "Y"), 0.5};
    const Clip clip = bvh::clip::to_clip(document, up_z).value();
    REQUIRE(clip.tracks.size() == 2);
    const Track& places = clip.tracks[clip.tracks[0].channel == Channel::translation ? 0 : 1];
    // The file's x, y, z become x, -z, y.
    CHECK(places.translation(0) == glm::dvec3(5.0, -15.0, 1.0));
    CHECK(places.translation(1) == glm::dvec3(-5.0, 15.0, 1.0));
    CHECK(clip.skeleton.nodes[0].rest_local.translation == glm::dvec3(0.5, -1.5, 1.0));
    CHECK(clip.duration_seconds == 0.1);
    document.motion[0] = 1e31;
    CHECK(!bvh::clip::to_clip(document, {}).has_value());
}

TEST_CASE("a clip goes back into any order with continuous angles", "[bvh-clip]") {
    for (const auto& axes : orders()) {
        std::vector<double> degrees;
        for (std::size_t frame = 0; frame < 400; ++frame) {
            for (std::size_t i = 0; i < axes.size(); ++i) {
                // Winds up over full turns; the middle angle passes 90 degrees.
                const double phase = 0.031 * static_cast<double>(frame) * static_cast<double>(i + 1);
                degrees.push_back(i == 1 ? 100.0 * std::sin(phase) : 2.7 * static_cast<double>(frame));
            }
        }
        const bvh::file::Document document = turning(axes, degrees);
        const Clip clip = bvh::clip::to_clip(document, usual_placement).value();
        bvh::clip::FromClip options = back_to(document);
        options.placement = usual_placement;
        const bvh::file::Document made = bvh::clip::from_clip(clip, options);
        const Clip again = bvh::clip::to_clip(made, usual_placement).value();
        for (std::size_t frame = 0; frame < document.frame_count; ++frame) {
            CHECK(angle_between_degrees(again.tracks[0].rotation(frame), clip.tracks[0].rotation(frame)) <
                  1e-6);
            for (std::size_t i = 0; frame > 0 && i < axes.size(); ++i) {
                CHECK(std::abs(made.frame(frame)[i] - made.frame(frame - 1)[i]) < 181.0);
            }
        }
    }
}

TEST_CASE("angles of one axis wind on as the file's did", "[bvh-clip]") {
    std::vector<double> degrees;
    for (int frame = 0; frame < 100; ++frame) {
        degrees.push_back(25.0 * frame);
    }
    const bvh::file::Document document = turning({1}, degrees);
    const bvh::file::Document made =
        bvh::clip::from_clip(bvh::clip::to_clip(document, {}).value(), back_to(document));
    for (std::size_t frame = 0; frame < degrees.size(); ++frame) {
        CHECK(made.frame(frame)[0] == Approx(degrees[frame]).margin(1e-9));
    }
}

TEST_CASE("what channels cannot hold is told, and what they hold stays", "[bvh-clip]") {
    const Clip bent = bvh::clip::to_clip(turning({0, 1}, {10.0, 20.0, -30.0, 40.0}), {}).value();
    CHECK(bvh::clip::can_hold(bent.tracks[0], {}, {0, 1}));
    CHECK(bvh::clip::can_hold(bent.tracks[0], {}, {0, 1, 2}));
    CHECK(!bvh::clip::can_hold(bent.tracks[0], {}, {1, 0}));
    CHECK(!bvh::clip::can_hold(bent.tracks[0], {}, {0}));
    CHECK(!bvh::clip::can_hold(bent.tracks[0], {}, {}));
    bvh::file::Document plain = read_text(plain_bvh).value();
    bvh::clip::FromClip options = back_to(plain);
    options.channels[0] = {ChannelKind::x_scale, ChannelKind::z_rotation, ChannelKind::x_rotation,
                           ChannelKind::y_rotation};
    options.angle_decimals = 3;
    const bvh::file::Document made = bvh::clip::from_clip(bvh::clip::to_clip(plain, {}).value(), options);
    CHECK(made.joints[0].offset == plain.joints[0].offset);
    CHECK(made.frame(0)[0] == 1.0);
    CHECK(made.frame(0)[1] == 4.0);
    CHECK(made.frame(1)[1] == 0.125);
    CHECK(made.frame(1)[2] == 1000.0 - 1080.0);
}
