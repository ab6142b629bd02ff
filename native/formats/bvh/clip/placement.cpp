// SPDX-License-Identifier: MIT
#include "formats/bvh/clip/clip.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>
#include <utility>

#include "rig/humanoid/humanoid.h"

namespace animbridge::bvh::clip {

namespace {

std::optional<glm::dvec3> direction_named(std::string_view name) {
    const double sign = name.starts_with('-') ? -1.0 : 1.0;
    name.remove_prefix(name.starts_with('-') ? 1 : 0);
    const std::size_t axis = name.size() == 1 ? std::string_view("XYZ").find(name) : std::string_view::npos;
    if (axis == std::string_view::npos) {
        return std::nullopt;
    }
    glm::dvec3 direction(0);
    direction[static_cast<int>(axis)] = sign;
    return direction;
}

}  // namespace

Axes Axes::inverse() const {
    Axes back;
    for (std::size_t i = 0; i < 3; ++i) {
        back.source.at(source.at(i)) = static_cast<std::uint8_t>(i);
        back.sign.at(source.at(i)) = sign.at(i);
    }
    return back;
}

Axes Axes::rotated(std::size_t quarters) const {
    Axes rotated = *this;
    for (std::size_t i = 0; i < quarters % 4; ++i) {
        // (x, y) becomes (-y, x).
        std::swap(rotated.source[0], rotated.source[1]);
        std::swap(rotated.sign[0], rotated.sign[1]);
        rotated.sign[0] = -rotated.sign[0];
    }
    return rotated;
}

std::string Axes::forward() const { return std::string(sign[1] < 0.0 ? "-" : "") + "XYZ"[source[1]]; }

std::string Axes::up() const { return std::string(sign[2] < 0.0 ? "-" : "") + "XYZ"[source[2]]; }

std::optional<Axes> axes_of(std::string_view forward, std::string_view up) {
    const auto y = direction_named(forward);
    const auto z = direction_named(up);
    if (!y || !z || glm::dot(*y, *z) != 0.0) {
        return std::nullopt;
    }
    const std::array<glm::dvec3, 3> rows = {glm::cross(*y, *z), *y, *z};
    Axes axes;
    for (std::size_t i = 0; i < 3; ++i) {
        for (int file_axis = 0; file_axis < 3; ++file_axis) {
            if (rows.at(i)[file_axis] != 0.0) {
                axes.source.at(i) = static_cast<std::uint8_t>(file_axis);
                axes.sign.at(i) = rows.at(i)[file_axis];
            }
        }
    }
    return axes;
}

namespace {

constexpr double human_height = 1.75;
constexpr double shortest_human = 1.0;
constexpr double tallest_human = 2.5;
/// Metres per metre, centimetre and inch. No height fits two of them.
constexpr std::array<double, 3> round_units = {1.0, 0.01, 0.0254};
/// Scales that a Blender property can hold.
constexpr double smallest_scale = 1e-6;
constexpr double largest_scale = 1e6;

glm::dvec3 offset_of(const file::Offset& offset) { return {offset[0], offset[1], offset[2]}; }

/// The joint where the body begins: the first one that forks. The way to it from the file's root is a place,
/// not a part of the body.
std::size_t first_of_body(const file::Document& document) {
    std::vector<std::size_t> children(document.joints.size(), 0);
    for (const file::Joint& joint : document.joints) {
        if (joint.parent) {
            ++children[*joint.parent];
        }
    }
    const auto fork = std::ranges::find_if(children, [](std::size_t count) { return count > 1; });
    return fork == children.end() ? 0 : static_cast<std::size_t>(fork - children.begin());
}

/// The size of the box around the body's joints and end sites at rest, along the placed axes.
glm::dvec3 box_of(const file::Document& document, const Axes& axes) {
    std::vector<glm::dvec3> heads;
    heads.reserve(document.joints.size());
    constexpr double infinity = std::numeric_limits<double>::infinity();
    glm::dvec3 low(infinity);
    glm::dvec3 high(-infinity);
    const auto include = [&](const glm::dvec3& point) {
        low = glm::min(low, point);
        high = glm::max(high, point);
    };
    const std::size_t first = first_of_body(document);
    for (const file::Joint& joint : document.joints) {
        const glm::dvec3 offset = axes.place(offset_of(joint.offset));
        heads.push_back(joint.parent ? heads[*joint.parent] + offset : offset);
        if (heads.size() <= first) {
            continue;
        }
        include(heads.back());
        for (const file::EndSite& end : joint.end_sites) {
            include(heads.back() + axes.place(offset_of(end.offset)));
        }
    }
    return heads.empty() ? glm::dvec3(0) : high - low;
}

double rounded_to_three_digits(double value) {
    const double digits = 2.0 - std::floor(std::log10(value));
    // Only powers of ten from 1 up are exact.
    const double power = std::pow(10.0, std::abs(digits));
    return digits >= 0.0 ? std::round(value * power) / power : std::round(value / power) * power;
}

}  // namespace

HumanScale human_scale(const file::Document& document, const Axes& axes) {
    const glm::dvec3 box = box_of(document, axes);
    const double longest = std::max({box.x, box.y, box.z});
    const double height = box.z >= 0.5 * longest ? box.z : longest;
    if (!(height > 0.0) || !std::isfinite(height)) {
        return {};
    }
    for (const double metres : round_units) {
        if (height * metres >= shortest_human && height * metres <= tallest_human) {
            return {height, metres};
        }
    }
    const double scale = std::clamp(human_height / height, smallest_scale, largest_scale);
    return {height, rounded_to_three_digits(scale)};
}

bool has_body(const file::Document& document, const Axes& axes) {
    Skeleton skeleton;
    for (const file::Joint& joint : document.joints) {
        skeleton.nodes.push_back(
            {joint.name, {}, joint.parent, {{1, 0, 0, 0}, axes.place(offset_of(joint.offset))}});
    }
    const auto found = rig::humanoid::find_rig(skeleton, rig::humanoid::built_in_rigs(), nullptr,
                                               rig::humanoid::RigUse::source);
    constexpr std::array<std::string_view, 5> parts = {"hips", "leftUpperLeg", "leftLowerLeg",
                                                       "rightUpperLeg", "rightLowerLeg"};
    return found && std::ranges::all_of(
                        parts, [&](std::string_view part) { return found->joint_of(part).has_value(); });
}

namespace {

/// Rest positions of a matched joint and its bone.
struct Pair {
    glm::dvec3 joint;
    glm::dvec3 bone;
};

std::vector<Pair> pairs_of(const rig::armature::Armature& armature, const file::Document& document,
                           const Axes& axes, const rig::armature::JointMatch& match) {
    std::vector<glm::dvec3> positions;
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < document.joints.size(); ++i) {
        const file::Joint& joint = document.joints[i];
        const glm::dvec3 offset = axes.place({joint.offset[0], joint.offset[1], joint.offset[2]});
        positions.push_back(joint.parent ? positions[*joint.parent] + offset : offset);
        if (const auto bone = match.bone_of_joint[i]) {
            const glm::dvec3& head = armature.bones[*bone].rest.translation;
            pairs.push_back({positions[i], head});
        }
    }
    return pairs;
}

/// Moves joints and bones so that each set has its centroid at the origin.
void center(std::vector<Pair>& pairs) {
    Pair middle{{0, 0, 0}, {0, 0, 0}};
    for (const Pair& pair : pairs) {
        middle.joint += pair.joint / static_cast<double>(pairs.size());
        middle.bone += pair.bone / static_cast<double>(pairs.size());
    }
    for (Pair& pair : pairs) {
        pair.joint -= middle.joint;
        pair.bone -= middle.bone;
    }
}

}  // namespace

Axes rotated_like(const rig::armature::Armature& armature, const file::Document& document, const Axes& axes,
                  const rig::armature::JointMatch& match) {
    std::vector<Pair> pairs = pairs_of(armature, document, axes, match);
    center(pairs);
    double along = 0;
    double across = 0;
    double joint_size = 0;
    double bone_size = 0;
    for (const auto& [joint, bone] : pairs) {
        joint_size += glm::dot(joint, joint);
        bone_size += glm::dot(bone, bone);
        along += joint.x * bone.x + joint.y * bone.y;
        across += joint.x * bone.y - joint.y * bone.x;
    }
    // If all positions lie on one vertical line (within rounding), there is no facing to compare.
    if (!(std::hypot(along, across) >= 1e-3 * std::sqrt(joint_size * bone_size))) {
        return axes;
    }
    // The match for a rotation by 0, 1, 2 and 3 quarters.
    const std::array<double, 4> likeness = {along, across, -along, -across};
    // Small differences between rest poses are not a rotation.
    const double clear = 0.1 * (std::abs(along) + std::abs(across));
    std::size_t best = 0;
    for (std::size_t quarters = 1; quarters < likeness.size(); ++quarters) {
        if (likeness.at(quarters) > likeness.at(best) + (best == 0 ? clear : 0.0)) {
            best = quarters;
        }
    }
    return axes.rotated(best);
}

}  // namespace animbridge::bvh::clip
