// SPDX-License-Identifier: MIT
// An armature as a skeleton: a clip on it becomes curves that Blender's rule poses as the clip says, and
// back.
#include <array>

#include "catch.h"
#include "model/clip/clip.h"
#include "rig/armature/armature.h"
#include "rig/curves/curves.h"
#include "rig_support.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

const rig::curves::Timing one_per_second{1.0, 1.0};

/// One pose at the start: every node rotates, and the roots move.
Clip posed_clip(const Skeleton& skeleton, std::mt19937& random) {
    Clip clip{skeleton, {}, {}, 1.0};
    for (std::size_t node = 0; node < skeleton.nodes.size(); ++node) {
        const glm::dquat q = random_rotation(random);
        Track rotation{.node = node, .channel = Channel::rotation};
        rotation.add_key(0.0, std::array{q.w, q.x, q.y, q.z});
        clip.tracks.push_back(rotation);
        if (!skeleton.nodes[node].parent) {
            const glm::dvec3 p = skeleton.nodes[node].rest_local.translation + random_vector(random, 1.0);
            Track position{.node = node, .channel = Channel::translation};
            position.add_key(0.0, std::array{p.x, p.y, p.z});
            clip.tracks.push_back(position);
        }
    }
    return clip;
}

std::vector<BonePose> channels_of(const rig::curves::CurvesFromClip& made, std::size_t bones) {
    std::vector<BonePose> poses(bones);
    for (const rig::curves::BoneCurves& curves : made.curves) {
        BonePose& pose = poses[curves.bone];
        for (std::size_t i = 0; i < curves.points.size(); ++i) {
            const double value = curves.points[i].at(1);
            const auto component = static_cast<int>(i);
            if (curves.channel == rig::armature::BoneChannel::location) {
                pose.location[component] = value;
            } else {
                // GLM keeps x, y, z, w; the channels are w, x, y, z.
                pose.rotation[(component + 3) % 4] = value;
            }
        }
    }
    return poses;
}

}  // namespace

TEST_CASE("a clip on an armature's skeleton poses the armature as the clip says", "[armature-skeleton]") {
    std::mt19937 random(20261123);
    for (int round = 0; round < 20; ++round) {
        const rig::armature::Armature armature =
            random_armature(random, usual_joints(), static_cast<rig::armature::Facing>(round % 4));
        const rig::armature::ArmatureSkeleton made = rig::armature::skeleton_of(armature);
        REQUIRE(made.skeleton.nodes.size() == armature.bones.size());
        const Clip clip = posed_clip(made.skeleton, random);
        const auto curves = rig::curves::curves_from_clip(clip, made.armature, made.map, one_per_second);
        CHECK(curves.unmatched_nodes.empty());
        const auto poses = channels_of(curves, armature.bones.size());
        ClipPoser poser(clip);
        poser.pose(0.0);
        for (std::size_t node = 0; node < made.skeleton.nodes.size(); ++node) {
            const std::size_t bone = made.map.bone_of_node[node].value();
            CHECK(made.skeleton.nodes[node].name == armature.bones[bone].name);
            const glm::dmat4 shown = posed(armature, poses, bone);
            const Transform& world = poser.world()[node];
            const glm::dmat4 expected =
                matrix_of({world.rotation * armature.bones[bone].rest.rotation, world.translation});
            for (int column = 0; column < 4; ++column) {
                CHECK(glm::length(shown[column] - expected[column]) < 1e-5);
            }
        }
    }
}

TEST_CASE("evaluated poses become a clip on the armature's own skeleton", "[armature-skeleton]") {
    std::mt19937 random(23);
    const rig::armature::Armature armature =
        random_armature(random, usual_joints(), rig::armature::Facing::negative_y);
    const rig::armature::ArmatureSkeleton made = rig::armature::skeleton_of(armature);
    std::vector<BonePose> poses(armature.bones.size());
    for (BonePose& pose : poses) {
        pose = {random_rotation(random), random_vector(random, 0.3)};
    }
    std::vector<float> matrices;
    for (std::size_t bone = 0; bone < poses.size(); ++bone) {
        const glm::dmat4 matrix = posed(armature, poses, bone);
        for (int i = 0; i < 16; ++i) {
            matrices.push_back(static_cast<float>(matrix[i / 4][i % 4]));
        }
    }
    const std::vector<double> frames{1.0};
    const auto clip = rig::curves::clip_from_samples({frames, matrices, {}, {}}, made.skeleton, 0,
                                                     made.armature, made.map, one_per_second, 0.0);
    REQUIRE(clip.has_value());
    ClipPoser poser(clip->clip);
    poser.pose(0.0);
    for (std::size_t node = 0; node < made.skeleton.nodes.size(); ++node) {
        const std::size_t bone = made.map.bone_of_node[node].value();
        const glm::dmat4 shown = posed(armature, poses, bone);
        const Transform& world = poser.world()[node];
        const glm::dmat4 expected =
            matrix_of({world.rotation * armature.bones[bone].rest.rotation, world.translation});
        for (int column = 0; column < 4; ++column) {
            CHECK(glm::length(shown[column] - expected[column]) < 1e-5);
        }
    }
}
