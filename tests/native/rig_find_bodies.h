// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec3.hpp>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/clip/clip.h"
#include "rig/humanoid/humanoid.h"

/// Skeletons for tests of finding rig maps: joints by their positions in the world.
namespace animbridge::test {

struct PlacedJoint {
    std::string name;
    std::string parent;  ///< "": a root
    glm::dvec3 head{0};
};

/// There are no rest rotations, so positions are sums of translations. Parents come first.
inline Skeleton skeleton_of(const std::vector<PlacedJoint>& joints) {
    Skeleton skeleton;
    std::map<std::string, std::size_t> index;
    for (const PlacedJoint& joint : joints) {
        Node node;
        node.name = joint.name;
        node.rest_local.translation = joint.head;
        if (const auto parent = index.find(joint.parent); parent != index.end()) {
            node.parent = parent->second;
            for (auto above = node.parent; above; above = skeleton.nodes[*above].parent) {
                node.rest_local.translation -= skeleton.nodes[*above].rest_local.translation;
            }
        }
        index[joint.name] = skeleton.nodes.size();
        skeleton.nodes.push_back(std::move(node));
    }
    return skeleton;
}

using Found = std::map<std::string, std::string>;

/// Slot -> joint's name.
inline Found slots_of(const rig::humanoid::FoundRig& rig, const Skeleton& skeleton) {
    Found found;
    for (const rig::humanoid::FoundSlot& slot : rig.slots) {
        found[slot.slot] = skeleton.nodes[slot.joint].name;
    }
    return found;
}

/// The left arm, leg and collar in metres; the body faces -Y, so left is +X.
inline std::vector<PlacedJoint> mixamo_body() {
    std::vector<PlacedJoint> joints = {{"Hips", "", {0, 0, 1}},          {"Spine", "Hips", {0, 0, 1.1}},
                                       {"Spine1", "Spine", {0, 0, 1.2}}, {"Spine2", "Spine1", {0, 0, 1.3}},
                                       {"Neck", "Spine2", {0, 0, 1.5}},  {"Head", "Neck", {0, 0, 1.6}}};
    for (const auto& [side, x] : std::map<std::string, double>{{"Left", 1.0}, {"Right", -1.0}}) {
        joints.push_back({side + "Shoulder", "Spine2", {0.05 * x, 0, 1.45}});
        joints.push_back({side + "Arm", side + "Shoulder", {0.2 * x, 0, 1.45}});
        joints.push_back({side + "ForeArm", side + "Arm", {0.45 * x, 0, 1.45}});
        joints.push_back({side + "Hand", side + "ForeArm", {0.7 * x, 0, 1.45}});
        joints.push_back({side + "UpLeg", "Hips", {0.1 * x, 0, 0.95}});
        joints.push_back({side + "Leg", side + "UpLeg", {0.1 * x, 0, 0.5}});
        joints.push_back({side + "Foot", side + "Leg", {0.1 * x, 0, 0.08}});
        joints.push_back({side + "ToeBase", side + "Foot", {0.1 * x, -0.12, 0.02}});
    }
    return joints;
}

/// For each joint's name one that tells nothing: node.N.
inline std::map<std::string, std::string> node_names(const std::vector<PlacedJoint>& joints) {
    std::map<std::string, std::string> names;
    for (const PlacedJoint& joint : joints) {
        names[joint.name] = "node." + std::to_string(names.size());
    }
    return names;
}

/// The joints with other names: each that is in `names`.
inline std::vector<PlacedJoint> renamed(std::vector<PlacedJoint> joints,
                                        const std::map<std::string, std::string>& names) {
    for (PlacedJoint& joint : joints) {
        for (std::string* name : {&joint.name, &joint.parent}) {
            if (const auto other = names.find(*name); other != names.end()) {
                *name = other->second;
            }
        }
    }
    return joints;
}

inline std::vector<PlacedJoint> without(std::vector<PlacedJoint> joints, const std::string& name) {
    std::erase_if(joints, [&](const PlacedJoint& joint) { return joint.name == name; });
    return joints;
}

}  // namespace animbridge::test
