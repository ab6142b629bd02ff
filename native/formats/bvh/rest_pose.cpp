// SPDX-License-Identifier: MIT
#include "formats/bvh/rest_pose.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <utility>

#include "formats/bvh/clip.h"
#include "rig/bone_names.h"
#include "rig/bone_tails.h"

namespace animbridge::bvh {

namespace {

constexpr std::array<std::string_view, 6> euler_letters = {"XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"};

/// The joints as bones, in armature space. They point at their children and end sites.
std::vector<rig::BoneEnds> rest_ends(const Document& document, const Placement& placement) {
    std::vector<rig::BoneEnds> ends(document.joints.size());
    for (std::size_t i = 0; i < ends.size(); ++i) {
        const Joint& joint = document.joints[i];
        const glm::dvec3 offset = placement.place({joint.offset[0], joint.offset[1], joint.offset[2]});
        ends[i].parent = joint.parent;
        ends[i].head = joint.parent ? ends[*joint.parent].head + offset : offset;
        if (joint.parent) {
            ends[*joint.parent].point_at(ends[i].head);
        }
        for (const EndSite& end : joint.end_sites) {
            ends[i].point_at(ends[i].head + placement.place({end.offset[0], end.offset[1], end.offset[2]}));
        }
    }
    return ends;
}

bool within_limits(const glm::dvec3& place) {
    return std::abs(place.x) <= largest_number && std::abs(place.y) <= largest_number &&
           std::abs(place.z) <= largest_number;
}

}  // namespace

std::vector<std::string> bone_names(const Document& document) {
    std::vector<std::string> names;
    names.reserve(document.joints.size());
    for (const Joint& joint : document.joints) {
        names.push_back(joint.name);
    }
    return rig::bone_names(names);
}

Result<std::vector<RestJoint>> rest_joints(const Document& document, const Placement& placement) {
    const std::vector<rig::BoneEnds> ends = rest_ends(document, placement);
    std::vector<std::string> names = bone_names(document);
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (!within_limits(ends[i].head) || !within_limits(ends[i].target())) {
            Error error{ErrorCode::bad_value, "joint " + names[i] + " rests beyond 1e30 metres"};
            error.field = "OFFSET";
            return tl::unexpected<Error>(std::move(error));
        }
    }
    const std::vector<glm::dvec3> tails = rig::bone_tails(ends, 0.1 * placement.scale);
    std::vector<RestJoint> joints;
    joints.reserve(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        joints.push_back({std::move(names[i]), ends[i].head, tails[i]});
    }
    return joints;
}

double hip_height(const Document& document, std::size_t root, const Axes& axes) {
    const std::vector<rig::BoneEnds> ends = rest_ends(document, {axes, 1.0});
    double lowest = ends[root].head.z;
    for (std::size_t i = 0; i < document.joints.size(); ++i) {
        lowest = std::min(lowest, ends[i].head.z);
        for (const EndSite& end : document.joints[i].end_sites) {
            lowest = std::min(lowest,
                              ends[i].head.z + axes.place({end.offset[0], end.offset[1], end.offset[2]}).z);
        }
    }
    return ends[root].head.z - lowest;
}

std::optional<rig::BoneChannel> euler_order_of(const std::vector<std::uint8_t>& axes) {
    std::string letters;
    for (const std::uint8_t axis : axes) {
        letters.insert(0, 1, "XYZ"[axis]);  // the first axis in the file turns last
    }
    for (std::size_t order = 0; order < euler_letters.size(); ++order) {
        std::size_t found = 0;
        for (const char letter : euler_letters.at(order)) {
            found += found < letters.size() && letters[found] == letter ? 1 : 0;
        }
        if (found == letters.size()) {
            return static_cast<rig::BoneChannel>(order +
                                                 static_cast<std::size_t>(rig::BoneChannel::euler_xyz));
        }
    }
    return std::nullopt;
}

std::string_view letters_of(rig::BoneChannel order) {
    if (order < rig::BoneChannel::euler_xyz || order > rig::BoneChannel::euler_zyx) {
        return "";
    }
    return euler_letters.at(static_cast<std::size_t>(order) -
                            static_cast<std::size_t>(rig::BoneChannel::euler_xyz));
}

glm::dmat3 axes_to_bone(const Axes& axes, const glm::dquat& rest) {
    constexpr double askew = 2e-6;
    const glm::dmat3 to_armature(axes.place({1, 0, 0}), axes.place({0, 1, 0}), axes.place({0, 0, 1}));
    const glm::dmat3 given = glm::mat3_cast(glm::conjugate(rest)) * to_armature;
    glm::dmat3 straight(0.0);
    for (int column = 0; column < 3; ++column) {
        for (int row = 0; row < 3; ++row) {
            straight[column][row] = std::round(given[column][row]);
            if (std::abs(straight[column][row] - given[column][row]) > askew) {
                return given;
            }
        }
    }
    return straight;
}

}  // namespace animbridge::bvh
