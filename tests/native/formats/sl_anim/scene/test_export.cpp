// SPDX-License-Identifier: MIT
// Curves of an armature to a file: to Blender and back, and the report.
#include <algorithm>
#include <cmath>

#include "build.h"
#include "catch.h"
#include "formats/sl_anim/clip/clip.h"
#include "formats/sl_anim/file/file.h"
#include "formats/sl_anim/play/play.h"
#include "rig_support.h"
#include "support.h"

using namespace animbridge;
using namespace animbridge::test;
using rig::armature::BoneChannel;
using rig::curves::CurveView;
using sl_anim::file::Document;

namespace {

const rig::curves::Timing timing{30.0, 1.0};

/// The curves of an import, as arguments of an export.
struct Imported {
    rig::curves::CurvesFromClip result;

    Imported(const Document& document, const rig::armature::Armature& armature) {
        const rig::armature::BoneMap map = mapped(sl_anim::avatar::playing_skeleton(), armature);
        result =
            rig::curves::curves_from_clip(sl_anim::clip::to_clip(document).value(), armature, map, timing);
    }
    [[nodiscard]] std::vector<CurveView> views() const {
        std::vector<CurveView> views;
        for (const rig::curves::BoneCurves& curves : result.curves) {
            for (std::size_t c = 0; c < curves.points.size(); ++c) {
                views.push_back(
                    {curves.bone, curves.channel, c, curves.points[c], {}, {}, {}, curves.inserted});
            }
        }
        return views;
    }
    [[nodiscard]] std::vector<rig::curves::UnchangedCurve> unchanged() const {
        std::vector<rig::curves::UnchangedCurve> all;
        for (const rig::curves::BoneCurves& curves : result.curves) {
            all.push_back({curves.bone, curves.channel});
        }
        return all;
    }
};

struct Export {
    Document document;
    Json report;
    std::vector<std::string> causes;
};

Export exported(const rig::armature::Armature& armature, const std::vector<CurveView>& views,
                const std::vector<rig::curves::UnchangedCurve>& unchanged, const Document* base,
                float duration, const char* target = "second_life") {
    auto made = exported_curves(armature, timing, views, unchanged, base, duration,
                                {{"encoder", "nearest"}, {"target", target}});
    if (!made) {
        FAIL(made.error().message());
    }
    return {*as_sl_anim(*made->document), std::move(made->report), std::move(made->causes)};
}

Document random_document(std::mt19937& random, float duration) {
    std::vector<sl_anim::file::Joint> joints;
    // Far enough apart for float frames to hold a third key between two others.
    std::uniform_int_distribution<int> gap(300, 6000);
    for (const char* const name : {"mPelvis", "mTorso", "mElbowLeft", "mTail1"}) {
        std::vector<sl_anim::file::CodedKey> turns;
        std::vector<sl_anim::file::CodedKey> places;
        for (int code = 0; code <= 65535; code += gap(random)) {
            glm::dquat q = random_rotation(random);
            // The sign of a half turn is arbitrary, so the keys inserted around it depend on rounding.
            while (std::abs(q.w) < 0.05) {
                q = random_rotation(random);
            }
            const double sign = q.w < 0 ? -1 : 1;
            auto key = rotation_key(0, sign * q.x, sign * q.y, sign * q.z);
            key.time = static_cast<std::uint16_t>(code);
            turns.push_back(key);
            auto place = position_key(0, q.x, q.y, q.z);
            place.time = static_cast<std::uint16_t>(code);
            places.push_back(place);
        }
        joints.push_back(joint(name, turns, places));
    }
    return document(duration, joints);
}

std::vector<std::string> joints_in(const Json& rows) {
    std::vector<std::string> names;
    for (const Json& row : rows) {
        names.push_back(row.at("joint").get<std::string>() + " " + row.at("channel").get<std::string>());
    }
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace

TEST_CASE("what nobody touched is written bit for bit", "[export]") {
    std::mt19937 random(61);
    for (const Fixture& row : fixtures()) {
        const auto document = sl_anim::file::read(row.bytes());
        if (!document || !sl_anim::clip::to_clip(*document)) {
            continue;
        }
        INFO(row.file);
        const rig::armature::Armature armature =
            random_armature(random, usual_joints(), rig::armature::Facing::negative_y);
        const Imported imported(*document, armature);
        const Export back =
            exported(armature, {}, imported.unchanged(), &*document, document->duration.value(),
                     "opensim");  // one of them is too large for Second Life
        CHECK(sl_anim::file::write(back.document) == row.bytes());
        CHECK(back.report.at("changed").empty());
        CHECK(back.report.at("dropped").empty());
    }
}

TEST_CASE("imported curves encode to what they came from", "[export]") {
    // Without the unchanged mark: through float frames and values, and back to nearly the same codes.
    std::mt19937 random(62);
    for (int round = 0; round < 12; ++round) {
        const Document document = random_document(random, 1.0F + static_cast<float>(round));
        const rig::armature::Armature armature =
            random_armature(random, usual_joints(), static_cast<rig::armature::Facing>(round % 4));
        const Imported imported(document, armature);
        const Export back = exported(armature, imported.views(), {}, &document, document.duration.value());
        REQUIRE(back.document.joints.size() == document.joints.size());
        for (std::size_t j = 0; j < document.joints.size(); ++j) {
            INFO("round " << round << ", " << document.joints[j].name);
            for (const auto keys : {&sl_anim::file::Joint::rotation, &sl_anim::file::Joint::position}) {
                const auto& before = (document.joints[j].*keys).coded;
                const auto& after = (back.document.joints[j].*keys).coded;
                REQUIRE(after.size() == before.size());
                for (std::size_t i = 0; i < before.size(); ++i) {
                    REQUIRE(after[i].time == before[i].time);
                }
            }
        }
        const auto difference = sl_anim::play::compare(document, back.document, Job()).value().worst();
        // In the middle of a long segment, 0.01 degrees moves a whole body: check only that nothing is far
        // off.
        CHECK(difference.rotation_degrees < 0.6);
        CHECK(difference.position_mm < 8.0);
    }
}

TEST_CASE("an edit of one bone changes that joint's record alone", "[export]") {
    std::mt19937 random(63);
    const Document document = random_document(random, 4.0F);
    const rig::armature::Armature armature =
        random_armature(random, usual_joints(), rig::armature::Facing::x);
    const Imported imported(document, armature);
    const auto bone = mapped(sl_anim::avatar::playing_skeleton(), armature)
                          .bone_of_node[*sl_anim::avatar::find_joint("mElbowLeft")]
                          .value();
    std::vector<rig::curves::UnchangedCurve> kept = imported.unchanged();
    std::erase_if(kept, [&](const rig::curves::UnchangedCurve& curve) {
        return curve.bone == bone && curve.channel == BoneChannel::quaternion;
    });
    const std::vector<float> one{1.0F, 1.0F, 121.0F, 1.0F};
    const Export back =
        exported(armature, {{bone, BoneChannel::quaternion, 0, one, {}, {}, {}, {}}}, kept, &document, 4.0F);
    REQUIRE(back.document.joints.size() == 4);
    for (std::size_t j = 0; j < 4; ++j) {
        if (document.joints[j].name == "mElbowLeft") {
            CHECK(key_count(back.document.joints[j].rotation) == 2);
            CHECK(back.document.joints[j].position == document.joints[j].position);
        } else {
            CHECK(back.document.joints[j] == document.joints[j]);
        }
    }
    CHECK(joints_in(back.report.at("changed")) == std::vector<std::string>{"mElbowLeft rotation"});
    CHECK(back.report.at("kept").size() == 7);
    CHECK(back.report.at("dropped").empty());
    CHECK(back.report.at("max_rotation_error_degrees").get<double>() < 0.05);
    CHECK(back.report.at("size_bytes") == sl_anim::file::write(back.document).size());
    CHECK(back.report.at("joints") == 4);
    CHECK(back.report.at("duration_seconds") == 4.0);
}

TEST_CASE("curves that are gone are dropped, and joints without a bone stay", "[export]") {
    Document document = turning_torso(2.0F);
    document.joints.push_back(joint("mHead", {rotation_key(0, 0.1, 0, 0)}, {position_key(0, 0, 0, 1)}));
    document.joints.push_back(joint("mTail6", {rotation_key(0, 0.1, 0, 0)}));  // no bone
    document.joints.push_back(joint("nobody", {rotation_key(0, 0.1, 0, 0)}));  // no joint
    rig::armature::Armature armature;
    armature.bones = {{"mTorso"}, {"mHead"}};
    const Export back = exported(armature, {}, {{1, BoneChannel::location}}, &document, 2.0F);
    REQUIRE(back.document.joints.size() == 3);
    CHECK(back.document.joints[0].name == "mHead");
    CHECK(key_count(back.document.joints[0].rotation) == 0);
    CHECK(back.document.joints[0].position == document.joints[1].position);
    CHECK(back.document.joints[1] == document.joints[2]);
    CHECK(back.document.joints[2] == document.joints[3]);
    CHECK(joints_in(back.report.at("dropped")) ==
          std::vector<std::string>{"mHead rotation", "mTorso rotation"});
}

TEST_CASE("the report measures what was lost", "[export]") {
    // A curve that deviates by five degrees within a frame: keys at whole frames show it there and nowhere
    // between.
    rig::armature::Armature armature;
    armature.bones = {{"mTorso"}};
    const std::vector<float> angle{1, 0, 31, 3.0F};
    const Export back =
        exported(armature, {{0, BoneChannel::euler_xyz, 2, angle, {}, {}, {}, {}}}, {}, nullptr, 1.0F);
    CHECK(back.report.at("max_rotation_error_degrees").get<double>() > 0.0);
    CHECK(back.report.at("max_rotation_error_degrees").get<double>() < 0.1);
    CHECK(back.report.at("worst").at("rotation_joint") == "mTorso");
    REQUIRE(back.document.joints.size() == 1);
    CHECK(key_count(back.document.joints[0].rotation) == 31);
    CHECK(back.report.at("findings").is_array());
}

TEST_CASE("limbs without a bone are a warning, and what else becomes of a motion is a detail", "[export]") {
    rig::armature::Armature armature;
    armature.bones = {{"mTorso"}, {"Skirt"}};
    const std::vector<float> x{1, 0};
    const Document base = turning_torso(2.0F);
    const auto details = [&](const std::vector<CurveView>& views, float duration) {
        const Json report = exported(armature, views, {{0, BoneChannel::quaternion}}, &base, duration).report;
        REQUIRE(report.at("warnings").size() == 1);
        const std::string limbs = report.at("warnings")[0].get<std::string>();
        CHECK(limbs.find("the left leg and the right leg have no bone") != std::string::npos);
        return report.at("details");
    };
    CHECK(details({}, 2.0F).empty());
    const Json skirt = details({{1, BoneChannel::location, 0, x, {}, {}, {}, {}}}, 2.0F);
    REQUIRE(skirt.size() == 1);
    CHECK(skirt[0].get<std::string>().find("Skirt") != std::string::npos);
    // Another duration moves keys by half a step of the time codes, which is invisible at 3 s.
    CHECK(details({}, 3.0F).empty());
    // 1000 keys between two adjacent time codes.
    std::vector<float> crowd;
    for (int i = 0; i < 1000; ++i) {
        crowd.push_back(1.0F + static_cast<float>(i) * 1e-6F);
        crowd.push_back(static_cast<float>(i) * 1e-3F);
    }
    const Json collided = details({{0, BoneChannel::location, 0, crowd, {}, {}, {}, {}}}, 2.0F);
    REQUIRE(collided.size() == 1);
    CHECK(collided[0].get<std::string>().find("too close to the next key") != std::string::npos);
}

TEST_CASE("a position that the file cannot hold has a cause, and what helps", "[export]") {
    rig::armature::Armature armature;
    armature.bones = {{"mTorso"}};
    const Document base = turning_torso(2.0F);
    const auto causes = [&](float metres) {
        const std::vector<float> x{1, 0, 31, metres};
        return exported(armature, {{0, BoneChannel::location, 0, x, {}, {}, {}, {}}},
                        {{0, BoneChannel::quaternion}}, &base, 2.0F)
            .causes;
    };
    CHECK(causes(4.5F).empty());  // the file holds -5 to 5 m
    const auto beyond = causes(5.5F);
    REQUIRE(beyond.size() == 1);
    CHECK(beyond[0].find("mTorso is more than 5 m") != std::string::npos);
    CHECK(beyond[0].find("--in-place") != std::string::npos);
    CHECK(beyond[0].find("Move the motion to the origin") != std::string::npos);
}

TEST_CASE("what the viewer would refuse is not exported", "[export]") {
    rig::armature::Armature armature;
    armature.bones = {{"mTorso"}};
    const std::vector<float> w{1, 1};
    const std::vector<CurveView> views{{0, BoneChannel::quaternion, 0, w, {}, {}, {}, {}}};
    for (const float duration : {60.5F, 1e6F}) {
        REQUIRE_FALSE(exported_curves(armature, timing, views, {}, nullptr, duration, Json::object()));
    }
    const auto empty = exported_curves(armature, timing, {}, {}, nullptr, 1.0F, Json::object());
    REQUIRE_FALSE(empty.has_value());
    CHECK(empty.error().code == ErrorCode::rejected);
}

TEST_CASE("an export can be stopped", "[export]") {
    std::mt19937 random(64);
    const Document document = random_document(random, 4.0F);
    const rig::armature::Armature armature =
        random_armature(random, usual_joints(), rig::armature::Facing::x);
    const Imported imported(document, armature);
    const auto views = imported.views();
    const auto stopped = exported_curves(armature, timing, views, {}, &document, 4.0F, Json::object(),
                                         Job([](double) { return false; }));
    REQUIRE_FALSE(stopped.has_value());
    CHECK(stopped.error().code == ErrorCode::cancelled);
}
