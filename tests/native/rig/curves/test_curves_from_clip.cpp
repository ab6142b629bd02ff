// SPDX-License-Identifier: MIT
// A clip on an armature: curves, frames, and the report.
#include <algorithm>

#include "build.h"
#include "catch.h"
#include "formats/sl_anim/clip/clip.h"
#include "formats/sl_anim/play/play.h"
#include "rig_support.h"

using namespace animbridge;
using namespace animbridge::test;
using rig::armature::BoneChannel;
using rig::curves::BoneCurves;

namespace {

const rig::curves::Timing from_frame_5{30.0, 5.0};

rig::curves::CurvesFromClip curves_of(const sl_anim::file::Document& document,
                                      const rig::armature::Armature& armature,
                                      const rig::curves::Timing& frames = from_frame_5) {
    const Skeleton skeleton = sl_anim::avatar::playing_skeleton();
    return rig::curves::curves_from_clip(sl_anim::clip::to_clip(document).value(), armature,
                                         mapped(skeleton, armature), frames);
}

rig::armature::Armature plain(const std::vector<std::string>& names) {
    rig::armature::Armature armature;
    for (const std::string& name : names) {
        armature.bones.push_back({name});
    }
    return armature;
}

}  // namespace

TEST_CASE("keys stand at their exact times", "[curves]") {
    // 2 s: code 0 is frame 5, code 65535 frame 65, code 10000 at 2 * 10000/65535 s.
    sl_anim::file::Document document = turning_torso(2.0F);
    document.joints[0].rotation.coded.insert(document.joints[0].rotation.coded.begin() + 1,
                                             {10000, {32768, 32768, 40000}});
    const auto result = curves_of(document, plain({"mTorso"}));
    REQUIRE(result.curves.size() == 1);
    const BoneCurves& curves = result.curves[0];
    CHECK(curves.channel == BoneChannel::quaternion);
    REQUIRE(curves.points.size() == 4);
    REQUIRE(curves.points[0].size() == 6);
    CHECK(curves.points[0][0] == 5.0F);
    CHECK(curves.points[0][2] == Approx(5.0 + 30.0 * 2.0 * 10000.0 / 65535.0).epsilon(1e-7));
    CHECK(curves.points[0][4] == 65.0F);
    for (const auto& points : curves.points) {
        CHECK(points[2] == curves.points[0][2]);
    }
    CHECK(curves.points[3][5] == Approx(std::sqrt(0.5)).margin(2e-5));
    CHECK(result.close_keys.empty());
    CHECK(result.inserted_keys == 0);
    CHECK(result.unmatched_nodes.empty());
}

TEST_CASE("between keys the armature shows what the player shows", "[curves]") {
    std::mt19937 random(41);
    for (int round = 0; round < 30; ++round) {
        const rig::armature::Armature armature =
            random_armature(random, {"mPelvis", "mTorso", "mChest"}, rig::armature::Facing::negative_y);
        const auto key = [&](double fraction) {
            const glm::dquat q = random_rotation(random);
            const double sign = q.w < 0 ? -1 : 1;
            return rotation_key(fraction, sign * q.x, sign * q.y, sign * q.z);
        };
        std::vector<sl_anim::file::Joint> joints;
        for (const char* const name : {"mPelvis", "mTorso", "mChest"}) {
            joints.push_back(joint(name, {key(0), key(0.3), key(0.35), key(0.8), key(1)},
                                   {position_key(0.1, 1, 0, 0.5), position_key(0.9, -1, 0.3, 0)}));
        }
        const sl_anim::file::Document document = animbridge::test::document(2.0F, joints);
        const sl_anim::play::Player player(document);
        const auto result = curves_of(document, armature);
        REQUIRE(result.curves.size() == 6);
        for (double seconds = 0; seconds <= 2.0; seconds += 0.037) {
            std::vector<BonePose> poses(armature.bones.size());
            for (const BoneCurves& curves : result.curves) {
                std::array<double, 4> v{};
                for (std::size_t c = 0; c < curves.points.size(); ++c) {
                    v.at(c) = curve_value(curves.points[c], from_frame_5.frame_at(seconds));
                }
                if (curves.channel == BoneChannel::quaternion) {
                    poses[curves.bone].rotation = glm::normalize(glm::dquat(v[0], v[1], v[2], v[3]));
                } else {
                    poses[curves.bone].location = {v[0], v[1], v[2]};
                }
            }
            const auto world = player.world_pose(static_cast<float>(seconds));
            const glm::dquat turn = rig::armature::rotation_of(armature.facing);
            for (std::size_t b = 0; b < armature.bones.size(); ++b) {
                const auto& place = world[*sl_anim::avatar::find_joint(armature.bones[b].name)];
                const glm::dmat4 shown = posed(armature, poses, b);
                const glm::dquat expected =
                    turn * place.rotation * glm::conjugate(turn) * armature.bones[b].rest.rotation;
                const double degrees = angle_between_degrees(glm::quat_cast(glm::dmat3(shown)), expected);
                const double metres =
                    glm::length(glm::dvec3(shown[3]) - (turn * place.translation + glm::dvec3(0, 0, 1.067)));
                // 0.01 degrees for each joint of the chain, and the distance that this makes at arm's length.
                if (degrees > 0.031 || metres > 2e-3) {
                    FAIL("round " << round << " at " << seconds << ": " << armature.bones[b].name
                                  << " off by " << degrees << " degrees, " << metres << " m");
                }
            }
        }
    }
}

TEST_CASE("the great circle gets marked keys", "[curves]") {
    const auto turn_z = [](double fraction, double degrees) {
        const double half = degrees * std::acos(-1.0) / 360.0;
        const double sign = std::cos(half) < 0 ? -1 : 1;
        return rotation_key(fraction, 0, 0, sign * std::sin(half));
    };
    const auto opposite = document(1.0F, {joint("mTorso", {turn_z(0, 120), turn_z(1, 240)})});
    const auto result = curves_of(opposite, plain({"mTorso"}));
    REQUIRE(result.curves.size() == 1);
    const BoneCurves& curves = result.curves[0];
    CHECK(result.inserted_keys > 0);
    CHECK(curves.points[0].size() / 2 == 2 + result.inserted_keys);
    REQUIRE(curves.inserted.size() == curves.points[0].size() / 2);
    CHECK(curves.inserted.front() == 0);
    CHECK(curves.inserted.back() == 0);
    CHECK(static_cast<std::size_t>(std::count(curves.inserted.begin(), curves.inserted.end(), 1)) ==
          result.inserted_keys);
    const auto same_side = document(1.0F, {joint("mTorso", {turn_z(0, 0), turn_z(1, 120)})});
    CHECK(curves_of(same_side, plain({"mTorso"})).inserted_keys == 0);
}

TEST_CASE("signs are continuous", "[curves]") {
    std::mt19937 random(42);
    std::vector<sl_anim::file::CodedKey> keys;
    for (int i = 0; i < 200; ++i) {
        const glm::dquat q = random_rotation(random);
        keys.push_back(rotation_key(i / 199.0, q.x * (q.w < 0 ? -1 : 1), q.y * (q.w < 0 ? -1 : 1),
                                    q.z * (q.w < 0 ? -1 : 1)));
    }
    const auto result = curves_of(document(10.0F, {joint("mTorso", keys)}),
                                  random_armature(random, {"mTorso"}, rig::armature::Facing::y));
    const auto& points = result.curves.at(0).points;
    for (std::size_t i = 3; i < points[0].size(); i += 2) {
        double dot = 0;
        for (const auto& component : points) {
            dot += static_cast<double>(component[i]) * component[i - 2];
        }
        CHECK(dot > -1e-6);
    }
}

TEST_CASE("keys that lie close are reported", "[curves]") {
    // At 0.1 s and 1 fps, a time code is 1.5e-6 frames: all keys but the first are close.
    const auto document = animbridge::test::document(
        0.1F, {joint("mTorso", {{0, {0, 0, 0}}, {100, {0, 0, 0}}, {65535, {0, 0, 0}}})});
    const auto result = curves_of(document, plain({"mTorso"}), {1.0, 0.0});
    REQUIRE(result.close_keys.size() == 1);
    CHECK(result.close_keys[0].joint == "mTorso");
    CHECK(result.close_keys[0].frame == Approx(0.1 * 100 / 65535));
}

TEST_CASE("joints without a bone are named", "[curves]") {
    const auto document = animbridge::test::document(
        1.0F, {joint("mTorso", {rotation_key(0, 0, 0, 0)}, {position_key(0, 0, 0, 0)}),
               joint("mHead", {rotation_key(0, 0, 0, 0)}), joint("nobody", {rotation_key(0, 0, 0, 0)})});
    const auto result = curves_of(document, plain({"mHead", "nobody"}));
    REQUIRE(result.curves.size() == 1);
    REQUIRE(result.unmatched_nodes.size() == 2);
    const Clip clip = sl_anim::clip::to_clip(document).value();
    CHECK(clip.skeleton.nodes[result.unmatched_nodes[0]].name == "mTorso");
    CHECK(clip.skeleton.nodes[result.unmatched_nodes[1]].name == "nobody");
}

TEST_CASE("bones that cannot show it are told", "[curves]") {
    const auto document = animbridge::test::document(
        1.0F, {joint("mTorso", {rotation_key(0, 0, 0, 0)}, {position_key(0, 0, 0, 0)})});
    rig::armature::Armature armature = plain({"mPelvis", "mTorso"});
    armature.bones[1].parent = 0;
    CHECK(curves_of(document, armature).warnings.empty());
    armature.bones[1].connected = true;
    REQUIRE(curves_of(document, armature).warnings.size() == 1);
    CHECK(curves_of(document, armature).warnings[0].find("mTorso") != std::string::npos);
    armature.bones[1].inherits_rotation = false;
    CHECK(curves_of(document, armature).warnings.size() == 2);
}
