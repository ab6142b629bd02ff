// SPDX-License-Identifier: MIT
// The keys of a retargeted clip: steps, times, signs; and input that is refused.
#include <algorithm>
#include <cmath>

#include "catch.h"
#include "retarget_support.h"

using namespace animbridge;
using namespace animbridge::test;

TEST_CASE("steps stay steps", "[retarget]") {
    const Body source = body_of(person(0));
    const Body target = body_of(person(45));
    Clip clip = still(source);
    turn_joint(clip, joint_at(source, "leftUpperArm"),
               {about({1, 0, 0}, 0), about({1, 0, 0}, 40), about({1, 0, 0}, 10)});
    clip.tracks.back().interpolation.assign(3, Interpolation::step);
    const Clip result = retargeted(clip, source, target).clip;
    const auto track = std::find_if(result.tracks.begin(), result.tracks.end(), [&](const Track& candidate) {
        return candidate.node == joint_at(target, "leftUpperArm");
    });
    REQUIRE(track != result.tracks.end());
    CHECK(track->times == clip.tracks.back().times);
    CHECK(track->interpolation == clip.tracks.back().interpolation);
}

TEST_CASE("steps at times of their own in every joint show the same at any time", "[retarget]") {
    for (unsigned seed = 0; seed < 100; ++seed) {
        std::mt19937 random(seed);
        std::vector<BodyJoint> joints = random_tree(random, 12);
        const Body source = body_of(joints);
        roll_at_random(joints, random);
        joints[1 + random() % 11].slot.clear();  // its motion goes into the joints below
        const Body target = body_of(joints);
        Clip clip = still(source);
        std::vector<double> times{0.0};
        for (std::size_t node = 0; node < joints.size(); ++node) {
            Track track{node, Channel::rotation};
            double time = 0;
            for (int key = 0; key < 4; ++key) {
                add_row(track, time, any_rotation(random));
                track.interpolation.push_back(Interpolation::step);
                times.push_back(time + 1e-3);
                time += std::uniform_real_distribution<double>(0.01, 0.5)(random);
            }
            clip.tracks.push_back(track);
        }
        const Clip result = retargeted(clip, source, target).clip;
        for (const double time : times) {
            const auto a = placed(clip, time);
            const auto b = placed(result, time);
            for (const rig::humanoid::FoundSlot& slot : target.rig.slots) {
                const std::size_t from = joint_at(source, slot.slot);
                CHECK(chord(a[from].rotation * glm::conjugate(source.joints[from].rest),
                            b[slot.joint].rotation * glm::conjugate(target.joints[slot.joint].rest)) < 1e-9);
            }
        }
    }
}

TEST_CASE("few keys far apart get more where several joints act on one", "[retarget]") {
    const std::vector<BodyJoint> joints = person(0);
    const Body source = body_of(joints);
    std::vector<BodyJoint> without_chest = joints;
    for (BodyJoint& joint : without_chest) {
        joint.slot = joint.slot == "chest" ? "" : joint.slot;
    }
    const Body target = body_of(without_chest);
    Clip clip = still(source);
    for (const std::string slot : {"spine", "chest", "neck"}) {
        Track track{joint_at(source, slot), Channel::rotation};
        add_row(track, 0, glm::dquat(1, 0, 0, 0));
        add_row(track, 1, about(slot == "chest" ? glm::dvec3(1, 0, 0) : glm::dvec3(0, 1, 0), 80));
        clip.tracks.push_back(track);
    }
    const Clip result = retargeted(clip, source, target).clip;
    const auto track_of = [&](const std::string& slot) {
        return *std::find_if(result.tracks.begin(), result.tracks.end(),
                             [&](const Track& track) { return track.node == joint_at(target, slot); });
    };
    // The spine has one joint's motion; chest and neck both affect the neck.
    CHECK(track_of("spine").key_count() == 2);
    const Track neck = track_of("neck");
    CHECK(neck.key_count() > 10);
    CHECK(std::count(neck.inserted.begin(), neck.inserted.end(), true) ==
          static_cast<std::ptrdiff_t>(neck.key_count()) - 2);
    // Half way between two of its keys, against lines between the source's keys.
    const double time = 0.5 * (neck.times[5] + neck.times[6]);
    const auto between = [&](const glm::dquat& to) {
        return glm::normalize(glm::dquat(1, 0, 0, 0) * (1 - time) + to * time);
    };
    const glm::dquat wanted = between(about({1, 0, 0}, 80)) * between(about({0, 1, 0}, 80));
    const glm::dquat shown = glm::normalize(neck.rotation(5) + neck.rotation(6));
    CHECK(angle_between_degrees(wanted, shown) < 0.05);
}

TEST_CASE("keys do not jump to the other sign", "[retarget]") {
    std::mt19937 random(5);
    const Body source = body_of(person(0));
    std::vector<BodyJoint> joints = person(45);
    roll_at_random(joints, random);
    const Body target = body_of(joints);
    const Clip result = retargeted(random_motion(source, random, 60, 170), source, target).clip;
    for (const Track& track : result.tracks) {
        for (std::size_t key = 1; track.channel == Channel::rotation && key < track.key_count(); ++key) {
            CHECK(glm::dot(track.rotation(key - 1), track.rotation(key)) >= 0.0);
        }
    }
}

TEST_CASE("bad input is an error and not a crash", "[retarget]") {
    const Body source = body_of(person(0));
    Body target = body_of(person(0));
    const Clip clip = still(source);
    const auto error_of = [&](const Clip& from, const rig::humanoid::FoundRig& from_rig, const Body& to,
                              const rig::retarget::RetargetOptions& options) {
        const auto result = rig::retarget::retarget(from, from_rig, to.skeleton, to.rig, options);
        REQUIRE(!result);
        return result.error().message();
    };
    Body wrong = target;
    wrong.rig.slots.front().joint = 9999;
    CHECK_THAT(error_of(clip, source.rig, wrong, {}), ContainsSubstring("9999"));
    wrong = target;
    wrong.rig.slots[1].joint = wrong.rig.slots[0].joint;
    CHECK_THAT(error_of(clip, source.rig, wrong, {}), ContainsSubstring("is mapped to"));
    CHECK_THAT(error_of(clip, {}, target, {}), ContainsSubstring("no part in common"));
    rig::retarget::RetargetOptions options;
    options.source_reference = {rig::retarget::ReferenceKind::given, {}};
    CHECK_THAT(error_of(clip, source.rig, target, options), ContainsSubstring("0 rotations"));
    options = {};
    options.root_scale = rig::retarget::RootScale{std::nan(""), 1};
    CHECK_THAT(error_of(clip, source.rig, target, options), ContainsSubstring("scale"));
    Clip broken = clip;
    turn_joint(broken, 0, {glm::dquat(std::nan(""), 0, 0, 0)});
    CHECK_THAT(error_of(broken, source.rig, target, {}), ContainsSubstring("not a finite number"));
    const auto cancelled = rig::retarget::retarget(clip, source.rig, target.skeleton, target.rig, {},
                                                   Job([](double) { return false; }));
    REQUIRE(!cancelled);
    CHECK(cancelled.error().code == ErrorCode::cancelled);
}
