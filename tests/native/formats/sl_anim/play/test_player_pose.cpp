// SPDX-License-Identifier: MIT
// Poses: keys, their order, interpolation, and the skeleton.
#include <cmath>

#include "build.h"
#include "catch.h"
#include "formats/sl_anim/avatar/avatar.h"
#include "formats/sl_anim/play/play.h"
#include "spec_codes.h"

using namespace animbridge;
using namespace animbridge::test;
using sl_anim::file::CodedKey;
using sl_anim::play::Player;

namespace {

Quat as_quat(const sl_anim::codes::Quaternion& q) { return {q.w, q.x, q.y, q.z}; }
Quat as_quat(const glm::dquat& q) { return {q.w, q.x, q.y, q.z}; }

std::size_t index_of(const std::string& name) { return sl_anim::avatar::find_joint(name).value(); }

sl_anim::codes::Quaternion rotation_at(const Player& player, float seconds) {
    return value_at(player.joints().at(0).rotation, seconds);
}
sl_anim::codes::Vector position_at(const Player& player, float seconds) {
    return value_at(player.joints().at(0).position, seconds);
}

Quat about_z(double degrees) {
    const double half = degrees * std::numbers::pi / 360.0;
    return {std::cos(half), 0, 0, std::sin(half)};
}

CodedKey turn_z(double fraction, double degrees) {
    const Quat q = about_z(degrees);
    return q[0] < 0 ? rotation_key(fraction, 0, 0, -q[3]) : rotation_key(fraction, 0, 0, q[3]);
}

/// The shorter great-circle path, in double precision.
Quat slerp(double u, Quat a, const Quat& b) {
    double cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    if (cosine < 0) {
        a = {-a[0], -a[1], -a[2], -a[3]};
        cosine = -cosine;
    }
    const double angle = std::acos(cosine);
    const double share_a = std::sin((1 - u) * angle) / std::sin(angle);
    const double share_b = std::sin(u * angle) / std::sin(angle);
    return {share_a * a[0] + share_b * b[0], share_a * a[1] + share_b * b[1], share_a * a[2] + share_b * b[2],
            share_a * a[3] + share_b * b[3]};
}

Quat lerp(double u, const Quat& a, const Quat& b) {
    Quat q{};
    double square = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        q[i] = (1 - u) * a[i] + u * b[i];
        square += q[i] * q[i];
    }
    for (double& component : q) {
        component /= std::sqrt(square);
    }
    return q;
}

}  // namespace

TEST_CASE("before the first and behind the last key their values are held", "[player]") {
    const Player player(
        document(4.0F, {joint("mTorso", {turn_z(0.25, 10), turn_z(0.5, 50)}, {position_key(0.5, 1, 2, 3)})}));
    const float first = player.joints()[0].rotation.times[0];
    CHECK(first == Approx(1.0).margin(1e-4));
    CHECK(degrees_between(as_quat(rotation_at(player, 0.0F)), about_z(10)) < 0.01);
    CHECK(degrees_between(as_quat(rotation_at(player, first)), about_z(10)) < 0.01);
    CHECK(degrees_between(as_quat(rotation_at(player, 2.5F)), about_z(50)) < 0.01);
    CHECK(degrees_between(as_quat(rotation_at(player, 4.0F)), about_z(50)) < 0.01);
    for (const float seconds : {0.0F, 2.0F, 4.0F}) {
        const auto p = position_at(player, seconds);
        CHECK(p[0] == Approx(1.0).margin(1e-4));
        CHECK(p[1] == Approx(2.0).margin(1e-4));
        CHECK(p[2] == Approx(3.0).margin(1e-4));
    }
}

TEST_CASE("positions run straight between keys", "[player]") {
    const Player player(
        document(1.0F, {joint("mPelvis", {}, {position_key(0, 0, 0, 0), position_key(1, 4, -2, 1)})}));
    for (const float u : {0.25F, 0.5F, 0.9F}) {
        const auto p = position_at(player, u);
        CHECK(p[0] == Approx(4.0 * u).margin(2e-4));
        CHECK(p[1] == Approx(-2.0 * u).margin(2e-4));
        CHECK(p[2] == Approx(u).margin(2e-4));
    }
}

TEST_CASE("rotations on one side are mixed straight and rescaled", "[player]") {
    // Not at the great circle's speed: at a quarter of 120 degrees the two differ by more than a degree.
    const Player player(document(1.0F, {joint("mTorso", {turn_z(0, 0), turn_z(1, 120)})}));
    const auto quarter = as_quat(rotation_at(player, 0.25F));
    CHECK(degrees_between(quarter, lerp(0.25, about_z(0), about_z(120))) < 0.01);
    CHECK(degrees_between(quarter, slerp(0.25, about_z(0), about_z(120))) > 1.0);
    CHECK(degrees_between(as_quat(rotation_at(player, 0.5F)), about_z(60)) < 0.01);
}

TEST_CASE("rotations on opposite sides take the great circle", "[player]") {
    // 150 and 210 degrees: stored with w >= 0 they are 150 and -150, whose dot product is negative.
    const Player player(document(1.0F, {joint("mTorso", {turn_z(0, 150), turn_z(1, 210)})}));
    for (const double u : {0.1, 0.25, 0.5, 0.77}) {
        const auto shown = as_quat(rotation_at(player, static_cast<float>(u)));
        CHECK(degrees_between(shown, about_z(150 + 60 * u)) < 0.01);
    }
    std::mt19937 random(5);
    int opposite = 0;
    for (int i = 0; i < 3000; ++i) {
        const Quat a = random_turn(random, 120 + i % 59);
        const Quat b = random_turn(random, 120 + i % 57);
        const CodedKey key_a = rotation_key(0, a[1], a[2], a[3]);
        const CodedKey key_b = rotation_key(1, b[1], b[2], b[3]);
        const Quat stored_a = spec_rotation(key_a.xyz);
        const Quat stored_b = spec_rotation(key_b.xyz);
        const double dot = stored_a[0] * stored_b[0] + stored_a[1] * stored_b[1] + stored_a[2] * stored_b[2] +
                           stored_a[3] * stored_b[3];
        if (dot > -0.001 || dot < -0.999) {
            continue;
        }
        ++opposite;
        const Player one(document(1.0F, {joint("mTorso", {key_a, key_b})}));
        for (const double u : {0.2, 0.5, 0.8}) {
            const double off = degrees_between(as_quat(rotation_at(one, static_cast<float>(u))),
                                               slerp(u, stored_a, stored_b));
            if (off > 0.02) {
                FAIL("pair " << i << " at " << u << " is off by " << off);
            }
        }
    }
    CHECK(opposite > 500);
}

TEST_CASE("keys may stand in any order, and the last of a time counts", "[player]") {
    const Player player(
        document(1.0F, {joint("mTorso", {turn_z(1, 30), turn_z(0, 10), turn_z(0.5, 99), turn_z(0.5, 20)})}));
    const auto& keys = player.joints()[0].rotation;
    REQUIRE(keys.size() == 3);
    CHECK(keys.times[0] == 0.0F);
    CHECK(keys.times[2] == 1.0F);
    CHECK(degrees_between(as_quat(rotation_at(player, 0.0F)), about_z(10)) < 0.01);
    CHECK(degrees_between(as_quat(rotation_at(player, keys.times[1])), about_z(20)) < 0.01);
    CHECK(degrees_between(as_quat(rotation_at(player, 1.0F)), about_z(30)) < 0.01);
}

TEST_CASE("with a duration of nothing the last key is the pose", "[player]") {
    const Player player(looped(
        document(0.0F, {joint("mTorso", {turn_z(0, 10), turn_z(1, 30), turn_z(0.5, 20)})}), 0.0F, 0.0F));
    REQUIRE(player.joints()[0].rotation.size() == 1);
    CHECK(degrees_between(as_quat(rotation_at(player, 0.0F)), about_z(20)) < 0.01);
}

TEST_CASE("of records of one joint the first plays, whatever it is called", "[player]") {
    const Player player(document(1.0F, {joint("mPelvis", {turn_z(0, 10)}), joint("hip", {turn_z(0, 20)}),
                                        joint("mPelvis", {turn_z(0, 30)}), joint("nobody", {turn_z(0, 40)}),
                                        joint("nobody", {turn_z(0, 50)})}));
    REQUIRE(player.joints().size() == 2);
    CHECK(player.joints()[0].name == "mPelvis");
    CHECK(player.joints()[0].joint == index_of("mPelvis"));
    CHECK(degrees_between(as_quat(rotation_at(player, 0.0F)), about_z(10)) < 0.01);
    CHECK(player.joints()[1].name == "nobody");
    CHECK_FALSE(player.joints()[1].joint.has_value());
}

TEST_CASE("a rotation longer than one is not cut", "[player]") {
    const Player player(document(1.0F, {joint("mTorso", {rotation_key(0, 1, 1, 1)})}));
    const auto q = rotation_at(player, 0.0F);
    CHECK(q.x == 1.0F);
    CHECK(q.y == 1.0F);
    CHECK(q.z == 1.0F);
    CHECK(q.w == 0.0F);
    // The pose is still a valid transform.
    const auto pose = player.local_pose(0.0F);
    CHECK(glm::length(pose[index_of("mTorso")].rotation) == Approx(1.0));
}

TEST_CASE("old files: degrees about z, then y, then x, and clamped positions", "[player]") {
    sl_anim::file::Document old = document(2.0F, {});
    old.version = sl_anim::file::Version::legacy;
    const auto key = [](float seconds, float x, float y, float z) {
        return sl_anim::file::LegacyKey{RawFloat(seconds), {RawFloat(x), RawFloat(y), RawFloat(z)}};
    };
    old.joints.push_back(
        {"mTorso", -1, {{}, {key(0.5F, 30.0F, 40.0F, 50.0F)}}, {{}, {key(0.5F, 9.0F, -9.0F, 2.0F)}}});
    const Player player(old);
    CHECK(player.joints()[0].rotation.times[0] == 0.5F);
    // qx (x) qy (x) qz, multiplied out by hand for the half angles 15, 20, 25 degrees.
    const double d = std::numbers::pi / 180.0;
    const double cx = std::cos(15 * d), sx = std::sin(15 * d), cy = std::cos(20 * d), sy = std::sin(20 * d),
                 cz = std::cos(25 * d), sz = std::sin(25 * d);
    const Quat expected = {cx * cy * cz - sx * sy * sz, sx * cy * cz + cx * sy * sz,
                           cx * sy * cz - sx * cy * sz, cx * cy * sz + sx * sy * cz};
    CHECK(degrees_between(as_quat(rotation_at(player, 0.0F)), expected) < 1e-4);
    const auto p = position_at(player, 0.0F);
    CHECK(p[0] == 5.0F);
    CHECK(p[1] == -5.0F);
    CHECK(p[2] == 2.0F);
}

TEST_CASE("world places: parents carry their children", "[player]") {
    // mPelvis moves a metre forward and rotates 90 degrees to the left: the torso's rest offset rotates with
    // it.
    const Player player(document(1.0F, {joint("mPelvis", {turn_z(0, 90)}, {position_key(0, 1, 0, 0)})}));
    const auto world = player.world_pose(0.0F);
    const auto rest = Player(document(1.0F, {joint("mHead", {turn_z(0, 0)})})).world_pose(0.0F);
    CHECK(glm::length(rest[index_of("mPelvis")].translation) == 0.0);
    for (const char* const name : {"mTorso", "mHead", "mWristLeft", "mAnkleRight", "CHEST", "Left Hand"}) {
        INFO(name);
        const glm::dvec3 before = rest[index_of(name)].translation;
        const glm::dvec3 after = world[index_of(name)].translation;
        CHECK(after.x == Approx(1.0 - before.y).margin(2e-4));
        CHECK(after.y == Approx(before.x).margin(2e-4));
        CHECK(after.z == Approx(before.z).margin(2e-4));
        CHECK(degrees_between(as_quat(world[index_of(name)].rotation),
                              as_quat(glm::dquat(std::sqrt(0.5), 0, 0, std::sqrt(0.5)) *
                                      rest[index_of(name)].rotation)) < 0.01);
    }
}

TEST_CASE("the skeleton", "[player]") {
    std::array<int, 3> kinds{};
    for (const auto& one : sl_anim::avatar::skeleton()) {
        ++kinds.at(static_cast<std::size_t>(one.kind));
    }
    CHECK(kinds == std::array<int, 3>{133, 26, 55});
    CHECK(sl_anim::avatar::find_joint("hip") == sl_anim::avatar::find_joint("mPelvis"));
    CHECK(sl_anim::avatar::find_joint("avatar_mPelvis") == sl_anim::avatar::find_joint("mPelvis"));
    CHECK(sl_anim::avatar::find_joint("Left Hand") == sl_anim::avatar::find_joint("Left_Hand"));
    CHECK(sl_anim::avatar::find_joint("L_HAND").has_value());
    CHECK_FALSE(sl_anim::avatar::find_joint("MPELVIS").has_value());
    CHECK_FALSE(sl_anim::avatar::find_joint("").has_value());
    // The spine folds back on itself: mSpine1 goes up as far as mSpine2 comes down.
    const auto& up = sl_anim::avatar::skeleton()[index_of("mSpine1")].node.rest_local.translation;
    const auto& down = sl_anim::avatar::skeleton()[index_of("mSpine2")].node.rest_local.translation;
    CHECK(up.z == Approx(0.084));
    CHECK(down.z == Approx(-0.084));
}
