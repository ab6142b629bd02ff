// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <glm/geometric.hpp>

#include "editing/clip_tools.h"

namespace animbridge::editing {

namespace {

/// A limb as a capsule, as thick as the avatar's volume around it: from one part of the body to another, or
/// away from that one.
struct Limb {
    std::string_view from;
    std::string_view other;
    double radius_metres;  ///< of a body with legs of `avatar_leg_metres`
    double away_metres = 0;
};
constexpr double avatar_leg_metres = 0.959;
constexpr std::array<Limb, 15> limbs = {{{"hips", "neck", 0.11},
                                         {"neck", "head", 0.05},
                                         {"head", "neck", 0.09, 0.1},
                                         {"leftUpperArm", "leftLowerArm", 0.05},
                                         {"leftLowerArm", "leftHand", 0.04},
                                         {"leftHand", "leftLowerArm", 0.03, 0.1},
                                         {"rightUpperArm", "rightLowerArm", 0.05},
                                         {"rightLowerArm", "rightHand", 0.04},
                                         {"rightHand", "rightLowerArm", 0.03, 0.1},
                                         {"leftUpperLeg", "leftLowerLeg", 0.09},
                                         {"leftLowerLeg", "leftFoot", 0.06},
                                         {"leftFoot", "leftToes", 0.05},
                                         {"rightUpperLeg", "rightLowerLeg", 0.09},
                                         {"rightLowerLeg", "rightFoot", 0.06},
                                         {"rightFoot", "rightToes", 0.05}}};

/// One that the skeleton has.
struct Capsule {
    std::size_t from = 0;
    std::size_t to = 0;
    double radius_metres = 0;
    glm::dvec3 offset{0};  ///< from there to its end, in that joint's axes

    [[nodiscard]] glm::dvec3 end(const std::vector<Transform>& world) const {
        return world[to].translation + world[to].rotation * offset;
    }
};

/// The least distance of two straight lines between points.
double least_distance(const glm::dvec3& a, const glm::dvec3& b, const glm::dvec3& c, const glm::dvec3& d) {
    const glm::dvec3 one = b - a;
    const glm::dvec3 other = d - c;
    const glm::dvec3 between = a - c;
    const double one_squared = glm::dot(one, one);
    const double other_squared = glm::dot(other, other);
    const double along = glm::dot(one, other);
    const auto share = [](double part, double whole) {
        return whole > 0.0 ? std::clamp(part / whole, 0.0, 1.0) : 0.0;
    };
    // Where the endless lines are nearest, and then each line's nearest point to that of the other.
    double at_one = share(along * glm::dot(other, between) - other_squared * glm::dot(one, between),
                          one_squared * other_squared - along * along);
    const double at_other = share(glm::dot(other, between) + along * at_one, other_squared);
    at_one = share(along * at_other - glm::dot(one, between), one_squared);
    return glm::length(between + at_one * one - at_other * other);
}

double depth_metres(const std::vector<Transform>& world, const Capsule& one, const Capsule& other) {
    return one.radius_metres + other.radius_metres -
           least_distance(world[one.from].translation, one.end(world), world[other.from].translation,
                          other.end(world));
}

std::vector<Capsule> capsules_of(const std::vector<Transform>& rest, const rig::humanoid::FoundRig& rig) {
    const auto length = [&](std::string_view from, std::string_view to) {
        const auto start = rig.joint_of(from);
        const auto end = rig.joint_of(to);
        return start && end ? glm::distance(rest[*start].translation, rest[*end].translation) : 0.0;
    };
    const double leg =
        std::max(length("leftUpperLeg", "leftLowerLeg") + length("leftLowerLeg", "leftFoot"),
                 length("rightUpperLeg", "rightLowerLeg") + length("rightLowerLeg", "rightFoot"));
    std::vector<Capsule> capsules;
    for (const Limb& limb : limbs) {
        const double scale = leg / avatar_leg_metres;
        const double long_metres = length(limb.from, limb.other);
        if (!(scale > 0.0 && long_metres > 0.0)) {
            continue;
        }
        const std::size_t from = *rig.joint_of(limb.from);
        const std::size_t other = *rig.joint_of(limb.other);
        Capsule& made = capsules.emplace_back(Capsule{from, other, limb.radius_metres * scale});
        if (limb.away_metres > 0.0) {
            const glm::dvec3 way = (rest[from].translation - rest[other].translation) / long_metres;
            made.to = from;
            made.offset = glm::conjugate(rest[from].rotation) * way * (limb.away_metres * scale);
        }
    }
    return capsules;
}

}  // namespace

Json overlap_of(const Clip& clip, const rig::humanoid::FoundRig& rig) {
    const std::vector<Transform> rest = ClipPoser(Clip{clip.skeleton, {}, {}, 0.0}).world();
    const std::vector<Capsule> capsules = capsules_of(rest, rig);
    std::vector<std::pair<Capsule, Capsule>> pairs;
    for (std::size_t i = 0; i < capsules.size(); ++i) {
        for (std::size_t j = i + 1; j < capsules.size(); ++j) {
            // Neighbours always touch, and so do some others at rest.
            if (depth_metres(rest, capsules[i], capsules[j]) < 0.0) {
                pairs.emplace_back(capsules[i], capsules[j]);
            }
        }
    }
    if (pairs.empty()) {
        return nullptr;
    }
    Json deepest = {{"depth_mm", 0.0}, {"joints", Json::array()}, {"at_seconds", nullptr}};
    double depth = 0;
    ClipPoser poser(clip);
    const auto steps = static_cast<std::size_t>(clip.duration_seconds * measured_rate + 1e-6);
    for (std::size_t step = 0; step <= steps; ++step) {
        const double seconds = static_cast<double>(step) / measured_rate;
        poser.pose(seconds);
        for (const auto& [one, other] : pairs) {
            if (const double here = depth_metres(poser.world(), one, other); here > depth) {
                depth = here;
                deepest = {{"depth_mm", 1000.0 * here},
                           {"joints", Json::array({json_text(clip.skeleton.nodes[one.from].name),
                                                   json_text(clip.skeleton.nodes[other.from].name)})},
                           {"at_seconds", seconds}};
            }
        }
    }
    return deepest;
}

}  // namespace animbridge::editing
