// SPDX-License-Identifier: MIT
#include "rig/retarget/parts.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>
#include <utility>

namespace animbridge::rig::retarget {

namespace {

std::vector<glm::dquat> local_rests(const Skeleton& skeleton) {
    std::vector<glm::dquat> local;
    local.reserve(skeleton.nodes.size());
    for (const Node& node : skeleton.nodes) {
        local.push_back(node.rest_local.rotation);
    }
    return local;
}

Result<Posture> given_posture(const Skeleton& skeleton, const std::vector<std::optional<glm::dquat>>& given,
                              const std::string& which) {
    std::vector<glm::dquat> local = local_rests(skeleton);
    if (given.size() != local.size()) {
        return fail(ErrorCode::invalid_argument, "the " + which + "'s reference pose has " +
                                                     std::to_string(given.size()) + " rotations for " +
                                                     std::to_string(local.size()) + " joints");
    }
    for (std::size_t node = 0; node < local.size(); ++node) {
        if (!given[node]) {
            continue;
        }
        const double length = std::sqrt(glm::dot(*given[node], *given[node]));
        if (!(length > 1e-9 && length < 1e9)) {
            return fail(ErrorCode::invalid_argument, "the " + which + "'s reference pose turns the joint \"" +
                                                         without_controls(skeleton.nodes[node].name) +
                                                         "\" by a quaternion that is not a rotation");
        }
        local[node] = *given[node] / length;
    }
    return posture_of(skeleton, std::move(local));
}

/// Turns a joint in the world, with its descendants.
void turn_joint(const Skeleton& skeleton, Posture& posture, std::size_t joint, const glm::dquat& turn) {
    const auto parent = skeleton.nodes[joint].parent;
    const glm::dquat carrying = parent ? posture.world[*parent].rotation : glm::dquat(1, 0, 0, 0);
    std::vector<glm::dquat> local = posture.local;
    local[joint] = glm::normalize(glm::conjugate(carrying) * turn * posture.world[joint].rotation);
    posture = posture_of(skeleton, std::move(local));
}

/// Turns the limb's joint in the world until it points at `direction`.
void aim_limb(const Skeleton& skeleton, const humanoid::FoundRig& rig, Posture& posture,
              const std::string& slot, const std::string& toward, const glm::dvec3& direction) {
    const auto joint = rig.joint_of(slot);
    const auto next = rig.joint_of(toward);
    if (!joint || !next) {
        return;
    }
    const auto points = direction_of(posture.head(*next) - posture.head(*joint));
    if (!points) {
        return;
    }
    turn_joint(skeleton, posture, *joint, swing_between(*points, direction));
}

/// Makes hips and shoulders level and above each other, and the torso upright. The joints of a spine share
/// its twist evenly, because nothing shows which of them has it. The forward lean of the hips shows in no
/// line: it stays.
void level_torso(const Skeleton& skeleton, const humanoid::FoundRig& rig, Posture& posture,
                 const Heading& heading) {
    const auto hips = rig.joint_of("hips");
    if (const auto line = hip_line(rig, posture); hips && line) {
        turn_joint(skeleton, posture, *hips, swing_between(*line, heading.left));
    }
    std::vector<std::size_t> spine;
    for (const std::string_view slot : {"spine", "chest", "upperChest"}) {
        if (const auto joint = rig.joint_of(slot)) {
            spine.push_back(*joint);
        }
    }
    if (spine.empty()) {
        return;
    }
    const auto neck = rig.joint_of("neck");
    const auto upright =
        neck ? direction_of(posture.head(*neck) - posture.head(spine.front())) : std::nullopt;
    if (upright) {
        // Torsos of rigs that stand straight lean by up to 10 degrees (alignment.cpp).
        const glm::dvec3 up(0, 0, 1);
        const double share = std::clamp(angle_of_directions_degrees(*upright, up) / 10.0 - 1.0, 0.0, 1.0);
        turn_joint(skeleton, posture, spine.front(), share_of(swing_between(*upright, up), share));
    }
    if (const auto line = shoulder_line(rig, posture)) {
        const glm::dquat turn =
            share_of(swing_between(*line, heading.left), 1.0 / static_cast<double>(spine.size()));
        for (const std::size_t joint : spine) {
            turn_joint(skeleton, posture, joint, turn);
        }
    }
}

/// Hips and spine level, arms to the sides, legs down. Hands and feet stay as they are.
Posture generated_tpose(const Skeleton& skeleton, const humanoid::FoundRig& rig,
                        std::vector<glm::dquat> local) {
    Posture posture = posture_of(skeleton, std::move(local));
    const auto heading = heading_of(rig, posture);
    if (!heading) {
        return posture;
    }
    level_torso(skeleton, rig, posture, *heading);
    const glm::dvec3 down(0, 0, -1);
    for (const auto& [side, outward] :
         {std::pair(std::string("left"), heading->left), std::pair(std::string("right"), -heading->left)}) {
        aim_limb(skeleton, rig, posture, side + "UpperArm", side + "LowerArm", outward);
        aim_limb(skeleton, rig, posture, side + "LowerArm", side + "Hand", outward);
        aim_limb(skeleton, rig, posture, side + "UpperLeg", side + "LowerLeg", down);
        aim_limb(skeleton, rig, posture, side + "LowerLeg", side + "Foot", down);
    }
    return posture;
}

}  // namespace

Posture posture_of(const Skeleton& skeleton, std::vector<glm::dquat> local) {
    Posture posture{std::move(local), {}};
    posture.world.reserve(skeleton.nodes.size());
    for (std::size_t node = 0; node < skeleton.nodes.size(); ++node) {
        const Node& joint = skeleton.nodes[node];
        const Transform place{posture.local[node], joint.rest_local.translation};
        posture.world.push_back(joint.parent ? posture.world[*joint.parent] * place : place);
        // Long chains would drift off unit length.
        posture.world.back().rotation = glm::normalize(posture.world.back().rotation);
    }
    return posture;
}

Result<Posture> reference_posture(const Skeleton& skeleton, const humanoid::FoundRig& rig,
                                  const Reference& reference, const std::string& which) {
    const bool is_tpose = reference.kind == ReferenceKind::tpose;
    if (reference.kind == ReferenceKind::given || !reference.local.empty()) {
        TRY(auto posture, given_posture(skeleton, reference.local, which));
        return is_tpose ? generated_tpose(skeleton, rig, std::move(posture.local)) : std::move(posture);
    }
    if (reference.kind != ReferenceKind::rest && !rig.reference_local.empty()) {
        return given_posture(skeleton, rig.reference_local, which);
    }
    return is_tpose ? generated_tpose(skeleton, rig, local_rests(skeleton))
                    : posture_of(skeleton, local_rests(skeleton));
}

std::optional<Heading> heading_of(const humanoid::FoundRig& rig, const Posture& posture) {
    for (const std::string_view part : {"UpperLeg", "UpperArm", "Shoulder"}) {
        const auto left = rig.joint_of("left" + std::string(part));
        const auto right = rig.joint_of("right" + std::string(part));
        if (!left || !right) {
            continue;
        }
        glm::dvec3 across = posture.head(*left) - posture.head(*right);
        const double length = glm::length(across);
        across.z = 0;
        if (const auto unit = direction_of(across, 0.1 * length)) {
            return Heading{glm::cross(*unit, glm::dvec3(0, 0, 1)), *unit};
        }
    }
    return std::nullopt;
}

namespace {

/// From the right to the left joint of a part of the body.
std::optional<glm::dvec3> line_across(const humanoid::FoundRig& rig, const Posture& posture,
                                      const std::string& part) {
    constexpr double shortest_metres = 0.01;
    const auto left = rig.joint_of("left" + part);
    const auto right = rig.joint_of("right" + part);
    return left && right ? direction_of(posture.head(*left) - posture.head(*right), shortest_metres)
                         : std::nullopt;
}

}  // namespace

std::optional<glm::dvec3> hip_line(const humanoid::FoundRig& rig, const Posture& posture) {
    return line_across(rig, posture, "UpperLeg");
}

std::optional<glm::dvec3> shoulder_line(const humanoid::FoundRig& rig, const Posture& posture) {
    // Collarbones begin on the chest, and do not turn with anything else.
    const auto line = line_across(rig, posture, "Shoulder");
    return line ? line : line_across(rig, posture, "UpperArm");
}

namespace {

/// The angle between an arm's direction and the nearest one between outward and down.
double degrees_from_hanging_or_level(const glm::dvec3& direction, const glm::dvec3& outward) {
    const double out = std::max(glm::dot(direction, outward), 0.0);
    const auto nearest = direction_of(out * outward + glm::dvec3(0, 0, std::min(direction.z, 0.0)));
    return nearest ? angle_of_directions_degrees(direction, *nearest) : 90.0;
}

}  // namespace

std::vector<glm::dquat> straightened(const Skeleton& skeleton, const humanoid::FoundRig& rig,
                                     std::vector<glm::dquat> local) {
    return generated_tpose(skeleton, rig, std::move(local)).local;
}

std::optional<double> degrees_from_standing(const Skeleton& skeleton, const humanoid::FoundRig& rig,
                                            const std::vector<glm::dquat>& local) {
    const Posture posture = posture_of(skeleton, local);
    const auto heading = heading_of(rig, posture);
    if (!heading) {
        return std::nullopt;
    }
    double worst = 0;
    const auto points = [&](const std::string& slot, const std::string& toward) {
        const auto joint = rig.joint_of(slot);
        const auto next = rig.joint_of(toward);
        return joint && next ? direction_of(posture.head(*next) - posture.head(*joint)) : std::nullopt;
    };
    const glm::dvec3 up(0, 0, 1);
    if (const auto torso = points("hips", rig.joint_of("neck") ? "neck" : "head")) {
        worst = angle_of_directions_degrees(*torso, up);
    }
    for (const auto& [side, outward] :
         {std::pair(std::string("left"), heading->left), std::pair(std::string("right"), -heading->left)}) {
        for (const auto& [slot, toward] :
             {std::pair("UpperLeg", "LowerLeg"), std::pair("LowerLeg", "Foot")}) {
            if (const auto leg = points(side + slot, side + toward)) {
                worst = std::max(worst, angle_of_directions_degrees(*leg, -up));
            }
        }
        for (const auto& [slot, toward] :
             {std::pair("UpperArm", "LowerArm"), std::pair("LowerArm", "Hand")}) {
            if (const auto arm = points(side + slot, side + toward)) {
                worst = std::max(worst, degrees_from_hanging_or_level(*arm, outward));
            }
        }
    }
    return worst;
}

std::vector<std::size_t> foot_joints(const humanoid::FoundRig& rig) { return rig.joints_of(foot_slots); }

double lowest_height(const std::vector<std::size_t>& joints, const std::vector<Transform>& world) {
    double lowest = world.empty() ? 0.0 : world[joints.empty() ? 0 : joints.front()].translation.z;
    for (const std::size_t joint : joints) {
        lowest = std::min(lowest, world[joint].translation.z);
    }
    for (std::size_t node = 0; joints.empty() && node < world.size(); ++node) {
        lowest = std::min(lowest, world[node].translation.z);
    }
    return lowest;
}

namespace {

/// A unit vector perpendicular to a unit vector.
glm::dvec3 any_across(const glm::dvec3& unit) {
    const glm::dvec3 other = std::abs(unit.x) < 0.6 ? glm::dvec3(1, 0, 0) : glm::dvec3(0, 1, 0);
    return glm::normalize(glm::cross(unit, other));
}

}  // namespace

std::optional<glm::dvec3> direction_of(const glm::dvec3& vector, double shortest) {
    const double length = glm::length(vector);
    if (!(length > shortest)) {
        return std::nullopt;
    }
    return vector / length;
}

glm::dquat swing_between(const glm::dvec3& from, const glm::dvec3& to) {
    // The half-way vector gives half the angle, and stays precise for small and for large ones.
    const glm::dvec3 sum = from + to;
    const double length = glm::length(sum);
    if (!(length > 1e-9)) {
        const glm::dvec3 axis = any_across(from);
        return {0, axis.x, axis.y, axis.z};
    }
    const glm::dvec3 half = sum / length;
    const glm::dvec3 axis = glm::cross(from, half);
    return glm::normalize(glm::dquat(glm::dot(from, half), axis.x, axis.y, axis.z));
}

glm::dquat twist_about(const glm::dquat& rotation, const glm::dvec3& axis) {
    const double along = glm::dot(glm::dvec3(rotation.x, rotation.y, rotation.z), axis);
    const glm::dquat twist(rotation.w, axis.x * along, axis.y * along, axis.z * along);
    const double length = std::sqrt(glm::dot(twist, twist));
    return length > 1e-12 ? twist / length : glm::dquat(1, 0, 0, 0);
}

glm::dquat share_of(const glm::dquat& rotation, double share) {
    const glm::dvec3 axis(rotation.x, rotation.y, rotation.z);
    const double sine = glm::length(axis);
    if (!(sine > 0.0)) {
        return {1, 0, 0, 0};
    }
    const double half = std::atan2(sine, rotation.w) * share;
    const glm::dvec3 part = axis * (std::sin(half) / sine);
    return {std::cos(half), part.x, part.y, part.z};
}

glm::dvec3 vector_of(const glm::dquat& turn) {
    const glm::dquat near = turn.w < 0.0 ? -turn : turn;
    const glm::dvec3 axis(near.x, near.y, near.z);
    const double sine = glm::length(axis);
    return sine > 0.0 ? axis * (2.0 * std::atan2(sine, near.w) / sine) : glm::dvec3(0);
}

glm::dquat turn_by(const glm::dvec3& vector) {
    const double angle = glm::length(vector);
    return angle > 0.0 ? glm::angleAxis(angle, vector / angle) : glm::dquat(1, 0, 0, 0);
}

std::optional<glm::dquat> roll_between(const glm::dvec3& from, const glm::dvec3& to, const glm::dvec3& axis) {
    constexpr double shortest_across = 1e-3;
    const auto from_across =
        direction_of(from - axis * glm::dot(from, axis), shortest_across * glm::length(from));
    const auto to_across = direction_of(to - axis * glm::dot(to, axis), shortest_across * glm::length(to));
    if (!from_across || !to_across) {
        return std::nullopt;
    }
    const double half = 0.5 * std::atan2(glm::dot(glm::cross(*from_across, *to_across), axis),
                                         glm::dot(*from_across, *to_across));
    const glm::dvec3 part = axis * std::sin(half);
    return glm::dquat(std::cos(half), part.x, part.y, part.z);
}

std::optional<glm::dquat> frame_of(const glm::dvec3& direction, const glm::dvec3& across) {
    const auto side =
        direction_of(across - direction * glm::dot(across, direction), 1e-3 * glm::length(across));
    if (!side) {
        return std::nullopt;
    }
    return glm::normalize(glm::quat_cast(glm::dmat3(direction, *side, glm::cross(direction, *side))));
}

std::optional<BentBones> bend_limb(const TwoBones& limb, const glm::dvec3& wanted) {
    constexpr double shortest = 1e-9;
    constexpr double there = 1e-6;
    const double upper = glm::length(limb.middle);
    const double lower = glm::length(limb.end - limb.middle);
    const auto line = direction_of(limb.end);
    const auto new_line = direction_of(wanted);
    if (!line || !new_line || !(upper > shortest) || !(lower > shortest)) {
        return std::nullopt;
    }
    const double nearest = std::abs(upper - lower) * 1.0005 + shortest;
    const double given = glm::length(wanted);
    const double distance = std::clamp(given, nearest, std::max(nearest, limb.longest));
    const double along = (upper * upper + distance * distance - lower * lower) / (2.0 * distance);
    const double across = std::sqrt(std::max(upper * upper - along * along, 0.0));
    // What a nearly straight limb bends more, it bends to its usual side.
    const auto beside = [&](const glm::dvec3& v) { return v - *line * glm::dot(v, *line); };
    const glm::dvec3 bow = beside(limb.middle);
    const glm::dvec3 bent = bow + std::max(across - glm::length(bow), 0.0) * beside(limb.bends_to);
    const glm::dvec3 side = direction_of(swing_between(*line, *new_line) * bent).value_or(glm::dvec3(0));
    const glm::dvec3 new_upper = direction_of(*new_line * along + side * across).value_or(*new_line);
    const glm::dvec3 new_lower = *new_line * distance - new_upper * upper;
    return BentBones{
        swing_between(limb.middle / upper, new_upper),
        swing_between((limb.end - limb.middle) / lower, direction_of(new_lower).value_or(*new_line)),
        std::abs(distance - given) < there && std::abs(glm::length(new_lower) - lower) < there};
}

double angle_of_directions_degrees(const glm::dvec3& a, const glm::dvec3& b) {
    return 2.0 * std::atan2(glm::length(a - b), glm::length(a + b)) * 180.0 / std::numbers::pi;
}

}  // namespace animbridge::rig::retarget
