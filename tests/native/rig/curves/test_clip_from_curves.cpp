// SPDX-License-Identifier: MIT
// F-curves to a clip: rotation modes, values between keys, and errors.
#include <algorithm>
#include <limits>

#include "catch.h"
#include "invariants.h"
#include "rig_support.h"

using namespace animbridge;
using namespace animbridge::test;
using rig::armature::BoneChannel;
using rig::curves::CurveView;

namespace {

const rig::curves::Timing ten_per_second{10.0, 0.0};

/// One bone, mTorso, with the rest pose of the avatar's joint: its channels equal the clip's.
struct Scene {
    Skeleton skeleton = sl_anim::avatar::playing_skeleton();
    rig::armature::Armature armature{{rig::armature::Bone{"mTorso"}}, rig::armature::Facing::x};
    std::size_t torso = skeleton.find("mTorso").value();

    [[nodiscard]] Result<Clip> clip(const std::vector<CurveView>& curves, double seconds) const {
        return rig::curves::clip_from_curves(curves, skeleton, armature, mapped(skeleton, armature),
                                             ten_per_second, seconds);
    }
};

using Points = std::vector<float>;
constexpr std::uint8_t constant = 0;
constexpr std::uint8_t linear = 1;
constexpr std::uint8_t bezier = 2;

glm::dmat3 about(int axis, double angle) {
    const double c = std::cos(angle);
    const double s = std::sin(angle);
    const int a = (axis + 1) % 3;
    const int b = (axis + 2) % 3;
    glm::dmat3 m(1.0);
    m[a][a] = c;
    m[a][b] = s;
    m[b][a] = -s;
    m[b][b] = c;
    return m;
}

glm::dquat key(const Clip& clip, std::size_t i) { return clip.tracks.at(0).rotation(i); }

}  // namespace

TEST_CASE("Euler orders name the axes in the order in which they turn", "[curves]") {
    const Scene scene;
    const std::array<double, 3> angles = {0.4, -1.1, 2.0};
    const std::array<std::pair<BoneChannel, std::array<int, 3>>, 6> orders = {
        {{BoneChannel::euler_xyz, {0, 1, 2}},
         {BoneChannel::euler_xzy, {0, 2, 1}},
         {BoneChannel::euler_yxz, {1, 0, 2}},
         {BoneChannel::euler_yzx, {1, 2, 0}},
         {BoneChannel::euler_zxy, {2, 0, 1}},
         {BoneChannel::euler_zyx, {2, 1, 0}}}};
    const std::array<Points, 3> points = {Points{0, 0.4F}, Points{0, -1.1F}, Points{0, 2.0F}};
    for (const auto& row : orders) {
        const BoneChannel channel = row.first;
        const std::array<int, 3>& order = row.second;
        std::vector<CurveView> curves;
        for (std::size_t c = 0; c < 3; ++c) {
            curves.push_back({0, channel, c, points.at(c), {}, {}, {}, {}});
        }
        const Clip clip = scene.clip(curves, 1.0).value();
        REQUIRE(clip.tracks.size() == 1);
        // The first axis rotates first: its matrix is the rightmost.
        const auto turn = [&](std::size_t n) {
            return about(order.at(n), angles.at(static_cast<std::size_t>(order.at(n))));
        };
        const glm::dmat3 expected = turn(2) * turn(1) * turn(0);
        CHECK(angle_between_degrees(key(clip, 0), glm::quat_cast(expected)) < 1e-5);
    }
}

TEST_CASE("axis and angle, and quaternions of any length", "[curves]") {
    const Scene scene;
    const Points angle{0, 1.5F};
    const Points half{0, 0.5F};
    const Points zero{0, 0};
    const Clip turned = scene
                            .clip({{0, BoneChannel::axis_angle, 0, angle, {}, {}, {}, {}},
                                   {0, BoneChannel::axis_angle, 2, half, {}, {}, {}, {}}},
                                  1.0)
                            .value();
    CHECK(angle_between_degrees(key(turned, 0), glm::angleAxis(1.5, glm::dvec3(0, 1, 0))) < 1e-5);
    const Clip no_axis = scene.clip({{0, BoneChannel::axis_angle, 0, angle, {}, {}, {}, {}}}, 1.0).value();
    CHECK(angle_between_degrees(key(no_axis, 0), glm::dquat(1, 0, 0, 0)) < 1e-9);
    const Clip scaled = scene
                            .clip({{0, BoneChannel::quaternion, 0, half, {}, {}, {}, {}},
                                   {0, BoneChannel::quaternion, 1, half, {}, {}, {}, {}}},
                                  1.0)
                            .value();
    CHECK(angle_between_degrees(key(scaled, 0), glm::angleAxis(std::acos(-1.0) / 2.0, glm::dvec3(1, 0, 0))) <
          1e-5);
    CHECK(glm::length(key(scaled, 0)) == Approx(1.0));
    // All zero means no rotation. Without a curve, w is 1.
    const Clip nothing = scene.clip({{0, BoneChannel::quaternion, 0, zero, {}, {}, {}, {}}}, 1.0).value();
    CHECK(angle_between_degrees(key(nothing, 0), glm::dquat(1, 0, 0, 0)) < 1e-9);
    const Clip only_x = scene.clip({{0, BoneChannel::quaternion, 1, half, {}, {}, {}, {}}}, 1.0).value();
    CHECK(angle_between_degrees(key(only_x, 0), glm::normalize(glm::dquat(1, 0.5, 0, 0))) < 1e-5);
}

TEST_CASE("straight segments keep their keys, sub-frames too", "[curves]") {
    const Scene scene;
    const Points x{0, 0, 3.25F, 1, 10, 0};
    const Points y{0, 0, 7.5F, 1};
    const Clip clip = scene
                          .clip({{0, BoneChannel::location, 0, x, {}, {}, {}, {}},
                                 {0, BoneChannel::location, 1, y, {}, {}, {}, {}}},
                                1.0)
                          .value();
    REQUIRE(clip.tracks.size() == 1);
    const Track& track = clip.tracks[0];
    // The keys of both curves together.
    REQUIRE(track.times.size() == 4);
    CHECK(track.times[0] == Approx(0.0).margin(1e-12));
    CHECK(track.times[1] == Approx(0.325));
    CHECK(track.times[2] == Approx(0.75));
    CHECK(track.times[3] == Approx(1.0));
    const glm::dvec3 rest = scene.skeleton.nodes[scene.torso].rest_local.translation;
    CHECK(track.translation(1).x == Approx(rest.x + 1.0));
    CHECK(track.translation(1).y == Approx(rest.y + 3.25 / 7.5));
    CHECK(track.translation(2).x == Approx(rest.x + 1.0 - 4.25 / 6.75));
    CHECK(track.translation(3).y == Approx(rest.y + 1.0));
    CHECK_NOTHROW(check_clip(clip));
}

TEST_CASE("bent segments get keys at whole frames", "[curves]") {
    const Scene scene;
    const Points x{0.5F, 0, 6.25F, 10};
    const std::vector<std::uint8_t> kinds{bezier, bezier};
    const Points left{-1.5F, 0, 4.25F, 10};
    const Points right{2.5F, 0, 8.25F, 10};
    const Clip clip = scene.clip({{0, BoneChannel::location, 0, x, kinds, left, right, {}}}, 1.0).value();
    const Track& track = clip.tracks.at(0);
    REQUIRE(track.times.size() == 8);  // 0.5, 1..6, 6.25
    CHECK(track.times[0] == Approx(0.05));
    for (std::size_t i = 1; i <= 6; ++i) {
        CHECK(track.times[i] == Approx(0.1 * static_cast<double>(i)));
    }
    CHECK(track.times[7] == Approx(0.625));
    // The curve is symmetric about 3.375: the values at 1 and 5.75 add up to 10.
    const double rest = scene.skeleton.nodes[scene.torso].rest_local.translation.x;
    CHECK(track.translation(0).x - rest == Approx(0.0).margin(1e-9));
    CHECK(track.translation(7).x - rest == Approx(10.0));
    CHECK(track.translation(3).x - rest > 2.0);
    CHECK(track.translation(3).x - rest < 5.0);
    // Linear Euler curves still give a bent rotation.
    const Points turn{0, 0, 4, 1};
    const Clip euler = scene.clip({{0, BoneChannel::euler_xyz, 1, turn, {}, {}, {}, {}}}, 1.0).value();
    CHECK(euler.tracks.at(0).times.size() == 5);
}

TEST_CASE("a constant segment holds its value up to its end", "[curves]") {
    const Scene scene;
    const Points x{0, 1, 5, 2, 10, 2};
    const std::vector<std::uint8_t> kinds{constant, constant, constant};
    const Clip clip = scene.clip({{0, BoneChannel::location, 0, x, kinds, {}, {}, {}}}, 1.0).value();
    const Track& track = clip.tracks.at(0);
    const double rest = scene.skeleton.nodes[scene.torso].rest_local.translation.x;
    REQUIRE(track.times.size() == 4);
    CHECK(track.times[1] < 0.5);
    CHECK(track.times[1] > 0.5 - 1e-4);
    CHECK(track.translation(1).x - rest == Approx(1.0));
    CHECK(track.times[2] == Approx(0.5));
    CHECK(track.translation(2).x - rest == Approx(2.0));
    CHECK(track.times[3] == Approx(1.0));  // there is no jump, so there is no key before it
}

TEST_CASE("keys outside of the range shape its ends", "[curves]") {
    const Scene scene;
    const double rest = scene.skeleton.nodes[scene.torso].rest_local.translation.x;
    const auto values = [&](const Points& points) {
        const Clip clip = scene.clip({{0, BoneChannel::location, 0, points, {}, {}, {}, {}}}, 1.0).value();
        std::vector<std::pair<double, double>> rows;
        for (std::size_t i = 0; i < clip.tracks.at(0).key_count(); ++i) {
            rows.emplace_back(clip.tracks[0].times[i], clip.tracks[0].translation(i).x - rest);
        }
        return rows;
    };
    const auto both = values({-10, 0, 20, 3});
    REQUIRE(both.size() == 2);
    CHECK(both[0].first == Approx(0.0).margin(1e-12));
    CHECK(both[0].second == Approx(1.0));
    CHECK(both[1].first == Approx(1.0));
    CHECK(both[1].second == Approx(2.0));
    const auto before = values({-10, 1, -5, 2});
    REQUIRE(before.size() == 1);
    CHECK(before[0].second == Approx(2.0));
    const auto behind = values({30, 7});
    REQUIRE(behind.size() == 1);
    CHECK(behind[0].second == Approx(7.0));
}

TEST_CASE("what cannot be used is refused with the bone's name", "[curves]") {
    const Scene scene;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinite = std::numeric_limits<float>::infinity();
    const auto refused = [&](const CurveView& curve) {
        const auto clip = scene.clip({curve}, 1.0);
        REQUIRE_FALSE(clip.has_value());
        CHECK(clip.error().code == ErrorCode::bad_value);
        CHECK(clip.error().message().find("mTorso") != std::string::npos);
    };
    for (const Points& points : {Points{nan, 0}, Points{0, nan}, Points{0, infinite}, Points{-infinite, 0},
                                 Points{0, 0, 1, nan}, Points{1, 0, 0, 0}}) {
        refused({0, BoneChannel::location, 0, points, {}, {}, {}, {}});
    }
    const Points two{0, 0, 1, 1};
    const std::vector<std::uint8_t> unknown{linear, 3};
    refused({0, BoneChannel::location, 0, two, unknown, {}, {}, {}});
    const std::vector<std::uint8_t> beziers{bezier, linear};
    refused({0, BoneChannel::location, 0, two, beziers, {}, {}, {}});
    const Points wild{0, nan, 1, 1};
    refused({0, BoneChannel::location, 0, two, beziers, two, wild, {}});
    const Points endless{0, 0, infinite, 1};
    refused({0, BoneChannel::location, 0, two, beziers, endless, two, {}});
}

TEST_CASE("bones of no joint are passed over", "[curves]") {
    Scene scene;
    scene.armature.bones.push_back({"Skirt"});
    const Points x{0, 1};
    const Clip clip = scene.clip({{1, BoneChannel::location, 0, x, {}, {}, {}, {}}}, 1.0).value();
    CHECK(clip.tracks.empty());
    CHECK(clip.duration_seconds == 1.0);
}

TEST_CASE("a long animation does not cost more than its frames", "[curves]") {
    // A bent curve between distant frames, or a distant range, is either refused or finished.
    const Scene scene;
    const Points far{0, 0, 3e9F, 1};
    const auto clip = scene.clip({{0, BoneChannel::euler_xyz, 0, far, {}, {}, {}, {}}}, 3e8);
    if (clip) {
        CHECK(clip->tracks.at(0).key_count() < 1000000);
    } else {
        CHECK(clip.error().code == ErrorCode::bad_value);
    }
}
