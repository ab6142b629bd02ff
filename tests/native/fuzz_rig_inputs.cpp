// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "formats/sl_anim/avatar/avatar.h"
#include "fuzz_inputs.h"
#include "fuzz_source.h"
#include "invariants.h"
#include "rig/armature/armature.h"
#include "rig/humanoid/humanoid.h"
#include "rig/retarget/retarget.h"

namespace animbridge::test {

namespace {

constexpr std::array<const char*, 32> words = {"Hips",
                                               "mPelvis",
                                               "Spine",
                                               "Spine1",
                                               "mTorso",
                                               "mChest",
                                               "Neck",
                                               "Head",
                                               "mHead",
                                               "LeftShoulder",
                                               "LeftArm",
                                               "LeftForeArm",
                                               "LeftHand",
                                               "RightArm",
                                               "RightForeArm",
                                               "RightHand",
                                               "LeftUpLeg",
                                               "LeftLeg",
                                               "LeftFoot",
                                               "LeftToeBase",
                                               "RightUpLeg",
                                               "RightLeg",
                                               "RightFoot",
                                               "RightToeBase",
                                               "LHipJoint",
                                               "hand.L",
                                               "hand.R",
                                               "mWristLeft",
                                               "mHandIndex1Left",
                                               "thigh_twist_01_l",
                                               "mixamorig:Hips",
                                               ""};

Skeleton any_skeleton(Source& source) {
    Skeleton skeleton;
    const std::size_t count = 1 + source.below(28);
    for (std::size_t i = 0; i < count; ++i) {
        Node& node = skeleton.nodes.emplace_back();
        node.name = source.one_in(16) ? source.take_text() : words.at(source.below(words.size()));
        if (i > 0 && !source.one_in(32)) {
            node.parent = source.below(i);
        }
        for (int axis = 0; axis < 3; ++axis) {
            node.rest_local.translation[axis] =
                source.pick<double>({0.0, 0.1, -0.1, 0.4, -0.4, 1.0, 1e-12, 1e12});
        }
        if (source.one_in(4)) {
            const std::array<double, 4> q = {source.pick<double>({1, 0, 0.5}),
                                             source.pick<double>({0, 1, -0.5}), source.pick<double>({0, 0.5}),
                                             source.pick<double>({0, -0.5})};
            node.rest_local.rotation = {q[0], q[1], q[2], q[3]};
        }
    }
    return skeleton;
}

Clip any_clip(Source& source, const Skeleton& skeleton) {
    Clip clip{skeleton, {}, {}, source.pick<double>({0.0, 0.5, 1.0})};
    const std::size_t count = source.below(8);
    for (std::size_t i = 0; i < count; ++i) {
        Track track{.node = source.below(skeleton.nodes.size())};
        track.channel = source.one_in(3) ? Channel::translation : Channel::rotation;
        double time = 0;
        for (std::size_t key = 0; key <= source.below(4); ++key) {
            std::vector<double> row;
            for (std::size_t number = 0; number < width_of(track.channel); ++number) {
                row.push_back(source.pick<double>({0.0, 1.0, -1.0, 0.5, 0.7}));
            }
            track.add_key(time, row);
            time += source.pick<double>({0.25, 0.1, 0.0});
            track.interpolation.push_back(source.one_in(4) ? Interpolation::step : Interpolation::linear);
        }
        clip.tracks.push_back(std::move(track));
    }
    return clip;
}

rig::retarget::RetargetOptions any_options(Source& source) {
    rig::retarget::RetargetOptions options;
    options.source_reference.kind =
        source.one_in(3) ? rig::retarget::ReferenceKind::tpose : rig::retarget::ReferenceKind::automatic;
    options.target_reference.kind =
        source.one_in(3) ? rig::retarget::ReferenceKind::tpose : rig::retarget::ReferenceKind::rest;
    options.align = !source.one_in(4);
    options.in_place = source.one_in(4);
    options.from_origin = source.one_in(4);
    options.on_ground = source.one_in(4);
    options.plant_feet = source.one_in(2);
    return options;
}

void check_found(const rig::humanoid::FoundRig& rig, const Skeleton& skeleton) {
    require(rig.roles.size() == skeleton.nodes.size(), "roles of other joints");
    for (const rig::humanoid::FoundSlot& slot : rig.slots) {
        require(slot.joint < skeleton.nodes.size(), "a slot of a joint that does not exist");
        require(slot.score >= 0.0 && slot.score <= 1.0, "a score that is none");
    }
    for (const rig::humanoid::FoundChain& chain : rig.chains) {
        require(chain.joints.size() >= 2, "a chain of one joint");
    }
    require(parse_json(print_json(rig::humanoid::rig_json(rig, skeleton))).has_value(),
            "the report is no JSON");
}

void check_retargeted(const rig::retarget::Retargeted& done, const Skeleton& target) {
    require(done.clip.skeleton.nodes.size() == target.nodes.size(), "a clip over another skeleton");
    for (const Track& track : done.clip.tracks) {
        for (const double value : track.values) {
            require(std::isfinite(value), "a key that is not finite");
        }
        for (std::size_t key = 1; key < track.key_count(); ++key) {
            require(track.times[key - 1] <= track.times[key], "keys out of order");
        }
    }
    require(!rig::retarget::describe_retarget(rig::retarget::retarget_json(done.report)).empty(),
            "no report");
}

/// Some of the library's rigs: a fuzzer finds more in many searches among few than in few among all.
std::span<const rig::humanoid::RigFile> some_rigs(Source& source) {
    constexpr std::size_t count = 4;
    const std::vector<rig::humanoid::RigFile>& all = rig::humanoid::built_in_rigs();
    return std::span(all).subspan(source.below(all.size() - count), count);
}

void try_retarget(Source& source) {
    const Skeleton one = any_skeleton(source);
    const Skeleton other = any_skeleton(source);
    const auto one_rig = rig::humanoid::find_rig(one, some_rigs(source));
    const auto other_rig =
        rig::humanoid::find_rig(other, some_rigs(source), nullptr, rig::humanoid::RigUse::target);
    if (!one_rig || !other_rig) {
        return;
    }
    check_found(*one_rig, one);
    check_found(*other_rig, other);
    const Clip clip = any_clip(source, one);
    const rig::retarget::RetargetOptions options = any_options(source);
    const auto done = rig::retarget::retarget(clip, *one_rig, other, *other_rig, options);
    if (done) {
        check_retargeted(*done, other);
    } else {
        require(!done.error().reason.empty() && is_utf8(done.error().message()),
                "a failure without its reason");
    }
}

Skeleton skeleton_of_words() {
    Skeleton skeleton;
    for (const char* const word : words) {
        skeleton.nodes.push_back({.name = word});
        if (skeleton.nodes.size() > 1) {
            skeleton.nodes.back().parent = skeleton.nodes.size() - 2;
        }
    }
    return skeleton;
}

void require_reason(const Error& error) {
    require(!error.reason.empty() && is_utf8(error.message()), "a failure without its reason");
}

}  // namespace

void try_rig_file(ByteView bytes) {
    const Skeleton skeleton = skeleton_of_words();
    if (const auto file = rig::humanoid::read_rig_file(text_of(bytes)); !file) {
        require_reason(file.error());
    } else if (const auto found = rig::humanoid::find_rig(skeleton, {}, &*file)) {
        check_found(*found, skeleton);
    }
    const Skeleton& avatar = sl_anim::avatar::playing_skeleton();
    const auto map = rig::armature::read_rig_map(text_of(bytes), avatar);
    if (!map) {
        require_reason(map.error());
        return;
    }
    rig::armature::Armature armature;
    for (const Node& node : avatar.nodes) {
        armature.bones.push_back({.name = node.name});
    }
    if (const auto pairs = rig::armature::map_bones(avatar, armature, *map); !pairs) {
        require_reason(pairs.error());
    }
}

void try_rig(ByteView bytes) {
    Source source(bytes);
    try_retarget(source);
}

}  // namespace animbridge::test
