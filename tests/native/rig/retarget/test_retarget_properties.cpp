// SPDX-License-Identifier: MIT
// What must hold for any rig and any motion: random trees and random bodies.
#include <algorithm>
#include <array>
#include <numeric>

#include "catch.h"
#include "retarget_support.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

constexpr int trees = 500;
constexpr double bound = 1e-9;

/// The same joints, and a joint without rotation between a random joint and its parent.
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

/// The same joints in a random order in which parents still come before their children.
std::vector<BodyJoint> shuffled(const std::vector<BodyJoint>& joints, std::mt19937& random) {
    std::vector<BodyJoint> result;
    std::vector<int> new_index(joints.size(), -1);
    std::vector<std::size_t> waiting(joints.size());
    std::iota(waiting.begin(), waiting.end(), std::size_t{0});
    std::shuffle(waiting.begin(), waiting.end(), random);
    while (result.size() < joints.size()) {
        for (const std::size_t joint : waiting) {
            const int parent = joints[joint].parent;
            const bool is_new = new_index[joint] < 0;
            if (is_new && (parent < 0 || new_index[static_cast<std::size_t>(parent)] >= 0)) {
                new_index[joint] = static_cast<int>(result.size());
                result.push_back(joints[joint]);
                result.back().parent = parent < 0 ? -1 : new_index[static_cast<std::size_t>(parent)];
            }
        }
    }
    return result;
}

/// The same joints below one that has no part, rests at the origin and has the rotation of the axes.
std::vector<BodyJoint> under_root(const std::vector<BodyJoint>& joints, const glm::dquat& turn) {
    std::vector<BodyJoint> result{{"axes", "", -1, {0, 0, 0}, turn}};
    for (BodyJoint joint : joints) {
        ++joint.parent;
        result.push_back(joint);
    }
    return result;
}

/// The rotation for another program's up axis: +X, -X, +Y, -Y or -Z up.
glm::dquat up_axis_turn(unsigned which) {
    const std::array<glm::dquat, 5> turns = {about({0, 1, 0}, 90), about({0, 1, 0}, -90),
                                             about({1, 0, 0}, 90), about({1, 0, 0}, -90),
                                             about({1, 0, 0}, 180)};
    return turns.at(which % turns.size());
}

std::string other_side(const std::string& slot) {
    return slot.rfind("left", 0) == 0    ? "right" + slot.substr(4)
           : slot.rfind("right", 0) == 0 ? "left" + slot.substr(5)
                                         : slot;
}

/// The image of a body in a mirror that swaps left and right.
std::vector<BodyJoint> mirrored(std::vector<BodyJoint> joints) {
    for (BodyJoint& joint : joints) {
        joint.head.y = -joint.head.y;
        joint.rest = {joint.rest.w, -joint.rest.x, joint.rest.y, -joint.rest.z};
        joint.slot = other_side(joint.slot);
    }
    return joints;
}

/// The clip in that mirror.
Clip mirrored(Clip clip, const Body& image) {
    clip.skeleton = image.skeleton;
    for (Track& track : clip.tracks) {
        const bool is_turn = track.channel == Channel::rotation;
        for (std::size_t key = 0; key < track.key_count(); ++key) {
            for (const std::size_t number :
                 is_turn ? std::vector<std::size_t>{1, 3} : std::vector<std::size_t>{1}) {
                track.values[key * track.width() + number] *= -1.0;
            }
        }
    }
    return clip;
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

/// The clip on the same tree with other rests: every joint is in the same place, and turned equally.
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

rig::retarget::RetargetOptions unaligned() {
    rig::retarget::RetargetOptions options;
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
        rig::retarget::RetargetOptions options;
        options.keep_touch = seed % 3 == 0;  // hands are where they should be
        const Clip result = retargeted(clip, body, body, options).clip;
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
        joints = shuffled(joints, random);
        roll_at_random(joints, random);
        for (BodyJoint& joint : joints) {
            joint.name = "bone of " + joint.name;
        }
        const Body other = body_of(joints);
        const rig::retarget::Retargeted there = retargeted(clip, body, other);
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
            for (const rig::humanoid::FoundSlot& slot : body.rig.slots) {
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

TEST_CASE("a root that carries another up axis changes nothing on either side", "[retarget]") {
    for (unsigned seed = 0; seed < trees; ++seed) {
        std::mt19937 random(seed);
        std::vector<BodyJoint> joints = person(90.0 * (seed % 7) / 6.0, 0.5 + 0.1 * (seed % 11));
        roll_at_random(joints, random);
        const Body plain = body_of(joints);
        const Body other = body_of(under_root(joints, up_axis_turn(seed)));
        const Clip clip = random_motion(plain, random);
        const Clip onto = retargeted(clip, plain, other).clip;
        CHECK(largest_distance(clip, plain, onto, other, key_times(clip)) < bound);
        const Clip back = retargeted(onto, other, plain).clip;
        CHECK(largest_distance(clip, plain, back, plain, key_times(clip)) < bound);
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
        const Clip plain = retargeted(clip, source, target).clip;
        const Clip image = mirrored(clip, source_image);
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

TEST_CASE("a mirrored source, or a mirrored target, alone", "[retarget]") {
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
        const Clip plain = retargeted(clip, source, target).clip;
        // The target's two sides are equal, so its image is the same body with other rests.
        const Clip onto_image = retargeted(clip, source, target_image).clip;
        CHECK(largest_distance(plain, target, onto_image, target_image, key_times(clip)) < bound);
        const Clip of_image = retargeted(mirrored(clip, source_image), source_image, target).clip;
        for (const double time : key_times(clip)) {
            const auto a = placed(plain, time);
            const auto b = placed(of_image, time);
            for (const rig::humanoid::FoundSlot& slot : target.rig.slots) {
                const glm::dvec3 image =
                    a[joint_at(target, other_side(slot.slot))].translation * glm::dvec3(1, -1, 1);
                CHECK(glm::length(image - b[slot.joint].translation) < bound);
            }
        }
    }
}

TEST_CASE("four times as many frames give the same at common times", "[retarget]") {
    for (unsigned seed = 0; seed < trees; ++seed) {
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
