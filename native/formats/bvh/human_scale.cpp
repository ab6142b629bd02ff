// SPDX-License-Identifier: MIT
#include "formats/bvh/human_scale.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/vec3.hpp>
#include <limits>
#include <string_view>
#include <vector>

#include "rig/humanoid/find_rig.h"

namespace animbridge::bvh {

namespace {

constexpr double human_height = 1.75;
constexpr double shortest_human = 1.0;
constexpr double tallest_human = 2.5;
/// Metres per metre, centimetre and inch. No height fits two of them.
constexpr std::array<double, 3> round_units = {1.0, 0.01, 0.0254};
/// Scales that a Blender property can hold.
constexpr double smallest_scale = 1e-6;
constexpr double largest_scale = 1e6;

glm::dvec3 offset_of(const Offset& offset) { return {offset[0], offset[1], offset[2]}; }

/// The size of the box around the joints and end sites at rest, along the placed axes.
glm::dvec3 box_of(const Document& document, const Axes& axes) {
    std::vector<glm::dvec3> heads;
    heads.reserve(document.joints.size());
    constexpr double infinity = std::numeric_limits<double>::infinity();
    glm::dvec3 low(infinity);
    glm::dvec3 high(-infinity);
    const auto include = [&](const glm::dvec3& point) {
        low = glm::min(low, point);
        high = glm::max(high, point);
    };
    for (const Joint& joint : document.joints) {
        const glm::dvec3 offset = axes.place(offset_of(joint.offset));
        heads.push_back(joint.parent ? heads[*joint.parent] + offset : offset);
        include(heads.back());
        for (const EndSite& end : joint.end_sites) {
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

HumanScale human_scale(const Document& document, const Axes& axes) {
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

bool has_body(const Document& document, const Axes& axes) {
    Skeleton skeleton;
    for (const Joint& joint : document.joints) {
        skeleton.nodes.push_back(
            {joint.name, {}, joint.parent, {{1, 0, 0, 0}, axes.place(offset_of(joint.offset))}});
    }
    const auto found = rig::find_rig(skeleton, rig::built_in_rigs(), nullptr, rig::RigUse::source);
    constexpr std::array<std::string_view, 5> parts = {"hips", "leftUpperLeg", "leftLowerLeg",
                                                       "rightUpperLeg", "rightLowerLeg"};
    return found && std::all_of(parts.begin(), parts.end(),
                                [&](std::string_view part) { return found->joint_of(part).has_value(); });
}

}  // namespace animbridge::bvh
