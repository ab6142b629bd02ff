// SPDX-License-Identifier: MIT
// Rotations as a bone's Euler angles: the angles, the number of keys, and the way back.
#include <algorithm>
#include <numbers>

#include "base/base.h"
#include "build.h"
#include "catch.h"
#include "formats/sl_anim/clip/clip.h"
#include "formats/sl_anim/file/file.h"
#include "rig/curves/channels.h"
#include "rig/curves/curves.h"
#include "rig_support.h"

using namespace animbridge;
using namespace animbridge::test;
using rig::armature::BoneChannel;

namespace {

constexpr double pi = std::numbers::pi;
constexpr std::array<BoneChannel, 6> orders = {BoneChannel::euler_xyz, BoneChannel::euler_xzy,
                                               BoneChannel::euler_yxz, BoneChannel::euler_yzx,
                                               BoneChannel::euler_zxy, BoneChannel::euler_zyx};
/// The axes in the order's name; the first one rotates first.
constexpr std::array<std::array<int, 3>, 6> letters = {
    {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};

glm::dmat4 turn_about(int axis, double angle) {
    glm::dvec3 direction(0);
    direction[axis] = 1;
    return glm::rotate(glm::dmat4(1.0), angle, direction);
}

glm::dquat by_matrices(std::size_t order, const glm::dvec3& angles) {
    const auto& [first, second, third] = letters.at(order);
    return glm::quat_cast(glm::dmat3(turn_about(third, angles[third]) * turn_about(second, angles[second]) *
                                     turn_about(first, angles[first])));
}

Track rotation_track(const std::vector<double>& seconds, const std::vector<glm::dquat>& rotations) {
    Track track{0, Channel::rotation};
    glm::dquat before(1, 0, 0, 0);
    for (std::size_t i = 0; i < seconds.size(); ++i) {
        before = glm::dot(rotations[i], before) < 0 ? -rotations[i] : rotations[i];
        track.add_key(seconds[i], std::array<double, 4>{before.w, before.x, before.y, before.z});
    }
    return track;
}

/// A bone mTorso with the rest pose of the joint: its angles equal the joint's.
struct Rig {
    Skeleton skeleton = sl_anim::avatar::playing_skeleton();
    rig::armature::Armature armature{{rig::armature::Bone{"mTorso"}}, rig::armature::Facing::x};
    rig::armature::BoneMap map = mapped(skeleton, armature);
    rig::armature::BoneSpace space{skeleton, skeleton.find("mTorso").value(), armature, map};
    rig::curves::Timing timing{30.0, 1.0};

    [[nodiscard]] rig::curves::EulerCurves curves(const Track& track, BoneChannel order) const {
        return rig::curves::euler_curves(track, space, 0, order, timing);
    }
};

/// The largest angle between the track, interpolated linearly and normalised, and the curves, in degrees.
double largest_stray(const Track& track, const rig::curves::BoneCurves& curves, std::size_t order,
                     const rig::curves::Timing& timing) {
    double worst = 0;
    for (std::size_t key = 0; key + 1 < track.key_count(); ++key) {
        for (int i = 0; i <= 200; ++i) {
            const double u = i / 200.0;
            const double seconds = track.times[key] * (1 - u) + track.times[key + 1] * u;
            const double frame = timing.frame_at(seconds);
            const glm::dquat shown = by_matrices(
                order, {curve_value(curves.points[0], frame), curve_value(curves.points[1], frame),
                        curve_value(curves.points[2], frame)});
            const glm::dquat meant = track.rotation(key) * (1 - u) + track.rotation(key + 1) * u;
            worst = std::max(worst, angle_between_degrees(shown, meant));
        }
    }
    return worst;
}

}  // namespace

TEST_CASE("angles turn as the order's letters say", "[euler]") {
    std::mt19937 random(71);
    for (std::size_t order = 0; order < orders.size(); ++order) {
        for (int round = 0; round < 100; ++round) {
            const glm::dvec3 angles = random_vector(random, 7.0);
            CHECK(angle_between_degrees(rig::curves::rotation_of_euler(orders[order], angles),
                                        by_matrices(order, angles)) < 1e-9);
        }
    }
}

TEST_CASE("of all angles of a rotation the nearest are taken", "[euler]") {
    std::mt19937 random(72);
    for (std::size_t order = 0; order < orders.size(); ++order) {
        for (int round = 0; round < 500; ++round) {
            const glm::dquat q = random_rotation(random);
            const glm::dvec3 before = random_vector(random, 20.0);
            const glm::dvec3 taken = rig::curves::euler_near(orders[order], q, before);
            REQUIRE(angle_between_degrees(by_matrices(order, taken), q) < 1e-6);
            // The other angles for the rotation: whole turns, and the flip of the middle axis.
            const int middle = letters.at(order)[1];
            for (const bool flip : {false, true}) {
                glm::dvec3 other = flip ? taken + glm::dvec3(pi) : taken;
                other[middle] = flip ? pi - taken[middle] : taken[middle];
                REQUIRE(angle_between_degrees(by_matrices(order, other), q) < 1e-6);
                for (int n = 0; n < 3; ++n) {
                    other[n] += 2 * pi * std::round((before[n] - other[n]) / (2 * pi));
                }
                REQUIRE(glm::length(taken - before) <= glm::length(other - before) + 1e-9);
            }
        }
    }
}

TEST_CASE("at gimbal lock the first axis stays where it was", "[euler]") {
    for (std::size_t order = 0; order < orders.size(); ++order) {
        const auto& [first, second, third] = letters.at(order);
        for (const double quarter : {-pi / 2, pi / 2, pi * 3 / 2}) {
            glm::dvec3 angles(0);
            angles[first] = 0.4;
            angles[second] = quarter;
            angles[third] = -0.9;
            glm::dvec3 before = angles;
            before[first] = 2.0;
            before[third] = 5.0;
            const glm::dvec3 taken =
                rig::curves::euler_near(orders[order], by_matrices(order, angles), before);
            CHECK(taken[first] == Approx(2.0));
            CHECK(taken[second] == Approx(quarter));
            CHECK(angle_between_degrees(by_matrices(order, taken), by_matrices(order, angles)) < 1e-5);
        }
    }
}

TEST_CASE("angles run on through whole turns and through the lock", "[euler]") {
    const Rig rig;
    // Ten turns about each axis of every order, with a key every third of a turn, never make a jump.
    for (const BoneChannel order : orders) {
        for (int axis = 0; axis < 3; ++axis) {
            std::vector<double> seconds;
            std::vector<glm::dquat> rotations;
            for (int i = 0; i <= 30; ++i) {
                seconds.push_back(i * 0.2);
                rotations.push_back(glm::quat_cast(glm::dmat3(turn_about(axis, i * 2 * pi / 3))));
            }
            const auto fitted = rig.curves(rotation_track(seconds, rotations), order);
            CHECK(fitted.error_degrees < rig::curves::euler_tolerance_degrees);
            const auto& points = fitted.curves.points.at(static_cast<std::size_t>(axis));
            CHECK(points.back() == Approx(20 * pi).margin(1e-5));
            for (std::size_t i = 3; i < points.size(); i += 2) {
                CHECK(points[i] >= points[i - 2]);
            }
        }
    }
}

TEST_CASE("Blender's angles show the clip's path", "[euler]") {
    std::mt19937 random(73);
    const Rig rig;
    for (std::size_t order = 0; order < orders.size(); ++order) {
        for (int round = 0; round < 15; ++round) {
            // A key every 10 to 30 frames, up to 100 degrees apart.
            std::vector<double> seconds{0.0};
            std::vector<glm::dquat> rotations{random_rotation(random)};
            for (int i = 0; i < 6; ++i) {
                std::uniform_real_distribution<double> any(0, 1);
                seconds.push_back(seconds.back() + (10 + 20 * any(random)) / 30.0);
                const glm::dvec3 axis = glm::normalize(random_vector(random, 1.0));
                rotations.push_back(glm::angleAxis(glm::radians(100.0 * any(random)), axis) *
                                    rotations.back());
            }
            const Track track = rotation_track(seconds, rotations);
            const auto fitted = rig.curves(track, orders[order]);
            const double worst = largest_stray(track, fitted.curves, order, rig.timing);
            INFO("order " << order << ", round " << round << ": " << worst << ", told "
                          << fitted.error_degrees);
            // The reported error is true, and without a report the tolerance holds.
            CHECK(worst < std::max(rig::curves::euler_tolerance_degrees, 1.5 * fitted.error_degrees));
            // All keys of the track are there, and not marked as inserted.
            std::size_t real = 0;
            for (const std::uint8_t inserted : fitted.curves.inserted) {
                real += inserted == 0 ? 1U : 0U;
            }
            CHECK(real == track.key_count());
            const auto& points = fitted.curves.points[0];
            for (std::size_t i = 2; i < points.size(); i += 2) {
                CHECK(points[i] - points[i - 2] > 0.0199F);
            }
        }
    }
}

TEST_CASE("a small turn about one axis needs no further key", "[euler]") {
    const Rig rig;
    const Track track =
        rotation_track({0, 1}, {glm::dquat(1, 0, 0, 0), glm::angleAxis(0.1, glm::dvec3(0, 0, 1))});
    const auto fitted = rig.curves(track, BoneChannel::euler_xyz);
    CHECK(fitted.curves.points.at(2) == std::vector<float>{1.0F, 0.0F, 31.0F, 0.1F});
    CHECK(fitted.curves.inserted == std::vector<std::uint8_t>{0, 0});
}

TEST_CASE("what gimbal lock leaves is told", "[euler]") {
    // Passes the pole very closely, within one frame.
    const glm::dquat side = glm::angleAxis(1e-3, glm::dvec3(1, 0, 0));
    const Track track =
        rotation_track({0, 1.0 / 30.0}, {glm::angleAxis(glm::radians(60.0), glm::dvec3(0, 1, 0)),
                                         side * glm::angleAxis(glm::radians(120.0), glm::dvec3(0, 1, 0))});
    const Rig rig;
    const auto fitted = rig.curves(track, BoneChannel::euler_xyz);
    CHECK(fitted.error_degrees > rig::curves::euler_tolerance_degrees);
    CHECK(fitted.curves.inserted.size() <= 52);
    CHECK(largest_stray(track, fitted.curves, 0, rig.timing) <= 1.5 * fitted.error_degrees);
}

TEST_CASE("keys through angles and back are the file's codes", "[euler]") {
    std::mt19937 random(74);
    std::uniform_int_distribution<int> gap(400, 6000);
    for (const BoneChannel order : orders) {
        std::vector<sl_anim::file::Joint> joints;
        for (const char* const name : {"mPelvis", "mTorso", "mElbowLeft", "mTail1"}) {
            std::vector<sl_anim::file::CodedKey> keys;
            for (int code = 0; code <= 65535; code += gap(random)) {
                glm::dquat q = random_rotation(random);
                // The sign of a half turn is arbitrary.
                while (std::abs(q.w) < 0.05) {
                    q = random_rotation(random);
                }
                const double sign = q.w < 0 ? -1 : 1;
                keys.push_back(rotation_key(code / 65535.0, sign * q.x, sign * q.y, sign * q.z));
            }
            joints.push_back(joint(name, keys));
        }
        const sl_anim::file::Document document = test::document(8.0F, joints);
        rig::armature::Armature armature =
            random_armature(random, usual_joints(), rig::armature::Facing::negative_y);
        for (rig::armature::Bone& bone : armature.bones) {
            bone.rotation_channel = order;
        }
        const rig::armature::BoneMap map = mapped(sl_anim::avatar::playing_skeleton(), armature);
        const rig::curves::Timing timing{30.0, 1.0};
        const auto imported =
            rig::curves::curves_from_clip(sl_anim::clip::to_clip(document).value(), armature, map, timing);
        std::vector<rig::curves::CurveView> views;
        for (const rig::curves::BoneCurves& curves : imported.curves) {
            REQUIRE(curves.channel == order);
            REQUIRE(curves.points.size() == 3);
            for (std::size_t c = 0; c < 3; ++c) {
                views.push_back({curves.bone, order, c, curves.points[c], {}, {}, {}, curves.inserted});
            }
        }
        const auto back =
            exported_curves(armature, timing, views, {}, &document, 8.0F, {{"encoder", "nearest"}});
        REQUIRE(back.has_value());
        const sl_anim::file::Document& made = *as_sl_anim(*back->document);
        for (const sl_anim::file::Joint& original : document.joints) {
            const auto joint = std::find_if(
                made.joints.begin(), made.joints.end(),
                [&](const sl_anim::file::Joint& candidate) { return candidate.name == original.name; });
            REQUIRE(joint != made.joints.end());
            const auto& keys = joint->rotation.coded;
            INFO(original.name << ": " << original.rotation.coded.size() << " keys became " << keys.size());
            for (const sl_anim::file::CodedKey& key : original.rotation.coded) {
                const auto same = std::find_if(
                    keys.begin(), keys.end(),
                    [&](const sl_anim::file::CodedKey& other) { return other.time == key.time; });
                REQUIRE(same != keys.end());
                for (std::size_t c = 0; c < 3; ++c) {
                    REQUIRE(std::abs(int{same->xyz.at(c)} - int{key.xyz.at(c)}) <= 1);
                }
            }
        }
        // Half turns within one or two frames, some through gimbal lock, where the curves have reported such
        // an error.
        CHECK(back->report["max_rotation_error_degrees"].get<double>() < 0.3);
    }
}
