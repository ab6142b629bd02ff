// SPDX-License-Identifier: MIT
// What Second Life's BVH loader writes, and what its dialog changes: rules 4 to 7 and 10 to 12 of the
// specification. Rotations and positions are computed by hand; test_bvh_loader_files.cpp compares the bytes
// with an independent loader.
#include "formats/sl_anim/loader/loader.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "bvh_text.h"
#include "catch.h"
#include "formats/sl_anim/check/check.h"
#include "formats/sl_anim/codes/codes.h"
#include "spec_codes.h"

using namespace animbridge;
using namespace animbridge::sl_anim::check;
using namespace animbridge::sl_anim::codes;
using namespace animbridge::sl_anim::file;
using namespace animbridge::sl_anim::loader;
using namespace animbridge::test;

namespace {

BvhLoaded load_text(const std::string& text, const BvhLoad& options = {}) {
    const auto motion = read_bvh_as_viewer(bytes_of(text));
    INFO((motion ? "" : motion.error().message()));
    REQUIRE(motion.has_value());
    auto loaded = load_bvh(*motion, options);
    INFO((loaded ? "" : loaded.error().message()));
    REQUIRE(loaded.has_value());
    return std::move(*loaded);
}

const Joint& joint_of(const Document& document, const std::string& name) {
    for (const Joint& joint : document.joints) {
        if (joint.name == name) {
            return joint;
        }
    }
    throw std::out_of_range("no joint " + name);
}

std::vector<std::string> names_of(const Document& document) {
    std::vector<std::string> names;
    for (const Joint& joint : document.joints) {
        names.push_back(joint.name);
    }
    return names;
}

using Names = std::vector<std::string>;

void check_near(const Vector& a, const Vector& b, float tolerance) {
    INFO(a[0] << " " << a[1] << " " << a[2] << ", expected " << b[0] << " " << b[1] << " " << b[2]);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(std::fabs(a.at(i) - b.at(i)) <= tolerance);
    }
}

/// Compares the stored vector parts, within two codes.
void check_rotations(const Document& document, const std::string& joint,
                     const std::vector<Vector>& expected) {
    const RotationKeys keys = decode_rotations(joint_of(document, joint).rotation, document.duration.value());
    REQUIRE(keys.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        check_near({keys.values[i].x, keys.values[i].y, keys.values[i].z}, expected[i], 7e-5F);
    }
}

void check_positions(const Document& document, const std::string& joint,
                     const std::vector<Vector>& expected) {
    const PositionKeys keys = decode_positions(joint_of(document, joint).position, document.duration.value());
    REQUIRE(keys.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        check_near(keys.values[i], expected[i], 4e-4F);
    }
}

std::vector<float> times_of(const Document& document, const std::string& joint) {
    return decode_rotations(joint_of(document, joint).rotation, document.duration.value()).times;
}

void check_times(const Document& document, const std::string& joint, const std::vector<double>& expected) {
    const std::vector<float> times = times_of(document, joint);
    REQUIRE(times.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        CHECK(times[i] == Approx(expected[i]).margin(2e-5 * static_cast<double>(document.duration.value())));
    }
}

std::int32_t priority_of(const Document& document, const std::string& joint) {
    return joint_of(document, joint).priority;
}

const float s30 = 0.5F;         // sin(60 deg / 2)
const float s45 = 0.70710678F;  // sin(90 deg / 2)

const std::string still = "0 0 0 0 0 0 0 0 0";

}  // namespace

TEST_CASE("the axes of a BVH become x = z, y = x, z = y", "[bvh-loader]") {
    const Document turned =
        load_text(two_joints({still, "0 0 0 0 0 0 60 0 0", "0 0 0 0 0 0 0 60 0", "0 0 0 0 0 0 0 0 60"}))
            .document;
    check_rotations(turned, "mChest", {{0, s30, 0}, {0, 0, s30}, {s30, 0, 0}});
}

TEST_CASE("the first channel turns last", "[bvh-loader]") {
    // q = qx(90) qz(90) = (1 + i)(1 + k) / 2 = (1 + i - j + k) / 2, so y_sl = 1/2, z_sl = -1/2, x_sl = 1/2.
    const Document xzy = load_text(two_joints({still, "0 0 0 0 0 0 90 90 0", still}, "chest",
                                              "3 Xrotation Zrotation Yrotation"))
                             .document;
    check_rotations(xzy, "mChest", {{0.5F, 0.5F, -0.5F}, {0, 0, 0}});
    // q = qz qx = (1 + k)(1 + i) / 2 = (1 + i + j + k) / 2.
    const Document zxy = load_text(two_joints({still, "0 0 0 0 0 0 90 90 0", still}, "chest",
                                              "3 Zrotation Xrotation Yrotation"))
                             .document;
    check_rotations(zxy, "mChest", {{0.5F, 0.5F, 0.5F}, {0, 0, 0}});
}

TEST_CASE("the pelvis is relative to frame 0, the others are not", "[bvh-loader]") {
    // In frame 0 the hip is rotated by 90 degrees about y. In frame 1 it moves 10 inches along its x, which
    // is -z then, and rotates by another 60 degrees about y.
    const std::string text =
        two_joints({"0 40 0 0 90 0 0 20 0", "0 40 -10 0 150 0 0 60 0", "0 50 0 0 90 0 0 0 0"});
    const Document document = load_text(text).document;
    check_rotations(document, "mPelvis", {{0, 0, s30}, {0, 0, 0}});
    // inverse(90 about y) takes -z to x, which is y_sl; y stays and is z_sl.
    check_positions(document, "mPelvis", {{0, 0.2540005F, 0}, {0, 0, 0.2540005F}});
    check_rotations(document, "mChest", {{0, 0, s30}, {0, 0, 0}});
}

TEST_CASE("positions are inches, and clamped to 5 m", "[bvh-loader]") {
    const Document document =
        load_text(two_joints({"0 0 0 0 0 0 0 0 0", "1000 -1000 100 0 0 0 0 0 0", "1 2 3 0 0 0 0 0 0"}))
            .document;
    check_positions(document, "mPelvis", {{2.540005F, 5, -5}, {0.07620015F, 0.02540005F, 0.0508001F}});
    // Codes of 5 and -5 are the last and the first.
    CHECK(joint_of(document, "mPelvis").position.coded[0].xyz[1] == 65535);
    CHECK(joint_of(document, "mPelvis").position.coded[0].xyz[2] == 0);
}

TEST_CASE("a joint of six channels has absolute places, any other count than three has zeros",
          "[bvh-loader]") {
    const Document six_channels = load_text(two_joints({"0 0 0 0 0 0 1 2 3 0 0 0", "0 0 0 0 0 0 1 2 3 60 0 0",
                                                        "0 0 0 0 0 0 1 2 3 0 0 0"},
                                                       "chest", six))
                                      .document;
    check_positions(six_channels, "mChest",
                    {{0.07620015F, 0.02540005F, 0.0508001F}, {0.07620015F, 0.02540005F, 0.0508001F}});
    const Document four = load_text(two_joints({still + " 0", "0 0 0 0 0 0 60 0 0 0", still + " 0"}, "chest",
                                               "4 Xrotation Yrotation Zrotation"))
                              .document;
    check_positions(four, "mChest", {{0, 0, 0}, {0, 0, 0}});
    const Document plain = load_text(two_joints({still, "0 0 0 0 0 0 60 0 0", still})).document;
    CHECK(joint_of(plain, "mChest").position.coded.empty());
}

TEST_CASE("key times", "[bvh-loader]") {
    const auto turn = [](int degrees) { return "0 0 0 0 0 0 " + std::to_string(degrees) + " 0 0"; };
    const std::string four = two_joints({turn(0), turn(10), turn(50), turn(10)});
    BvhLoad old;
    old.timing = BvhTiming::pre2022;
    SECTION("four frames") {
        const Document now = load_text(four).document;
        CHECK(now.duration.value() == 2.0F * 0.1F);
        check_times(now, "mChest", {0, 0.1, 0.2});
        CHECK(joint_of(now, "mChest").rotation.coded.back().time == 65535);
        const Document then = load_text(four, old).document;
        CHECK(then.duration.value() == 4.0F * 0.1F);
        check_times(then, "mChest", {0.2, 0.3, 0.4});
    }
    SECTION("two frames") {
        const Document now = load_text(two_joints({turn(0), turn(10)})).document;
        CHECK(now.duration.value() == 0.1F);
        check_times(now, "mChest", {0});
        check_times(load_text(two_joints({turn(0), turn(10)}), old).document, "mChest", {0.2});
    }
    SECTION("one frame: every joint is forced out, and the pelvis loses its pose") {
        const Document now = load_text(two_joints({"1 2 3 40 50 60 60 0 0"})).document;
        CHECK(now.duration.value() == 0.1F);
        CHECK(names_of(now) == Names{"mPelvis", "mChest"});
        check_times(now, "mChest", {0});
        check_rotations(now, "mPelvis", {{0, 0, 0}});
        check_positions(now, "mPelvis", {{0, 0, 0}});
        check_rotations(now, "mChest", {{0, s30, 0}});
        check_times(load_text(two_joints({"1 2 3 40 50 60 60 0 0"}), old).document, "mChest", {0.1});
    }
    SECTION("no frame") {
        const BvhLoaded none = load_text(two_joints({}));
        CHECK(none.document.joints.empty());
        CHECK(none.dropped == Names{"hip", "chest"});
    }
}

TEST_CASE("joints that do not move are dropped, and told", "[bvh-loader]") {
    const BvhLoaded loaded = load_text(two_joints({still, "0 0 0 0 0 0 60 0 0", still}));
    CHECK(names_of(loaded.document) == Names{"mChest"});
    CHECK(loaded.dropped == Names{"hip"});
    BvhLoad all;
    all.keep_all_joints = true;
    const BvhLoaded kept = load_text(two_joints({still, "0 0 0 0 0 0 60 0 0", still}), all);
    CHECK(names_of(kept.document) == Names{"mPelvis", "mChest"});
    CHECK(kept.dropped.empty());
    // An unknown joint that does not move would only make the upload fail.
    CHECK(load_text(two_joints({still, still, still}, "neckDummy"), all).dropped == Names{"neckDummy"});
}

TEST_CASE("the header is the loader's", "[bvh-loader]") {
    const Document document =
        load_text(two_joints({still, "0 0 0 0 0 0 60 0 0", still}, "chest", three, "1")).document;
    CHECK(document.base_priority == 2);
    CHECK(document.duration.value() == 1.0F);
    CHECK(document.emote_name.empty());
    CHECK(document.loop == 0);
    CHECK(document.loop_in_point.value() == 0.0F);
    CHECK(document.loop_out_point.value() == 1.0F);
    CHECK(document.ease_in_duration.value() == 0.3F);
    CHECK(document.ease_out_duration.value() == 0.3F);
    CHECK(document.hand_pose == 1);
    CHECK(document.constraint_count == 0);
    CHECK(priority_of(document, "mChest") == 2);
    // 0.6 s of eases do not fit into 0.3 s: both are halved.
    const Document brief =
        load_text(two_joints({still, "0 0 0 0 0 0 60 0 0", still}, "chest", three, "0.3")).document;
    CHECK(brief.ease_in_duration.value() == Approx(0.15));
    CHECK(brief.ease_out_duration.value() == Approx(0.15));
}

TEST_CASE("a joint without an alias keeps name and axes, at priority 0, with a position track",
          "[bvh-loader]") {
    const BvhLoaded unknown = load_text(two_joints({still, "0 0 0 0 0 0 60 0 0", still}, "tentacle"));
    check_rotations(unknown.document, "tentacle", {{s30, 0, 0}, {0, 0, 0}});
    check_positions(unknown.document, "tentacle", {{0, 0, 0}, {0, 0, 0}});
    CHECK(priority_of(unknown.document, "tentacle") == 0);
    CHECK(unknown.unknown_joints == Names{"tentacle"});
    CHECK(!predict_upload(unknown.document).stored);
    const std::string moved = "0 0 0 0 0 0 1 2 3 0 0 0";
    const Document volume =
        load_text(two_joints({moved, "0 0 0 0 0 0 1 2 4 60 0 0", moved}, "L_HAND", six)).document;
    check_positions(volume, "L_HAND",
                    {{0.02540005F, 0.0508001F, 0.1016002F}, {0.02540005F, 0.0508001F, 0.07620015F}});
    CHECK(predict_upload(volume).stored);
    for (const auto& [name, is_known] : {std::pair<const char*, bool>("Chest", true),
                                         {"BUTT", true},
                                         {"Groin", true},
                                         {"Top", false},
                                         {"Bottom_Left", false},
                                         {"chestDummy", false}}) {
        INFO(name);
        const BvhLoaded loaded = load_text(two_joints({still, "0 0 0 0 0 0 60 0 0", still}, name));
        CHECK(loaded.unknown_joints.empty() == is_known);
        CHECK(predict_upload(loaded.document).stored.has_value() == is_known);
    }
}

TEST_CASE("aliases", "[bvh-loader]") {
    for (const auto& [name, joint] : {std::pair<const char*, const char*>("figureHair", "mSkull"),
                                      {"rShldr", "mShoulderRight"},
                                      {"avatar_mWingsRoot", "mWingsRoot"},
                                      {"mTail1", "mTail1"},
                                      {"Left_Hand", "Left Hand"},
                                      {"lfoot", "lfoot"}}) {
        const Document document = load_text(two_joints({still, "0 0 0 0 0 0 60 0 0", still}, name)).document;
        CHECK(names_of(document) == Names{joint});
        CHECK(priority_of(document, joint) == (std::string(joint) == "lfoot" ? 0 : 2));
    }
}

TEST_CASE("the dialog's priority moves joints along and holds them within 0 to 4", "[bvh-loader]") {
    const std::string text =
        "HIERARCHY\n" + bvh_joint("ROOT hip", six) + bvh_joint("JOINT chest", three) +
        bvh_joint("JOINT tentacle", three) +
        bvh_motion({"0 0 0 0 0 0 0 0 0 0 0 0", "0 0 0 0 0 0 9 0 0 9 0 0", "0 0 0 0 0 0 9 0 0 9 0 0"});
    for (const auto& [wanted, chest, tentacle] :
         {std::array<std::int32_t, 3>{0, 0, 0}, {1, 1, 0}, {2, 2, 0}, {4, 4, 2}, {5, 4, 3}, {6, 4, 4}}) {
        BvhLoad options;
        options.priority = wanted;
        const BvhLoaded loaded = load_text(text, options);
        CHECK(loaded.document.base_priority == wanted);
        CHECK(priority_of(loaded.document, "mChest") == chest);
        CHECK(priority_of(loaded.document, "tentacle") == tentacle);
        CHECK(loaded.clamped == (wanted > 4 ? Names{"mChest"} : Names{}));
    }
    BvhLoad options;
    options.priority = 6;
    options.joint_priorities = {{"chest", 6}, {"hip", 1}};
    const BvhLoaded single = load_text(text, options);
    CHECK(priority_of(single.document, "mChest") == 6);
    CHECK(single.clamped.empty());
    CHECK(single.warnings.size() == 1);  // hip is not written
    options.joint_priorities = {{"mHead", 6}};
    const auto motion = read_bvh_as_viewer(bytes_of(text));
    const auto refused = load_bvh(*motion, options);
    REQUIRE(!refused.has_value());
    CHECK(refused.error().message().find("mHead") != std::string::npos);
}

TEST_CASE("the dialog's loop and eases", "[bvh-loader]") {
    const std::string text = two_joints({still, "0 0 0 0 0 0 60 0 0", still}, "chest", three, "0.4");
    BvhLoad options;
    options.loop = true;
    options.loop_in = LoopPoint{30, true};
    options.loop_out = LoopPoint{0.35F, false};
    const Document looped = load_text(text, options).document;
    CHECK(looped.loop == 1);
    CHECK(looped.loop_in_point.value() == 30.0F * 0.01F * 0.4F);
    CHECK(looped.loop_out_point.value() == 0.35F);
    // Eases that the loader rescaled stay rescaled.
    CHECK(looped.ease_in_duration.value() == Approx(0.2));
    CHECK(load_text(text, options).warnings.empty());
    options.ease_in_seconds = 2.0F;
    CHECK(load_text(text, options).document.ease_in_duration.value() == 2.0F);
    options.loop = std::nullopt;
    const BvhLoaded cut = load_text(text, options);
    CHECK(cut.document.loop == 0);
    CHECK(cut.document.ease_in_duration.value() == Approx(0.2));  // the ease-out keeps its 0.2
    CHECK(cut.warnings.size() == 2);                              // loop points without a loop, and this
    options.ease_out_seconds = 0.1F;
    CHECK(load_text(text, options).document.ease_in_duration.value() == Approx(0.3));
    CHECK(load_text(text, options).document.ease_out_duration.value() == 0.1F);
    options.hand_pose = 13;
    options.emote = "express_smile";
    CHECK(load_text(text, options).document.hand_pose == 13);
    CHECK(load_text(text, options).document.emote_name == "express_smile");
}

TEST_CASE("anim.ini comes before the dialog, its loop is of the real duration", "[bvh-loader]") {
    const std::string text = two_joints({still, "0 0 0 0 0 0 60 0 0", still}, "chest", three, "0.4");
    BvhLoad options;
    options.ini = *read_anim_ini(
        "[GLOBALS]\nloop = 0.25 0.5\npriority = 5\neasein = 1 linear\nhand = 4\n"
        "emote = dance1\nconstraint = 0 0 0 0 0 CHEST 0 0 0 GROUND 0 0 0\n");
    const BvhLoaded loaded = load_text(text, options);
    CHECK(loaded.document.loop == 1);
    CHECK(loaded.document.loop_in_point.value() == 0.1F);
    CHECK(loaded.document.loop_out_point.value() == 0.2F);
    CHECK(loaded.document.base_priority == 5);
    CHECK(priority_of(loaded.document, "mChest") == 5);  // the loader itself does not clamp at 4
    CHECK(loaded.document.ease_in_duration.value() == 1.0F);
    CHECK(loaded.document.ease_out_duration.value() == 0.3F);
    CHECK(loaded.document.hand_pose == 4);
    CHECK(loaded.document.emote_name == "dance1");
    CHECK(loaded.document.constraints.size() == 1);
    CHECK(loaded.document.constraint_count == 1);
    CHECK(loaded.warnings.size() == 1);
    options.loop = false;
    options.priority = 3;
    CHECK(load_text(text, options).document.loop == 0);
    CHECK(priority_of(load_text(text, options).document, "mChest") == 3);
    CHECK(read(write(loaded.document)) == loaded.document);
}

TEST_CASE("no key reduction, and no reference frame", "[bvh-loader]") {
    const std::string text =
        two_joints({"0 40 0 0 60 0 60 0 0", "0 40 0 0 60 0 60 0 0", "0 40 10 0 60 0 60 0 0",
                    "0 40 0 0 60 0 60 0 0", "0 40 10 0 60 0 60 0 0"});
    BvhLoad options;
    options.reduce_keys = false;
    options.keep_all_joints = true;
    const Document every = load_text(text, options).document;
    check_times(every, "mPelvis", {0, 0.1, 0.2, 0.3});
    check_rotations(every, "mChest", {{0, s30, 0}, {0, s30, 0}, {0, s30, 0}, {0, s30, 0}});
    options.keep_all_joints = false;
    options.reference_frame = false;
    const Document free = load_text(text, options).document;
    CHECK(free.duration.value() == 4.0F * 0.1F);
    check_times(free, "mPelvis", {0, 0.1, 0.2, 0.3, 0.4});
    // The chest never moves but is not at rest. The pelvis keeps its rotation and moves 10 inches along z,
    // which becomes x.
    CHECK(names_of(free) == Names{"mPelvis", "mChest"});
    check_rotations(free, "mPelvis", std::vector<Vector>(5, {0, 0, s30}));
    check_positions(free, "mPelvis",
                    {{0, 0, 0}, {0, 0, 0}, {0.2540005F, 0, 0}, {0, 0, 0}, {0.2540005F, 0, 0}});
    const Document pose = load_text(two_joints({"0 40 0 0 90 0 0 0 0"}), options).document;
    CHECK(pose.duration.value() == 0.1F);
    check_rotations(pose, "mPelvis", {{0, 0, s45}});
}

TEST_CASE("an upload adds two encodings of rotations, three of positions and one of times", "[bvh-loader]") {
    // The loader's buffer has 2, 2 and 1 encodings; the asset must have 4, 5 and 2 (rule 12). Counted here
    // with the specification's formulas in their plain form.
    const auto encode = [](float value, float low, float high) {
        const float clamped = std::min(std::max(value, low), high);
        return static_cast<std::uint16_t>(std::floor((clamped - low) / (high - low) * 65535.0F));
    };
    const auto decode = [](std::uint16_t code, float low, float high) {
        const float value = static_cast<float>(code) * (1.0F / 65535.0F) * (high - low) + low;
        return std::fabs(value) < (high - low) * (1.0F / 65535.0F) ? 0.0F : value;
    };
    const auto times_encoded = [&](float value, float low, float high, int count) {
        std::uint16_t code = encode(value, low, high);
        for (int i = 1; i < count; ++i) {
            code = encode(decode(code, low, high), low, high);
        }
        return code;
    };
    std::vector<std::string> frames = {"0 0 0 0 0 0 0 0 0"};
    for (int i = 1; i < 200; ++i) {
        // Towards -5 m, where most codes fall by one with each pass.
        frames.push_back(std::to_string(-0.97 * i) + " 0 0 0 0 0 0 0 0");
    }
    BvhLoad options;
    options.reduce_keys = false;
    const Document buffer = load_text(two_joints(frames, "chest", three, "0.0333333"), options).document;
    const Document asset = *predict_upload(buffer).stored;
    const float duration = buffer.duration.value();
    int drifted = 0;
    for (std::size_t i = 0; i < 199; ++i) {
        // Converting the axes is a product in floats, but of one component only: its halves add up exactly.
        const float metres = std::stof(frames[i + 1]) * 0.02540005F;
        const auto time = static_cast<float>(i) * 0.0333333F;
        CHECK(joint_of(buffer, "mPelvis").position.coded[i].xyz[1] == times_encoded(metres, -5, 5, 2));
        CHECK(joint_of(asset, "mPelvis").position.coded[i].xyz[1] == times_encoded(metres, -5, 5, 5));
        CHECK(joint_of(buffer, "mPelvis").rotation.coded[i].time == times_encoded(time, 0, duration, 1));
        CHECK(joint_of(asset, "mPelvis").rotation.coded[i].time == times_encoded(time, 0, duration, 2));
        drifted += times_encoded(metres, -5, 5, 2) != times_encoded(metres, -5, 5, 4) ? 1 : 0;
    }
    CHECK(drifted > 0);  // otherwise the count would prove nothing
    // Rotations of at most 180 degrees about one axis. N is the identity within one code on the first pass;
    // the second pass divides by a length that is 1 within the last bit.
    std::vector<std::string> turns = {"0 0 0 0 0 0 0 0 0"};
    for (int i = 1; i < 100; ++i) {
        turns.push_back("0 0 0 0 0 0 " + std::to_string(i) + " 0 0");
    }
    const Document turning = load_text(two_joints(turns), options).document;
    const Document stored = *predict_upload(turning).stored;
    for (std::size_t i = 0; i < 99; ++i) {
        const std::uint16_t code = joint_of(turning, "mChest").rotation.coded[i].xyz[1];
        const Quaternion loaded = from_stored(0, decode(code, -1, 1), 0);
        const float length = std::sqrt(loaded.y * loaded.y + loaded.w * loaded.w);
        CHECK(joint_of(stored, "mChest").rotation.coded[i].xyz[1] ==
              times_encoded(loaded.y / length, -1, 1, 2));
    }
}
