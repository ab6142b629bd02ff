// SPDX-License-Identifier: MIT
// Evaluated poses to a clip: compared with curves that make the same poses, and with values by hand.
#include <limits>
#include <numbers>

#include "catch.h"
#include "rig/curves/curves.h"
#include "rig_support.h"

using namespace animbridge;
using namespace animbridge::test;
using rig::armature::BoneChannel;
using rig::curves::CurveView;

namespace {

const rig::curves::Timing thirty_per_second{30.0, 1.0};

/// Samples that own their arrays.
struct Poses {
    std::vector<double> frames;
    std::vector<float> matrices;
    std::vector<float> objects;
    std::vector<std::uint8_t> exported;

    void add(double frame, const std::vector<glm::dmat4>& bones) {
        frames.push_back(frame);
        for (const glm::dmat4& matrix : bones) {
            put(matrix, matrices);
        }
    }
    static void put(const glm::dmat4& matrix, std::vector<float>& numbers) {
        for (int c = 0; c < 4; ++c) {
            for (int r = 0; r < 4; ++r) {
                numbers.push_back(static_cast<float>(matrix[c][r]));
            }
        }
    }
    [[nodiscard]] rig::curves::SampleView view() const { return {frames, matrices, objects, exported}; }
};

Result<rig::curves::ClipFromSamples> try_clip(const Poses& poses, const rig::armature::Armature& armature) {
    const Skeleton skeleton = sl_anim::avatar::playing_skeleton();
    const double seconds = thirty_per_second.seconds_at(poses.frames.empty() ? 1.0 : poses.frames.back());
    return rig::curves::clip_from_samples(poses.view(), skeleton, skeleton.find("mPelvis").value(), armature,
                                          mapped(skeleton, armature), thirty_per_second, seconds);
}

rig::curves::ClipFromSamples clip_of(const Poses& poses, const rig::armature::Armature& armature) {
    auto clip = try_clip(poses, armature);
    if (!clip) {
        FAIL(clip.error().message());
    }
    return std::move(*clip);
}

const Track* find_track(const Clip& clip, const std::string& joint, Channel channel) {
    for (const Track& track : clip.tracks) {
        if (clip.skeleton.nodes[track.node].name == joint && track.channel == channel) {
            return &track;
        }
    }
    return nullptr;
}

glm::dquat about_z(double degrees) {
    return glm::angleAxis(degrees * std::numbers::pi / 180.0, glm::dvec3(0, 0, 1));
}

/// Bones at these heads, with axes parallel to the armature's.
rig::armature::Armature plain_armature(const std::vector<std::pair<std::string, glm::dvec3>>& bones) {
    rig::armature::Armature armature;
    for (const auto& [name, head] : bones) {
        rig::armature::Bone bone{name};
        bone.rest.translation = head;
        armature.bones.push_back(bone);
    }
    return armature;
}

/// The F-curves of a bone's channels, a key per frame.
struct BoneKeys {
    std::vector<std::vector<float>> curves = std::vector<std::vector<float>>(7);

    void add(double frame, const BonePose& pose) {
        const double values[7] = {pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z,
                                  pose.location.x, pose.location.y, pose.location.z};
        for (std::size_t c = 0; c < 7; ++c) {
            curves[c].push_back(static_cast<float>(frame));
            curves[c].push_back(static_cast<float>(values[c]));
        }
    }
};

}  // namespace

TEST_CASE("matrices say what the curves say that make them", "[sampled]") {
    constexpr int frames = 6;
    std::mt19937 random(81);
    for (int round = 0; round < 16; ++round) {
        const rig::armature::Armature armature =
            random_armature(random, usual_joints(), static_cast<rig::armature::Facing>(round % 4));
        std::vector<BoneKeys> keys(armature.bones.size());
        Poses poses;
        for (int frame = 1; frame <= frames; ++frame) {
            std::vector<BonePose> pose(armature.bones.size());
            std::vector<glm::dmat4> matrices;
            for (std::size_t i = 0; i < pose.size(); ++i) {
                pose[i] = {random_rotation(random), random_vector(random, 0.5)};
                keys[i].add(frame, pose[i]);
            }
            for (std::size_t i = 0; i < pose.size(); ++i) {
                matrices.push_back(posed(armature, pose, i));
            }
            poses.add(frame, matrices);
        }
        std::vector<CurveView> views;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            for (std::size_t c = 0; c < 7; ++c) {
                views.push_back({i,
                                 c < 4 ? BoneChannel::quaternion : BoneChannel::location,
                                 c < 4 ? c : c - 4,
                                 keys[i].curves[c],
                                 {},
                                 {},
                                 {},
                                 {}});
            }
        }
        const Skeleton skeleton = sl_anim::avatar::playing_skeleton();
        const auto curves = rig::curves::shown_by_curves(
            views, skeleton, armature, mapped(skeleton, armature), thirty_per_second, 5.0 / 30.0);
        REQUIRE(curves.has_value());
        const rig::curves::ClipFromSamples sampled = clip_of(poses, armature);
        CHECK(sampled.left_out.empty());
        REQUIRE(sampled.clip.tracks.size() == 2 * usual_joints().size());
        for (const Track& track : sampled.clip.tracks) {
            const std::string& joint = skeleton.nodes[track.node].name;
            const Track* other = find_track(*curves, joint, track.channel);
            INFO("round " << round << ", " << joint);
            REQUIRE(other != nullptr);
            REQUIRE(track.key_count() == frames);
            for (std::size_t i = 0; i < track.key_count(); ++i) {
                // shown_by_curves samples half frames too.
                REQUIRE(track.times[i] == Approx(other->times[2 * i]));
                if (track.channel == Channel::rotation) {
                    CHECK(angle_between_degrees(track.rotation(i), other->rotation(2 * i)) < 1e-3);
                    CHECK((i == 0 || glm::dot(track.rotation(i - 1), track.rotation(i)) >= 0.0));
                } else {
                    CHECK(glm::length(track.translation(i) - other->translation(2 * i)) < 1e-5);
                }
            }
        }
    }
}

TEST_CASE("joints count from the skeleton's ancestors, whatever the bones' parents are", "[sampled]") {
    // mChest has no bone, and the bones have no parents.
    const rig::armature::Armature armature =
        plain_armature({{"mNeck", {0, 0, 1.4}}, {"mTorso", {0, 0, 1.1}}, {"mPelvis", {0, 0, 1}}});
    Poses poses;
    const auto at = [](const glm::dvec3& head, double degrees) {
        return matrix_of({about_z(degrees), head});
    };
    poses.add(1, {at({0, 0, 1.4}, 50), at({0, 0, 1.1}, 30), at({0, 0, 1}, 0)});
    const Clip clip = clip_of(poses, armature).clip;
    const auto turned = [&](const char* joint) {
        return angle_between_degrees(find_track(clip, joint, Channel::rotation)->rotation(0), {1, 0, 0, 0});
    };
    CHECK(turned("mPelvis") == Approx(0).margin(1e-4));
    CHECK(turned("mTorso") == Approx(30).margin(1e-4));
    CHECK(turned("mNeck") == Approx(20).margin(1e-4));
    // No joint leaves its rest position: only the pelvis has a position track.
    CHECK(clip.tracks.size() == 4);
    CHECK(glm::length(find_track(clip, "mPelvis", Channel::translation)->translation(0)) < 1e-6);
}

TEST_CASE("a joint that leaves its place gets positions", "[sampled]") {
    const auto moved_by = [&](double metres, const char* parent, const char* child) {
        const rig::armature::Armature armature = plain_armature({{parent, {0, 0, 1}}, {child, {0, 0, 1.1}}});
        Poses poses;
        for (int i = 0; i < 3; ++i) {
            poses.add(1 + i, {matrix_of({{1, 0, 0, 0}, {0, 0, 1}}),
                              matrix_of({{1, 0, 0, 0}, {0, i == 1 ? metres : 0.0, 1.1}})});
        }
        return clip_of(poses, armature);
    };
    CHECK(moved_by(0.00009, "mCollarLeft", "mShoulderLeft").moved.empty());
    const rig::curves::ClipFromSamples moved = moved_by(0.002, "mCollarLeft", "mShoulderLeft");
    REQUIRE(moved.moved.size() == 1);
    CHECK(moved.moved[0].joint == "mShoulderLeft");
    CHECK(moved.moved[0].most_mm == Approx(2).margin(1e-3));
    CHECK(moved.moved[0].frame == 2);
    // The armature's own offset, as with curves.
    const Track* track = find_track(moved.clip, "mShoulderLeft", Channel::translation);
    REQUIRE(track != nullptr);
    CHECK(glm::length(track->translation(1) - glm::dvec3(0, 0.002, 0.1)) < 1e-6);
    // If the skeleton has joints between that the armature lacks, its offset applies.
    const Clip gap = moved_by(0.002, "mPelvis", "mTorso").clip;
    const Skeleton skeleton = sl_anim::avatar::playing_skeleton();
    const glm::dvec3 rest = skeleton.nodes[skeleton.find("mTorso").value()].rest_local.translation;
    CHECK(glm::length(find_track(gap, "mTorso", Channel::translation)->translation(1) - rest -
                      glm::dvec3(0, 0.002, 0)) < 1e-6);
}

TEST_CASE("who moves a joint: bones without a joint, or its own bone", "[sampled]") {
    // The elbow's bone is 100 mm from the stray bone between it and the collar.
    rig::armature::Armature armature =
        plain_armature({{"mCollarLeft", {0, 0, 1}}, {"Stray", {0, 0, 1.1}}, {"mElbowLeft", {0, 0.1, 1.1}}});
    armature.bones[1].parent = 0;
    armature.bones[2].parent = 1;
    const auto moved = [&](const glm::dquat& stray, double stretch, const glm::dvec3& elbow) {
        Poses poses;
        poses.add(1, {matrix_of({{1, 0, 0, 0}, {0, 0, 1}}),
                      matrix_of({stray, {0, 0, 1.1}}) * glm::scale(glm::dmat4(1.0), {1, stretch, 1}),
                      matrix_of({stray, elbow})});
        const auto joints = clip_of(poses, armature).moved;
        REQUIRE(joints.size() == 1);
        CHECK(joints[0].joint == "mElbowLeft");
        CHECK(joints[0].carriers == std::vector<std::size_t>{1});
        return joints[0];
    };
    const rig::curves::MovedJoint carried = moved(about_z(90), 1.0, {-0.1, 0, 1.1});
    CHECK(carried.is_carried());
    CHECK(carried.own_mm == Approx(0).margin(1e-3));
    CHECK(carried.most_mm == Approx(100 * std::numbers::sqrt2).margin(1e-3));
    CHECK(!moved({1, 0, 0, 0}, 1.0, {0, 0.1, 1.145}).is_carried());  // its own location
    CHECK(!moved({1, 0, 0, 0}, 1.5, {0, 0.15, 1.1}).is_carried());   // a stretch
}

TEST_CASE("who moves a joint of a rig whose bones have no parents", "[sampled]") {
    // Constraints let "Arm" and "Control" move with the others; the chain is 100 mm a link, along Y.
    const rig::armature::Armature armature = plain_armature({{"mCollarLeft", {0, 0, 1}},
                                                             {"Arm", {0, 0.1, 1}},
                                                             {"mElbowLeft", {0, 0.2, 1}},
                                                             {"Control", {0, 0.2, 1}},
                                                             {"Far", {0, 5, 1}}});
    const auto moved = [&](const glm::dquat& collar, const glm::dquat& arm, const glm::dvec3& elbow) {
        const glm::dvec3 shoulder = collar * glm::dvec3(0, 0.1, 0) + glm::dvec3(0, 0, 1);
        const glm::dvec3 at = shoulder + collar * (arm * glm::dvec3(0, 0.1, 0)) + elbow;
        const glm::dmat4 forearm = matrix_of({collar * arm, at});
        Poses poses;
        poses.add(1, {matrix_of({collar, {0, 0, 1}}), matrix_of({collar * arm, shoulder}), forearm, forearm,
                      matrix_of({{1, 0, 0, 0}, {0, 5, 1}})});
        return clip_of(poses, armature).moved;
    };
    // The arm turns about its position on the collar.
    for (const double collar : {0.0, 40.0}) {
        const auto joints = moved(about_z(collar), about_z(90), {0, 0, 0});
        REQUIRE(joints.size() == 1);
        CHECK(joints[0].joint == "mElbowLeft");
        CHECK(joints[0].carriers == std::vector<std::size_t>{1});
        CHECK(joints[0].is_carried());
        CHECK(joints[0].most_mm == Approx(100 * std::numbers::sqrt2).margin(1e-2));
    }
    // The elbow leaves its arm, together with its control.
    const auto own = moved({1, 0, 0, 0}, {1, 0, 0, 0}, {0, 0.05, 0});
    REQUIRE(own.size() == 1);
    CHECK(!own[0].is_carried());
    // All follow the collar.
    CHECK(moved(about_z(40), {1, 0, 0, 0}, {0, 0, 0}).empty());
}

TEST_CASE("a gap of two joints, and one above all others, in a rig without parents", "[sampled]") {
    const rig::armature::Armature chain = plain_armature({{"mCollarLeft", {0, 0, 1}},
                                                          {"Upper", {0, 0.1, 1}},
                                                          {"Lower", {0, 0.2, 1}},
                                                          {"mWristLeft", {0, 0.3, 1}}});
    Poses poses;
    const glm::dquat upper = about_z(30);
    const glm::dquat lower = about_z(80);
    const glm::dvec3 elbow = glm::dvec3(0, 0.1, 1) + upper * glm::dvec3(0, 0.1, 0);
    const glm::dvec3 wrist = elbow + lower * glm::dvec3(0, 0.1, 0);
    poses.add(1, {matrix_of({{1, 0, 0, 0}, {0, 0, 1}}), matrix_of({upper, {0, 0.1, 1}}),
                  matrix_of({lower, elbow}), matrix_of({lower, wrist})});
    const auto joints = clip_of(poses, chain).moved;
    REQUIRE(joints.size() == 1);
    CHECK(joints[0].carriers == std::vector<std::size_t>{2, 1});

    // The body walks on a bone whose name is not that of a joint.
    const rig::armature::Armature walk = plain_armature({{"Carrier", {0, 0, 1}}, {"mTorso", {0, 0, 1.1}}});
    Poses steps;
    for (int i = 0; i < 2; ++i) {
        steps.add(1 + i,
                  {matrix_of({{1, 0, 0, 0}, {i * 0.5, 0, 1}}), matrix_of({{1, 0, 0, 0}, {i * 0.5, 0, 1.1}})});
    }
    const auto walking = clip_of(steps, walk).moved;
    REQUIRE(walking.size() == 1);
    CHECK(walking[0].carriers == std::vector<std::size_t>{0});
    CHECK(walking[0].is_carried());
}

TEST_CASE("the object's motion is the pelvis's", "[sampled]") {
    rig::armature::Armature armature = plain_armature({{"mPelvis", {0, 0, 1}}, {"mTorso", {0, 0, 1.1}}});
    armature.facing = rig::armature::Facing::negative_y;
    Poses poses;
    for (int i = 0; i < 2; ++i) {
        poses.add(1 + i, {matrix_of({{1, 0, 0, 0}, {0, 0, 1}}), matrix_of({{1, 0, 0, 0}, {0, 0, 1.1}})});
        Poses::put(matrix_of({about_z(i * 90.0), {0, i * -2.0, i * 0.5}}), poses.objects);
    }
    const Clip clip = clip_of(poses, armature).clip;
    // The character looks along -Y: two metres along -Y are two metres forward.
    const Track* place = find_track(clip, "mPelvis", Channel::translation);
    CHECK(glm::length(place->translation(0)) < 1e-6);
    CHECK(glm::length(place->translation(1) - glm::dvec3(2, 0, 0.5)) < 1e-6);
    const Track* turn = find_track(clip, "mPelvis", Channel::rotation);
    CHECK(angle_between_degrees(turn->rotation(1), about_z(90)) < 1e-4);
    CHECK(angle_between_degrees(find_track(clip, "mTorso", Channel::rotation)->rotation(1), {1, 0, 0, 0}) <
          1e-4);
    CHECK(find_track(clip, "mTorso", Channel::translation) == nullptr);

    const rig::armature::Armature headless = plain_armature({{"ctrl", {0, 0, 1}}, {"mTorso", {0, 0, 1.1}}});
    const rig::curves::ClipFromSamples without = clip_of(poses, headless);
    CHECK(without.clip.tracks.size() == 1);
    REQUIRE(without.left_out.size() == 1);
    CHECK(without.left_out[0].find("mPelvis") != std::string::npos);
    CHECK(angle_between_degrees(without.clip.tracks[0].rotation(1), {1, 0, 0, 0}) < 1e-4);
}

TEST_CASE("bones that are not exported still carry the others", "[sampled]") {
    const rig::armature::Armature armature =
        plain_armature({{"mPelvis", {0, 0, 1}}, {"mTorso", {0, 0, 1.1}}});
    Poses poses;
    poses.add(1, {matrix_of({about_z(40), {0, 0, 1}}), matrix_of({about_z(50), {0, 0, 1.1}})});
    poses.exported = {0, 1};
    const Clip clip = clip_of(poses, armature).clip;
    REQUIRE(clip.tracks.size() == 1);
    CHECK(angle_between_degrees(clip.tracks[0].rotation(0), about_z(10)) < 1e-4);
}

TEST_CASE("bones that are exported only if they move", "[sampled]") {
    const rig::armature::Armature armature =
        plain_armature({{"mPelvis", {0, 0, 1}}, {"mTorso", {0, 0, 1.1}}});
    // The torso leaves its rest pose only at the second of three samples.
    const auto made = [&](double degrees, double metres, std::uint8_t torso) {
        Poses poses;
        for (int i = 0; i < 3; ++i) {
            poses.add(1 + i, {matrix_of({{1, 0, 0, 0}, {0, 0, 1}}),
                              matrix_of({about_z(i == 1 ? degrees : 0.0), {0, i == 1 ? metres : 0.0, 1.1}})});
        }
        poses.exported = {2, torso};
        return clip_of(poses, armature).clip;
    };
    CHECK(made(0, 0, 2).tracks.empty());
    CHECK(made(0.005, 0.00005, 2).tracks.empty());
    CHECK(made(0.005, 0.00005, 1).tracks.size() == 1);
    // One sample is enough for a key at every sample.
    const Clip turned = made(0.02, 0, 2);
    REQUIRE(turned.tracks.size() == 1);
    CHECK(find_track(turned, "mTorso", Channel::rotation)->key_count() == 3);
    const Clip moved = made(0, 0.002, 2);
    REQUIRE(moved.tracks.size() == 2);
    CHECK(find_track(moved, "mTorso", Channel::translation)->key_count() == 3);

    // The object's motion moves the pelvis only.
    Poses carried;
    for (int i = 0; i < 2; ++i) {
        carried.add(1 + i, {matrix_of({{1, 0, 0, 0}, {0, 0, 1}}), matrix_of({{1, 0, 0, 0}, {0, 0, 1.1}})});
        Poses::put(matrix_of({{1, 0, 0, 0}, {i * 1.0, 0, 0}}), carried.objects);
    }
    carried.exported = {2, 2};
    const Clip clip = clip_of(carried, armature).clip;
    REQUIRE(clip.tracks.size() == 2);
    CHECK(glm::length(find_track(clip, "mPelvis", Channel::translation)->translation(1) -
                      glm::dvec3(1, 0, 0)) < 1e-6);
}

TEST_CASE("scale is left out and told", "[sampled]") {
    const rig::armature::Armature armature =
        plain_armature({{"mPelvis", {0, 0, 1}}, {"mTorso", {0, 0, 1.1}}});
    const auto warnings = [&](const glm::dvec3& scale) {
        Poses poses;
        poses.add(1, {matrix_of({{1, 0, 0, 0}, {0, 0, 1}}),
                      glm::scale(matrix_of({about_z(20), {0, 0, 1.1}}), scale)});
        const rig::curves::ClipFromSamples made = clip_of(poses, armature);
        CHECK(angle_between_degrees(find_track(made.clip, "mTorso", Channel::rotation)->rotation(0),
                                    about_z(20)) < 1e-3);
        return made.left_out;
    };
    CHECK(warnings({1.0005, 1, 1}).empty());
    const auto told = warnings({1, 1, 1.5});
    REQUIRE(told.size() == 1);
    CHECK(told[0].find("mTorso") != std::string::npos);
    CHECK(told[0].find("1.5") != std::string::npos);
    CHECK(warnings({1, 1, -1}).size() == 1);
}

TEST_CASE("a matrix that places nothing names bone and sample", "[sampled]") {
    const rig::armature::Armature armature =
        plain_armature({{"mPelvis", {0, 0, 1}}, {"mTorso", {0, 0, 1.1}}, {"ctrl", {0, 0, 0}}});
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (const auto& [column, value] :
         {std::pair<std::size_t, float>{0, nan}, {14, nan}, {10, nan}, {5, 1e30F * 1e30F}}) {
        Poses poses;
        for (int i = 0; i < 3; ++i) {
            poses.add(1 + i, std::vector<glm::dmat4>(3, glm::dmat4(1.0)));
        }
        poses.matrices[16 * (2 * 3 + 2)] = nan;  // not a joint, so never read
        CHECK(try_clip(poses, armature).has_value());
        poses.matrices[16 * (1 * 3 + 1) + column] = value;
        const auto clip = try_clip(poses, armature);
        INFO(column);
        REQUIRE_FALSE(clip.has_value());
        CHECK(clip.error().code == ErrorCode::bad_value);
        CHECK(clip.error().message().find("bone mTorso at sample 1 (frame 2") != std::string::npos);
    }
    Poses flat;
    flat.add(1, std::vector<glm::dmat4>(3, glm::dmat4(0.0)));
    CHECK_FALSE(try_clip(flat, armature).has_value());
}

TEST_CASE("frames must ascend from the start to no later than the end", "[sampled]") {
    const rig::armature::Armature armature = plain_armature({{"mPelvis", {0, 0, 1}}});
    const auto message = [&](std::vector<double> frames, double duration) {
        const Skeleton skeleton = sl_anim::avatar::playing_skeleton();
        Poses poses;
        for (const double frame : frames) {
            poses.add(frame, {glm::dmat4(1.0)});
        }
        const auto clip = rig::curves::clip_from_samples(
            poses.view(), skeleton, 0, armature, mapped(skeleton, armature), thirty_per_second, duration);
        return clip ? std::string() : clip.error().message();
    };
    CHECK(message({1, 2, 3}, 1.0).empty());
    CHECK(message({1}, 0.0).empty());
    CHECK(message({}, 1.0).find("no samples") != std::string::npos);
    CHECK(message({1, 2, 2}, 1.0).find("sample 2") != std::string::npos);
    CHECK(message({1, std::nan("")}, 1.0).find("sample 1") != std::string::npos);
    CHECK(message({2, 3}, 1.0).find("frame_start") != std::string::npos);
    CHECK(message({1, 32}, 1.0).find("after") != std::string::npos);
    CHECK_FALSE(message({1, 2}, std::nan("")).empty());
}
