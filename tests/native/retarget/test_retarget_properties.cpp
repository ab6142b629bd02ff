// SPDX-License-Identifier: MIT
// What must hold for any rig and any motion: random trees and random bodies.
#include <algorithm>

#include "catch.h"
#include "retarget_support.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

constexpr int trees = 500;
constexpr double bound = 1e-9;

/// The same joints, and a joint of no rotation of its own between a random joint and its parent.
std::vector<BodyJoint> with_identity_joint(std::vector<BodyJoint> joints, std::size_t at) {
    BodyJoint added = joints[at];
    added.name = "added";
    added.slot.clear();
    added.head = joints[static_cast<std::size_t>(added.parent)].head;
    added.rest = joints[static_cast<std::size_t>(added.parent)].rest;
    for (BodyJoint& joint : joints) {
        joint.parent += joint.parent >= static_cast<int>(at) ? 1 : 0;
    }
    joints.insert(joints.begin() + static_cast<std::ptrdiff_t>(at), added);
    joints[at + 1].parent = static_cast<int>(at);
    return joints;
}

std::vector<BodyJoint> turned(std::vector<BodyJoint> joints, const glm::dquat& turn) {
    for (BodyJoint& joint : joints) {
        joint.head = turn * joint.head;
        joint.rest = turn * joint.rest;
    }
    return joints;
}

std::vector<BodyJoint> scaled(std::vector<BodyJoint> joints, double factor) {
    for (BodyJoint& joint : joints) {
        joint.head *= factor;
    }
    return joints;
}

/// The clip on the same tree with other rests: every joint is where it was, and turned by the same amount.
Clip on_turned(const Clip& clip, const Body& body, const glm::dquat& turn) {
    Clip result{body.skeleton, clip.tracks, clip.markers, clip.duration_seconds};
    for (Track& track : result.tracks) {
        const bool is_root = !body.skeleton.nodes[track.node].parent;
        for (std::size_t key = 0; is_root && key < track.key_count(); ++key) {
            if (track.channel == Channel::rotation) {
                const glm::dquat q = turn * track.rotation(key);
                std::copy_n(std::array{q.w, q.x, q.y, q.z}.begin(), 4,
                            track.values.begin() + static_cast<std::ptrdiff_t>(4 * key));
            } else {
                const glm::dvec3 v = turn * track.translation(key);
                std::copy_n(std::array{v.x, v.y, v.z}.begin(), 3,
                            track.values.begin() + static_cast<std::ptrdiff_t>(3 * key));
            }
        }
    }
    return result;
}

Clip with_scaled_places(Clip clip, const Body& body, double factor) {
    clip.skeleton = body.skeleton;
    for (Track& track : clip.tracks) {
        if (track.channel == Channel::translation) {
            for (double& number : track.values) {
                number *= factor;
            }
        }
    }
    return clip;
}

rig::RetargetOptions unaligned() {
    rig::RetargetOptions options;
    options.align = false;
    return options;
}

}  // namespace

TEST_CASE("a clip onto its own skeleton keeps every bit", "[retarget]") {
    for (unsigned seed = 0; seed < trees; ++seed) {
        std::mt19937 random(seed);
        std::vector<BodyJoint> joints = seed % 2 == 0 ? random_tree(random, 4 + seed % 12) : person(30);
        roll_at_random(joints, random);
        const Body body = body_of(joints);
        const Clip clip = random_motion(body, random);
        const Clip result = retargeted(clip, body, body).clip;
        REQUIRE(result.tracks.size() == clip.tracks.size());
        for (const Track& track : result.tracks) {
            const auto same = std::find_if(clip.tracks.begin(), clip.tracks.end(), [&](const Track& other) {
                return other.node == track.node && other.channel == track.channel;
            });
            REQUIRE(same != clip.tracks.end());
            CHECK(track.times == same->times);
            CHECK(track.values == same->values);
        }
    }
}

TEST_CASE("joints in another order, with other names and rolls, end in the same places", "[retarget]") {
    for (unsigned seed = 0; seed < trees; ++seed) {
        std::mt19937 random(seed);
        std::vector<BodyJoint> joints = random_tree(random, 4 + seed % 12);
        const Body body = body_of(joints);
        const Clip clip = random_motion(body, random);
        roll_at_random(joints, random);
        for (BodyJoint& joint : joints) {
            joint.name = "bone of " + joint.name;
        }
        const Body other = body_of(joints);
        const rig::Retargeted there = retargeted(clip, body, other);
        CHECK(largest_distance(clip, body, there.clip, other, key_times(clip)) < bound);
        CHECK(there.report.worst_degrees() < 1e-6);
        // And back: the local rotations, too.
        const Clip back = retargeted(there.clip, other, body).clip;
        for (const double time : key_times(clip)) {
            const auto before = placed(clip, time);
            const auto after = placed(back, time);
            for (std::size_t node = 0; node < before.size(); ++node) {
                CHECK(chord(before[node].rotation, after[node].rotation) < bound);
            }
        }
    }
}

TEST_CASE("there and back between bodies of other proportions and postures", "[retarget]") {
    for (unsigned seed = 0; seed < trees; ++seed) {
        std::mt19937 random(seed);
        const Body body = body_of(random_tree(random, 4 + seed % 12));
        std::vector<BodyJoint> joints = scaled(body.joints, 0.3 + 0.1 * static_cast<double>(seed % 20));
        std::uniform_real_distribution<double> step(-0.1, 0.1);
        for (BodyJoint& joint : joints) {
            joint.head += glm::dvec3(step(random), step(random), step(random));
        }
        roll_at_random(joints, random);
        const Body other = body_of(joints);
        const Clip clip = random_motion(body, random);
        const Clip there = retargeted(clip, body, other, unaligned()).clip;
        const Clip back = retargeted(there, other, body, unaligned()).clip;
        CHECK(largest_distance(clip, body, back, body, key_times(clip)) < bound);
    }
}

TEST_CASE("a joint that turns nothing changes nothing", "[retarget]") {
    for (unsigned seed = 0; seed < trees; ++seed) {
        std::mt19937 random(seed);
        const std::vector<BodyJoint> joints = random_tree(random, 4 + seed % 12);
        const Body body = body_of(joints);
        const Body longer = body_of(with_identity_joint(joints, 1 + random() % (joints.size() - 1)));
        const Clip clip = random_motion(body, random);
        const Clip onto = retargeted(clip, body, longer).clip;
        CHECK(largest_distance(clip, body, onto, longer, key_times(clip)) < bound);
        // As a source it may even move: only where its children end counts.
        const Clip moving = random_motion(longer, random);
        const Clip from = retargeted(moving, longer, body).clip;
        for (const double time : key_times(moving)) {
            const auto a = placed(moving, time);
            const auto b = placed(from, time);
            for (const rig::FoundSlot& slot : body.rig.slots) {
                const std::size_t joint = joint_at(longer, slot.slot);
                const glm::dquat delta_a = a[joint].rotation * glm::conjugate(longer.joints[joint].rest);
                const glm::dquat delta_b =
                    b[slot.joint].rotation * glm::conjugate(body.joints[slot.joint].rest);
                CHECK(chord(delta_a, delta_b) < bound);
            }
        }
    }
}

TEST_CASE("where a body looks and in which unit it is measured change nothing", "[retarget]") {
    for (unsigned seed = 0; seed < trees; ++seed) {
        std::mt19937 random(seed);
        std::vector<BodyJoint> joints = person(20);
        roll_at_random(joints, random);
        const Body body = body_of(joints);
        const Body target = body_of(person(45, 1.1, 0.9));
        const Clip clip = random_motion(body, random);
        const Clip plain = retargeted(clip, body, target).clip;

        const glm::dquat yaw = about({0, 0, 1}, std::uniform_real_distribution<double>(-180, 180)(random));
        const Body turned_body = body_of(turned(joints, yaw));
        const Clip turned_clip = on_turned(clip, turned_body, yaw);
        CHECK(largest_distance(plain, target, retargeted(turned_clip, turned_body, target).clip, target,
                               key_times(clip)) < bound);

        const Body hundredfold = body_of(scaled(joints, 100));
        Clip centimetres = with_scaled_places(clip, hundredfold, 100);
        CHECK(largest_distance(plain, target, retargeted(centimetres, hundredfold, target).clip, target,
                               key_times(clip)) < bound);
    }
}

TEST_CASE("a target twice as large moves as far again, and turns the same", "[retarget]") {
    for (unsigned seed = 0; seed < trees; ++seed) {
        std::mt19937 random(seed);
        const Body body = body_of(person(20));
        std::vector<BodyJoint> joints = person(50, 0.9);
        roll_at_random(joints, random);
        const Body target = body_of(joints);
        const Body twice = body_of(scaled(joints, 2));
        const Clip clip = random_motion(body, random);
        const Clip once = retargeted(clip, body, target).clip;
        const Clip doubled = retargeted(clip, body, twice).clip;
        for (const double time : key_times(clip)) {
            const auto a = placed(once, time);
            const auto b = placed(doubled, time);
            for (std::size_t node = 0; node < a.size(); ++node) {
                CHECK(chord(a[node].rotation, b[node].rotation) < bound);
                CHECK(glm::length(2.0 * a[node].translation - b[node].translation) < bound);
            }
        }
    }
}

TEST_CASE("what a mirrored body does on a mirrored target is the mirror image", "[retarget]") {
    const auto mirrored = [](std::vector<BodyJoint> joints) {
        for (BodyJoint& joint : joints) {
            joint.head.y = -joint.head.y;
            joint.rest = {joint.rest.w, -joint.rest.x, joint.rest.y, -joint.rest.z};
            const bool is_left = joint.slot.rfind("left", 0) == 0;
            const bool is_right = joint.slot.rfind("right", 0) == 0;
            joint.slot = is_left    ? "right" + joint.slot.substr(4)
                         : is_right ? "left" + joint.slot.substr(5)
                                    : joint.slot;
        }
        return joints;
    };
    for (unsigned seed = 0; seed < trees; ++seed) {
        std::mt19937 random(seed);
        std::vector<BodyJoint> joints = person(20);
        roll_at_random(joints, random);
        std::vector<BodyJoint> other = person(45, 1.2);
        roll_at_random(other, random);
        const Body source = body_of(joints);
        const Body target = body_of(other);
        const Body source_image = body_of(mirrored(joints));
        const Body target_image = body_of(mirrored(other));
        const Clip clip = random_motion(source, random);
        Clip image = clip;
        image.skeleton = source_image.skeleton;
        for (Track& track : image.tracks) {
            for (std::size_t key = 0; key < track.key_count(); ++key) {
                const bool is_turn = track.channel == Channel::rotation;
                for (const std::size_t number :
                     is_turn ? std::vector<std::size_t>{1, 3} : std::vector<std::size_t>{1}) {
                    track.values[key * track.width() + number] *= -1.0;
                }
            }
        }
        const Clip plain = retargeted(clip, source, target).clip;
        const Clip seen = retargeted(image, source_image, target_image).clip;
        for (const double time : key_times(clip)) {
            const auto a = placed(plain, time);
            const auto b = placed(seen, time);
            for (std::size_t node = 0; node < a.size(); ++node) {
                CHECK(glm::length(a[node].translation * glm::dvec3(1, -1, 1) - b[node].translation) < bound);
            }
        }
    }
}

TEST_CASE("four times as many frames give the same at common times", "[retarget]") {
    for (unsigned seed = 0; seed < 50; ++seed) {
        std::mt19937 few(seed);
        std::mt19937 many(seed);
        const Body body = body_of(person(20));
        const Body target = body_of(person(45, 1.2));
        const Clip slow = retargeted(random_motion(body, few, 6, 40, 1.0 / 30.0), body, target).clip;
        const Clip fast = retargeted(random_motion(body, many, 21, 40, 1.0 / 120.0), body, target).clip;
        for (std::size_t frame = 0; frame < 6; ++frame) {
            const auto a = placed(slow, static_cast<double>(frame) / 30.0);
            const auto b = placed(fast, static_cast<double>(frame) / 30.0);
            for (std::size_t node = 0; node < a.size(); ++node) {
                CHECK(chord(a[node].rotation, b[node].rotation) < 1e-12);
                CHECK(glm::length(a[node].translation - b[node].translation) < 1e-12);
            }
        }
    }
}
