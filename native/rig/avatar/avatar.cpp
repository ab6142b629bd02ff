// SPDX-License-Identifier: MIT
#include "rig/avatar/avatar.h"

#include <algorithm>
#include <array>
#include <glm/trigonometric.hpp>
#include <iterator>
#include <span>
#include <unordered_map>

namespace animbridge::rig::avatar {

namespace {

struct RawJoint {
    std::string_view name;
    JointKind kind;
    int parent;
    std::array<double, 3> position;
    std::array<double, 3> rotation_degrees;
    std::array<double, 3> end;
    std::array<double, 3> scale;
    std::string_view group;
    std::string_view support;
    std::string_view aliases;  // each ends with a newline
    bool on_screen;
};

#include "avatar_data.inc"

glm::dvec3 vector_of(const std::array<double, 3>& values) { return {values[0], values[1], values[2]}; }

/// Collision volumes rotate about x first, attachment points about z first.
glm::dquat rest_rotation(const RawJoint& raw) {
    const glm::dvec3 angles = glm::radians(vector_of(raw.rotation_degrees));
    const glm::dquat x = glm::angleAxis(angles.x, glm::dvec3(1, 0, 0));
    const glm::dquat y = glm::angleAxis(angles.y, glm::dvec3(0, 1, 0));
    const glm::dquat z = glm::angleAxis(angles.z, glm::dvec3(0, 0, 1));
    return raw.kind == JointKind::attachment_point ? x * y * z : z * y * x;
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(end + 1);
    }
    return lines;
}

/// The aliases of each raw joint, stored once so that all copies of a skeleton can share them.
const std::vector<std::vector<std::string_view>>& all_aliases() {
    static const std::vector<std::vector<std::string_view>> aliases = [] {
        std::vector<std::vector<std::string_view>> all;
        all.reserve(raw_joints.size());
        std::ranges::transform(raw_joints, std::back_inserter(all),
                               [](const RawJoint& raw) { return lines_of(raw.aliases); });
        return all;
    }();
    return aliases;
}

SkeletonJoint joint_of(const RawJoint& raw, std::span<const std::string_view> aliases) {
    SkeletonJoint joint;
    joint.node.name = raw.name;
    joint.node.aliases = aliases;
    if (raw.parent >= 0) {
        joint.node.parent = static_cast<std::size_t>(raw.parent);
    }
    joint.node.rest_local = {rest_rotation(raw), vector_of(raw.position)};
    joint.kind = raw.kind;
    joint.end = vector_of(raw.end);
    joint.rest_scale = vector_of(raw.scale);
    joint.group = raw.group;
    joint.support = raw.support;
    joint.on_screen = raw.on_screen;
    return joint;
}

using NameIndex = std::unordered_map<std::string_view, std::size_t>;

/// Adds all names of one kind of joint; the first entry of a name wins.
void add_names(JointKind kind, NameIndex& index) {
    for (std::size_t i = 0; i < skeleton().size(); ++i) {
        if (skeleton()[i].kind == kind) {
            index.emplace(skeleton()[i].node.name, i);
        }
    }
    for (std::size_t i = 0; i < skeleton().size(); ++i) {
        if (skeleton()[i].kind != kind) {
            continue;
        }
        for (const std::string_view alias : skeleton()[i].node.aliases) {
            index.emplace(alias, i);
        }
    }
}

/// Names in the order in which the viewer looks them up.
NameIndex build_index() {
    NameIndex index;
    add_names(JointKind::bone, index);
    add_names(JointKind::attachment_point, index);
    add_names(JointKind::collision_volume, index);
    return index;
}

}  // namespace

const std::vector<SkeletonJoint>& skeleton() {
    static const std::vector<SkeletonJoint> joints = [] {
        std::vector<SkeletonJoint> all;
        all.reserve(raw_joints.size());
        std::transform(raw_joints.begin(), raw_joints.end(), all_aliases().begin(), std::back_inserter(all),
                       joint_of);
        return all;
    }();
    return joints;
}

std::optional<std::size_t> find_joint(std::string_view name) {
    static const NameIndex index = build_index();
    const auto found = index.find(name);
    return found == index.end() ? std::nullopt : std::optional(found->second);
}

const Skeleton& playing_skeleton() {
    static const Skeleton skeleton_at_0 = [] {
        Skeleton playing;
        playing.nodes.reserve(skeleton().size());
        for (const SkeletonJoint& joint : skeleton()) {
            playing.nodes.push_back(joint.node);
        }
        playing.nodes.front().rest_local.translation = {0, 0, 0};
        return playing;
    }();
    return skeleton_at_0;
}

const std::vector<Transform>& resting_pose() {
    static const std::vector<Transform> pose = [] {
        std::vector<Transform> places;
        places.reserve(playing_skeleton().nodes.size());
        for (const Node& node : playing_skeleton().nodes) {
            places.push_back(node.rest_local);
        }
        return places;
    }();
    return pose;
}

}  // namespace animbridge::rig::avatar
