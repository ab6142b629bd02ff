// SPDX-License-Identifier: MIT
// The motion of F-curves at frames: compared with matrices that Blender's rule makes of the same values.
#include <array>

#include "catch.h"
#include "model/clip/clip.h"
#include "rig/curves/curves.h"
#include "rig_support.h"

using namespace animbridge;
using namespace animbridge::test;
using rig::armature::BoneChannel;
using rig::curves::CurveView;

namespace {

const rig::curves::Timing from_frame_three{10.0, 3.0};
const std::vector<double> three_frames = {3.0, 4.5, 8.0};

/// Keys of a bone's location and quaternion at frames; quaternions are not of unit length.
struct UnevenKeys {
    std::array<std::vector<float>, 7> curves{};

    void add(double frame, const BonePose& pose) {
        const glm::dquat q = pose.rotation * 1.7;
        const std::array<double, 7> values = {
            q.w, q.x, q.y, q.z, pose.location.x, pose.location.y, pose.location.z};
        for (std::size_t c = 0; c < values.size(); ++c) {
            curves.at(c).push_back(static_cast<float>(frame));
            curves.at(c).push_back(static_cast<float>(values.at(c)));
        }
    }

    void add_views(std::size_t bone, std::vector<CurveView>& views) const {
        for (std::size_t c = 0; c < curves.size(); ++c) {
            CurveView view{bone, BoneChannel::quaternion, c, curves.at(c), {}, {}, {}, {}};
            if (c >= 4) {
                view.channel = BoneChannel::location;
                view.component = c - 4;
            }
            views.push_back(view);
        }
    }
};

/// Two bones, one metre apart, with curves for the first one's location.
struct TwoBones {
    rig::armature::Armature armature{};
    std::vector<float> points = {3.0F, 0.5F};

    TwoBones() {
        armature.bones.push_back({"below"});
        armature.bones.push_back({"above"});
        armature.bones[1].parent = 0;
        armature.bones[1].rest.translation = {0, 0, 1};
    }
    [[nodiscard]] Result<Clip> clip() const {
        const CurveView view{0, BoneChannel::location, 1, points, {}, {}, {}, {}};
        return rig::curves::clip_at_frames(std::span(&view, 1), rig::armature::skeleton_of(armature),
                                           three_frames, from_frame_three);
    }
};

}  // namespace

TEST_CASE("curves at frames give the poses of Blender's rule", "[sampled]") {
    std::mt19937 random(15);
    for (int round = 0; round < 16; ++round) {
        const rig::armature::Armature armature =
            random_armature(random, usual_joints(), rig::armature::Facing::x);
        std::vector<UnevenKeys> keys(armature.bones.size());
        std::vector<std::vector<BonePose>> poses(three_frames.size());
        for (std::size_t frame = 0; frame < three_frames.size(); ++frame) {
            for (UnevenKeys& one : keys) {
                poses[frame].push_back({random_rotation(random), random_vector(random, 0.5)});
                one.add(three_frames[frame], poses[frame].back());
            }
        }
        std::vector<CurveView> views;
        for (std::size_t bone = 0; bone < keys.size(); ++bone) {
            keys[bone].add_views(bone, views);
        }
        const rig::armature::ArmatureSkeleton own = rig::armature::skeleton_of(armature);
        const auto clip = rig::curves::clip_at_frames(views, own, three_frames, from_frame_three);
        REQUIRE(clip.has_value());
        CHECK(clip->duration_seconds == Approx(0.5));
        ClipPoser poser(*clip);
        for (std::size_t frame = 0; frame < three_frames.size(); ++frame) {
            poser.pose(from_frame_three.seconds_at(three_frames[frame]));
            for (std::size_t node = 0; node < own.skeleton.nodes.size(); ++node) {
                const std::size_t bone = *own.map.bone_of_node[node];
                const glm::dmat4 wanted = posed(armature, poses[frame], bone);
                const Transform& found = poser.world()[node];
                const glm::dmat4 shown =
                    matrix_of({found.rotation * armature.bones[bone].rest.rotation, found.translation});
                INFO("round " << round << ", " << armature.bones[bone].name);
                for (int column = 0; column < 4; ++column) {
                    // Keys are floats.
                    CHECK(glm::length(wanted[column] - shown[column]) < 1e-5);
                }
            }
        }
    }
}

TEST_CASE("every bone has rotation keys at the frames, and those that move positions", "[sampled]") {
    TwoBones bones;
    const auto clip = bones.clip();
    REQUIRE(clip.has_value());
    REQUIRE(clip->tracks.size() == 3);
    for (const Track& track : clip->tracks) {
        CHECK(track.times == std::vector<double>{0.0, 1.5 / 10.0, 5.0 / 10.0});
    }
    CHECK(clip->tracks[1].channel == Channel::translation);
    CHECK(glm::length(clip->tracks[1].translation(2) - glm::dvec3(0, 0.5, 0)) < 1e-9);
    CHECK(clip->tracks[2].node == 1);
    CHECK(clip->tracks[2].rotation(1) == glm::dquat(1, 0, 0, 0));
}

TEST_CASE("a connected bone stays where it is, even at the root", "[sampled]") {
    TwoBones bones;
    bones.armature.bones[0].connected = true;
    const auto clip = bones.clip();
    REQUIRE(clip.has_value());
    CHECK(glm::length(clip->tracks[1].translation(2)) == 0.0);
}

TEST_CASE("curves do not say how a bone moves that does not inherit rotation", "[sampled]") {
    TwoBones bones;
    bones.armature.bones[1].inherits_rotation = false;
    const auto clip = bones.clip();
    REQUIRE(!clip.has_value());
    CHECK(clip.error().code == ErrorCode::invalid_argument);
    CHECK(clip.error().message().find("bone above does not inherit rotation") != std::string::npos);
}
