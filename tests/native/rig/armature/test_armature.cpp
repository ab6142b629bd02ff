// SPDX-License-Identifier: MIT
// Bones with any roll and armatures with any facing show what the avatar shows.
#include <algorithm>

#include "catch.h"
#include "rig_support.h"

using namespace animbridge;
using namespace animbridge::test;
using rig::armature::Facing;

namespace {

constexpr std::array<Facing, 4> facings = {Facing::x, Facing::negative_y, Facing::negative_x, Facing::y};

}  // namespace

TEST_CASE("posed bones stand where the avatar's joints stand", "[armature]") {
    std::mt19937 random(21);
    const Skeleton skeleton = sl_anim::avatar::playing_skeleton();
    for (int round = 0; round < 40; ++round) {
        const Facing facing = facings.at(static_cast<std::size_t>(round) % 4);
        const rig::armature::Armature armature = random_armature(random, usual_joints(), facing);
        const rig::armature::BoneMap map = mapped(skeleton, armature);
        // A random pose of the avatar: every joint with a bone rotates and moves.
        std::vector<Transform> local(skeleton.nodes.size());
        std::vector<Transform> world(skeleton.nodes.size());
        std::vector<BonePose> poses(armature.bones.size());
        for (std::size_t i = 0; i < local.size(); ++i) {
            const Node& node = skeleton.nodes[i];
            local[i] = node.rest_local;
            if (map.bone_of_node[i]) {
                local[i] = {random_rotation(random), random_vector(random, 2.0)};
                // Below a joint without a bone, the armature cannot know the joint's position, so the joint
                // only rotates.
                if (node.parent && !map.bone_of_node[*node.parent]) {
                    local[i].translation = node.rest_local.translation;
                }
                const rig::armature::BoneSpace space(skeleton, i, armature, map);
                poses[*map.bone_of_node[i]] = {space.rotation_to_bone(local[i].rotation),
                                               space.location_to_bone(local[i].translation)};
            }
            world[i] = node.parent ? world[*node.parent] * local[i] : local[i];
        }
        const glm::dquat turn = rig::armature::rotation_of(facing);
        for (std::size_t b = 0; b < armature.bones.size(); ++b) {
            INFO(armature.bones[b].name << " in round " << round);
            const glm::dmat4 shown = posed(armature, poses, b);
            const std::size_t node = *map.node_of_bone[b];
            // The armature's pelvis rests at a height of one metre, so everything is one metre higher.
            const glm::dvec3 head = turn * world[node].translation + glm::dvec3(0, 0, 1.067);
            REQUIRE(glm::length(glm::dvec3(shown[3]) - head) < 1e-9);
            // The joint's rotation from its rest pose, in the bone's rest axes.
            glm::dquat rest_rotation = skeleton.nodes[node].rest_local.rotation;
            const glm::dquat expected = turn * world[node].rotation * glm::conjugate(rest_rotation) *
                                        glm::conjugate(turn) * armature.bones[b].rest.rotation;
            REQUIRE(angle_between_degrees(glm::quat_cast(glm::dmat3(shown)), expected) < 1e-6);
        }
    }
}

TEST_CASE("values go to the bone and back", "[armature]") {
    std::mt19937 random(22);
    const Skeleton skeleton = sl_anim::avatar::playing_skeleton();
    for (int round = 0; round < 40; ++round) {
        const rig::armature::Armature armature =
            random_armature(random, usual_joints(), facings.at(static_cast<std::size_t>(round) % 4));
        const rig::armature::BoneMap map = mapped(skeleton, armature);
        for (std::size_t node = 0; node < skeleton.nodes.size(); ++node) {
            if (!map.bone_of_node[node]) {
                continue;
            }
            const rig::armature::BoneSpace space(skeleton, node, armature, map);
            // Length and sign are kept: a key can be longer than 1.
            const glm::dquat q = random_rotation(random) * 1.3;
            const glm::dquat back = space.rotation_to_clip(space.rotation_to_bone(q));
            const glm::dquat off = back - q;
            CHECK(glm::length(off) < 1e-12);
            const glm::dvec3 v = random_vector(random, 5.0);
            CHECK(glm::length(space.location_to_clip(space.location_to_bone(v)) - v) < 1e-12);
            // In the rest pose, all channels are zero.
            const Transform& rest = skeleton.nodes[node].rest_local;
            CHECK(angle_between_degrees(space.rotation_to_bone(rest.rotation), glm::dquat(1, 0, 0, 0)) <
                  1e-6);
            CHECK(glm::length(space.location_to_bone(rest.translation)) < 1e-12);
        }
    }
}

TEST_CASE("facings turn +X to where they say", "[armature]") {
    const auto looks = [](Facing facing) { return rig::armature::rotation_of(facing) * glm::dvec3(1, 0, 0); };
    CHECK(glm::length(looks(Facing::x) - glm::dvec3(1, 0, 0)) < 1e-12);
    CHECK(glm::length(looks(Facing::negative_y) - glm::dvec3(0, -1, 0)) < 1e-12);
    CHECK(glm::length(looks(Facing::negative_x) - glm::dvec3(-1, 0, 0)) < 1e-12);
    CHECK(glm::length(looks(Facing::y) - glm::dvec3(0, 1, 0)) < 1e-12);
    CHECK(rig::armature::name_of(Facing::x) == "+X");
    CHECK(rig::armature::name_of(Facing::negative_y) == "-Y");
    CHECK(rig::armature::name_of(Facing::negative_x) == "-X");
    CHECK(rig::armature::name_of(Facing::y) == "+Y");
}

TEST_CASE("the facing is found", "[armature]") {
    std::mt19937 random(23);
    const Skeleton skeleton = sl_anim::avatar::playing_skeleton();
    for (int round = 0; round < 20; ++round) {
        for (const Facing facing : facings) {
            rig::armature::Armature armature = random_armature(random, usual_joints(), facing);
            for (rig::armature::Bone& bone : armature.bones) {
                bone.rest.translation += random_vector(random, 0.02) +
                                         glm::dvec3(3, -2, 1);  // another character at another position
            }
            armature.facing = Facing::x;
            CHECK(rig::armature::find_facing(skeleton, armature, mapped(skeleton, armature)) == facing);
        }
    }
    // Undetermined: no bone, one bone, bones above each other.
    for (const std::vector<std::string>& names :
         {std::vector<std::string>{}, {"mPelvis"}, {"mPelvis", "mTorso"}}) {
        const rig::armature::Armature armature = random_armature(random, names, Facing::x);
        CHECK(!rig::armature::find_facing(skeleton, armature, mapped(skeleton, armature)));
    }
}

TEST_CASE("placements out of Blender's matrices", "[armature]") {
    std::mt19937 random(24);
    for (int round = 0; round < 200; ++round) {
        const Transform given{random_rotation(random), random_vector(random, 3.0)};
        const glm::dmat4 matrix = matrix_of(given);
        std::array<float, 16> raw{};
        const double scale = round % 2 == 0 ? 1.0 : 2.5;
        for (int c = 0; c < 4; ++c) {
            for (int r = 0; r < 4; ++r) {
                raw.at(static_cast<std::size_t>(4 * c + r)) =
                    static_cast<float>(matrix[c][r] * (c < 3 ? scale : 1.0));
            }
        }
        const Transform taken = rig::armature::transform_of(raw);
        CHECK(angle_between_degrees(taken.rotation, given.rotation) < 1e-4);
        CHECK(glm::length(taken.translation - given.translation) < 1e-6);
        CHECK(std::abs(glm::length(taken.rotation) - 1.0) < 1e-14);
    }
}
