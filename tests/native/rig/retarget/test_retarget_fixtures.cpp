// SPDX-License-Identifier: MIT
// fixtures/retarget: pairs of skeletons with the rotations and paths that the formula gives, computed by
// tests/witness, which shares no code with the library.
#include <algorithm>
#include <filesystem>
#include <map>

#include "base/json/json.h"
#include "catch.h"
#include "retarget_support.h"
#include "support.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

glm::dquat quaternion_at(const Json& row) {
    return {row[0].get<double>(), row[1].get<double>(), row[2].get<double>(), row[3].get<double>()};
}
glm::dvec3 vector_at(const Json& row) {
    return {row[0].get<double>(), row[1].get<double>(), row[2].get<double>()};
}

struct FixtureSide {
    Skeleton skeleton;
    rig::humanoid::FoundRig rig;
    rig::retarget::Reference reference;
};

std::size_t node_called(const Skeleton& skeleton, const Json& name) {
    return skeleton.find(name.get<std::string>()).value();
}

FixtureSide side_of(const Json& json) {
    FixtureSide side;
    for (const Json& joint : json["joints"]) {
        Node node{joint["name"].get<std::string>()};
        if (!joint["parent"].is_null()) {
            node.parent = joint["parent"].is_string() ? node_called(side.skeleton, joint["parent"])
                                                      : joint["parent"].get<std::size_t>();
        }
        node.rest_local = {quaternion_at(joint["rotation"]), vector_at(joint["translation"])};
        side.skeleton.nodes.push_back(node);
    }
    for (const auto& [slot, joint] : json["slots"].items()) {
        side.rig.slots.push_back({std::string(slot), node_called(side.skeleton, joint)});
    }
    for (const auto& [name, joints] : json["chains"].items()) {
        rig::humanoid::FoundChain chain{std::string(name), {}};
        for (const Json& joint : joints) {
            chain.joints.push_back(node_called(side.skeleton, joint));
        }
        side.rig.chains.push_back(chain);
    }
    if (!json["reference"].empty()) {
        side.reference.kind = rig::retarget::ReferenceKind::given;
        side.reference.local.resize(side.skeleton.nodes.size());
        for (const auto& [joint, rotation] : json["reference"].items()) {
            side.reference.local[side.skeleton.find(joint).value()] = quaternion_at(rotation);
        }
    }
    return side;
}

Clip clip_of(const Json& motion, const Skeleton& skeleton) {
    Clip clip{skeleton, {}, {}, 0};
    const auto add = [&](const Json& rows, Channel channel) {
        for (const auto& [joint, keys] : rows.items()) {
            Track track{skeleton.find(joint).value(), channel};
            for (std::size_t key = 0; key < keys.size(); ++key) {
                const double time = motion["times"][key].get<double>();
                channel == Channel::rotation ? add_row(track, time, quaternion_at(keys[key]))
                                             : add_row(track, time, vector_at(keys[key]));
                clip.duration_seconds = std::max(clip.duration_seconds, time);
            }
            clip.tracks.push_back(track);
        }
    };
    add(motion["rotations"], Channel::rotation);
    add(motion["translations"], Channel::translation);
    return clip;
}

rig::retarget::RetargetOptions options_of(const Json& json) {
    rig::retarget::RetargetOptions options;
    options.align = json["align"].get<bool>();
    options.in_place = json["in_place"].get<bool>();
    options.from_origin = json["from_origin"].get<bool>();
    if (!json["root_scale"].is_null()) {
        options.root_scale = rig::retarget::RootScale{json["root_scale"][0].get<double>(),
                                                      json["root_scale"][1].get<double>()};
    }
    return options;
}

}  // namespace

TEST_CASE("every pair of skeletons gives what the witness gives", "[retarget]") {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(fixtures_root() / "retarget")) {
        const FileBytes bytes = load(entry.path());
        const Json fixture = parse_json(std::string(bytes.begin(), bytes.end())).value();
        const std::string name = fixture["name"].get<std::string>();
        INFO(name);
        const FixtureSide source = side_of(fixture["source"]);
        const FixtureSide target = side_of(fixture["target"]);
        const Clip clip = clip_of(fixture["motion"], source.skeleton);
        rig::retarget::RetargetOptions options = options_of(fixture["options"]);
        options.source_reference = source.reference;
        options.target_reference = target.reference;
        const auto result = rig::retarget::retarget(clip, source.rig, target.skeleton, target.rig, options);
        REQUIRE(result);
        const double bound = fixture["bound"].get<double>();
        const Json& expected = fixture["expected"];
        std::map<std::string, double> largest;
        for (std::size_t key = 0; key < fixture["motion"]["times"].size(); ++key) {
            const auto world = placed(result->clip, fixture["motion"]["times"][key].get<double>());
            for (const auto& [joint, rotations] : expected["rotations"].items()) {
                const Transform& placement = world[target.skeleton.find(joint).value()];
                double& worst = largest[std::string(joint)];
                worst =
                    std::max(worst, chord(placement.rotation, glm::normalize(quaternion_at(rotations[key]))));
            }
            if (expected.contains("hips") && !expected["hips"].is_null()) {
                const std::size_t hips = target.rig.joint_of("hips").value();
                CHECK(glm::length(world[hips].translation - vector_at(expected["hips"][key])) < bound);
            }
        }
        for (const auto& [joint, worst] : largest) {
            INFO(joint);
            CHECK(worst < bound);
        }
        for (const rig::retarget::SlotReport& slot : result->report.slots) {
            if (expected["alignment"].contains(slot.slot) &&
                expected["alignment"][slot.slot]["roll_degrees"].is_null()) {
                INFO(slot.slot);
                CHECK(slot.alignment_degrees ==
                      Approx(expected["alignment"][slot.slot]["swing_degrees"].get<double>()).margin(1e-5));
            }
        }
        ++count;
    }
    CHECK(count >= 20);
}
