// SPDX-License-Identifier: MIT
#include "formats/bvh/rest_pose.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <unordered_map>
#include <unordered_set>

#include "base/text.h"
#include "formats/bvh/clip.h"

namespace animbridge::bvh {

namespace {

constexpr std::array<std::string_view, 6> euler_letters = {"XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"};

std::string clean_name(const std::string& name) {
    std::string clean = to_utf8(name);
    std::replace_if(
        clean.begin(), clean.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; },
        ' ');
    clean.resize(shortened(clean, most_name_bytes).size());
    return clean.find_first_not_of(' ') == std::string::npos ? "joint" : clean;
}

std::string numbered(const std::string& name, std::size_t number) {
    std::string digits = std::to_string(number);
    digits.insert(0, digits.size() < 3 ? 3 - digits.size() : 0, '0');
    return std::string(shortened(name, most_name_bytes - digits.size() - 1)) + "." + digits;
}

/// Rest positions in armature space: each joint's head and what its bone points at.
struct RestPositions {
    std::vector<glm::dvec3> heads;
    std::vector<glm::dvec3> targets;  ///< sums over children and end sites
    std::vector<double> target_counts;
};

RestPositions rest_positions(const Document& document, const Placement& placement) {
    const std::size_t count = document.joints.size();
    RestPositions positions{std::vector<glm::dvec3>(count), std::vector<glm::dvec3>(count, glm::dvec3(0)),
                            std::vector<double>(count, 0.0)};
    const auto add_target = [&](std::size_t joint, const glm::dvec3& place) {
        positions.targets[joint] += place;
        positions.target_counts[joint] += 1.0;
    };
    for (std::size_t i = 0; i < count; ++i) {
        const Joint& joint = document.joints[i];
        const glm::dvec3 offset = placement.place({joint.offset[0], joint.offset[1], joint.offset[2]});
        positions.heads[i] = joint.parent ? positions.heads[*joint.parent] + offset : offset;
        if (joint.parent) {
            add_target(*joint.parent, positions.heads[i]);
        }
        for (const EndSite& end : joint.end_sites) {
            add_target(i,
                       positions.heads[i] + placement.place({end.offset[0], end.offset[1], end.offset[2]}));
        }
    }
    return positions;
}

bool within_limits(const glm::dvec3& place) {
    return std::abs(place.x) <= largest_number && std::abs(place.y) <= largest_number &&
           std::abs(place.z) <= largest_number;
}

/// The diagonal of the box around the origin, all heads and their targets.
double size_of(const RestPositions& positions) {
    glm::dvec3 low(0);
    glm::dvec3 high(0);
    for (std::size_t i = 0; i < positions.heads.size(); ++i) {
        const glm::dvec3 target = positions.target_counts[i] > 0.0
                                      ? positions.targets[i] / positions.target_counts[i]
                                      : positions.heads[i];
        low = glm::min(low, glm::min(positions.heads[i], target));
        high = glm::max(high, glm::max(positions.heads[i], target));
    }
    return glm::length(high - low);
}

}  // namespace

std::vector<std::string> bone_names(const Document& document) {
    std::vector<std::string> names;
    names.reserve(document.joints.size());
    std::unordered_set<std::string> taken;
    std::unordered_map<std::string, std::size_t>
        next_number;  // keeps many equal names as cheap as different ones
    for (const Joint& joint : document.joints) {
        const std::string clean = clean_name(joint.name);
        // The part that numbers are appended to.
        const std::string beginning(shortened(clean, most_name_bytes - 4));
        std::string name = clean;
        while (!taken.insert(name).second) {
            name = numbered(clean, ++next_number[beginning]);
        }
        names.push_back(std::move(name));
    }
    return names;
}

Result<std::vector<RestJoint>> rest_joints(const Document& document, const Placement& placement) {
    const RestPositions positions = rest_positions(document, placement);
    const double size = size_of(positions);
    const double shortest = size > 0.0 ? size * 1e-3 : 0.1 * placement.scale;
    std::vector<std::string> names = bone_names(document);
    std::vector<RestJoint> joints;
    joints.reserve(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        const glm::dvec3 head = positions.heads[i];
        glm::dvec3 tail =
            positions.target_counts[i] > 0.0 ? positions.targets[i] / positions.target_counts[i] : head;
        if (!within_limits(head) || !within_limits(tail)) {
            Error error{ErrorCode::bad_value, "joint " + names[i] + " rests beyond 1e30 metres"};
            error.field = "OFFSET";
            return tl::unexpected<Error>(std::move(error));
        }
        if (!(glm::length(tail - head) >= shortest)) {
            const auto parent = document.joints[i].parent;
            const glm::dvec3 along = parent ? joints[*parent].tail - joints[*parent].head : glm::dvec3(0);
            const double length = glm::length(along);
            // Without a parent to follow, the bone points up. A tenth of the whole is long enough to see.
            const glm::dvec3 direction = length > 0.0 ? along / length : glm::dvec3(0, 0, 1);
            tail = head + direction * std::max(shortest, std::min(length, 100.0 * shortest));
        }
        joints.push_back({std::move(names[i]), head, tail});
    }
    return joints;
}

double hip_height(const Document& document, std::size_t root, const Axes& axes) {
    const RestPositions positions = rest_positions(document, {axes, 1.0});
    double lowest = positions.heads[root].z;
    for (std::size_t i = 0; i < document.joints.size(); ++i) {
        lowest = std::min(lowest, positions.heads[i].z);
        for (const EndSite& end : document.joints[i].end_sites) {
            lowest = std::min(
                lowest, positions.heads[i].z + axes.place({end.offset[0], end.offset[1], end.offset[2]}).z);
        }
    }
    return positions.heads[root].z - lowest;
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
