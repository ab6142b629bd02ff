// SPDX-License-Identifier: MIT
// Clips of joints with axes of their own, and the same clips along the axes of clip space.
#include <glm/geometric.hpp>

#include "catch.h"
#include "rig/armature/armature.h"
#include "rig_support.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

/// A chain and a branch; each joint rests, turns and moves at random, with a handle on each number.
Clip random_clip(std::mt19937& random) {
    Clip clip;
    for (const std::optional<std::size_t> parent :
         {std::optional<std::size_t>(), std::optional<std::size_t>(0), std::optional<std::size_t>(1),
          std::optional<std::size_t>(1)}) {
        const std::size_t node = clip.skeleton.nodes.size();
        Node& joint = clip.skeleton.nodes.emplace_back();
        joint.parent = parent;
        joint.rest_local = {random_rotation(random), random_vector(random, 1.0)};
        Track turns{node, Channel::rotation};
        Track moves{node, Channel::translation};
        for (const double seconds : {0.0, 1.0}) {
            const glm::dquat q = random_rotation(random);
            const glm::dvec3 v = random_vector(random, 1.0);
            turns.add_key(seconds, std::array{q.w, q.x, q.y, q.z});
            moves.add_key(seconds, std::array{v.x, v.y, v.z});
        }
        for (Track* track : {&turns, &moves}) {
            for (const double value : track->values) {
                track->handles.push_back({-0.3, -0.5 * value, 0.3, 0.25 * value});
            }
            clip.tracks.push_back(*track);
        }
    }
    return clip;
}

/// World transforms of all joints at a key.
std::vector<Transform> world_at(const Clip& clip, std::size_t key) {
    std::vector<Transform> world;
    for (std::size_t i = 0; i < clip.skeleton.nodes.size(); ++i) {
        const Transform local{clip.tracks[2 * i].rotation(key), clip.tracks[2 * i + 1].translation(key)};
        const auto parent = clip.skeleton.nodes[i].parent;
        world.push_back(parent ? world[*parent] * local : local);
    }
    return world;
}

std::vector<glm::dquat> world_rests(const Skeleton& skeleton) {
    std::vector<glm::dquat> world;
    for (const Node& node : skeleton.nodes) {
        world.push_back(node.parent ? world[*node.parent] * node.rest_local.rotation
                                    : node.rest_local.rotation);
    }
    return world;
}

}  // namespace

TEST_CASE("without turns at rest, joints move from the same rest to the same places", "[rest-turns]") {
    std::mt19937 random(5);
    for (int round = 0; round < 20; ++round) {
        const Clip clip = random_clip(random);
        const Clip plain = rig::armature::without_rest_turns(clip);
        const std::vector<glm::dquat> rests = world_rests(clip.skeleton);
        for (std::size_t key = 0; key < 2; ++key) {
            const auto wanted = world_at(clip, key);
            const auto found = world_at(plain, key);
            for (std::size_t i = 0; i < wanted.size(); ++i) {
                CHECK(plain.skeleton.nodes[i].rest_local.rotation == glm::dquat(1, 0, 0, 0));
                CHECK(glm::length(wanted[i].translation - found[i].translation) < 1e-12);
                // Each joint has turned from its rest as much as before.
                CHECK(angle_between_degrees(wanted[i].rotation * glm::conjugate(rests[i]),
                                            found[i].rotation) < 1e-6);
            }
        }
    }
}

TEST_CASE("turns at rest come back, with keys and handles", "[rest-turns]") {
    std::mt19937 random(6);
    const Clip clip = random_clip(random);
    const Clip back =
        rig::armature::with_rest_turns(rig::armature::without_rest_turns(clip), world_rests(clip.skeleton));
    const auto is_near = [](double a, double b) { return std::abs(a - b) < 1e-12; };
    for (std::size_t t = 0; t < clip.tracks.size(); ++t) {
        const Track& wanted = clip.tracks[t];
        const Track& found = back.tracks[t];
        for (std::size_t i = 0; i < wanted.values.size(); ++i) {
            CHECK(is_near(wanted.values[i], found.values[i]));
            CHECK(is_near(wanted.handles[i].in_value, found.handles[i].in_value));
            CHECK(is_near(wanted.handles[i].out_value, found.handles[i].out_value));
            CHECK(wanted.handles[i].out_time == found.handles[i].out_time);
        }
    }
}
