// SPDX-License-Identifier: MIT
#include "rig/retarget/parts.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <map>
#include <utility>

namespace animbridge::rig::retarget {

namespace {

/// The front of a body. In a pose from the caller, the body may face elsewhere than at rest.
std::optional<glm::dvec3> front_of(const humanoid::FoundRig& rig, const Posture& posture,
                                   const Reference& reference) {
    const auto seen = heading_of(rig, posture);
    if (rig.facing && (reference.local.empty() || !seen)) {
        glm::dvec3 facing = *rig.facing;
        facing.z = 0;
        if (const auto unit = direction_of(facing)) {
            return unit;
        }
    }
    return seen ? std::optional(seen->forward) : std::nullopt;
}

glm::dquat turn_about_z(const glm::dvec3& from, const glm::dvec3& to) {
    const double half = 0.5 * std::atan2(from.x * to.y - from.y * to.x, from.x * to.x + from.y * to.y);
    // For equal headings, every bit stays.
    return std::abs(half) < 1e-13 ? glm::dquat(1, 0, 0, 0) : glm::dquat(std::cos(half), 0, 0, std::sin(half));
}

/// Whether the left joint of a pair is on the right of a body that faces forward.
bool is_swapped(const humanoid::FoundRig& rig, const Posture& posture, const glm::dvec3& forward,
                const std::string& part) {
    const auto left = rig.joint_of("left" + part);
    const auto right = rig.joint_of("right" + part);
    if (!left || !right) {
        return false;
    }
    const glm::dvec3 across = posture.head(*left) - posture.head(*right);
    const glm::dvec3 to_the_left = glm::cross(glm::dvec3(0, 0, 1), forward);
    return glm::dot(across, to_the_left) < -0.2 * glm::length(across);
}

Result<void> check_sides(const humanoid::FoundRig& rig, const Posture& posture, const glm::dvec3& forward,
                         const std::string& which, std::vector<std::string>& warnings) {
    if (is_swapped(rig, posture, forward, "UpperLeg")) {
        return fail(ErrorCode::rejected,
                    "the " + which +
                        "'s left hip lies on its right: left and right are mixed up, or the facing is wrong; "
                        "correct its rig file or its pairs");
    }
    if (is_swapped(rig, posture, forward, "UpperArm")) {
        warnings.push_back("The " + which +
                           "'s left arm lies on its right. Check which of its joints are left and right.");
    }
    double ahead = 0;
    for (const std::string side : {"left", "right"}) {
        const auto foot = rig.joint_of(side + "Foot");
        const auto toes = rig.joint_of(side + "Toes");
        if (foot && toes) {
            glm::dvec3 points = posture.head(*toes) - posture.head(*foot);
            points.z = 0;
            ahead += glm::dot(direction_of(points).value_or(glm::dvec3(0)), forward);
        }
    }
    if (ahead < -0.5) {
        warnings.push_back("The " + which +
                           "'s toes point backwards. Check which of its joints are left and right.");
    }
    return {};
}

/// The topmost part above a part.
std::size_t top_of(const Parts& parts, std::size_t index) {
    for (std::size_t steps = 0; parts.parts[index].parent && steps < parts.parts.size(); ++steps) {
        index = *parts.parts[index].parent;
    }
    return index;
}

/// The pair of joints of two parts, on one side each.
struct Ends {
    glm::dvec3 source{0, 0, 0};
    glm::dvec3 target{0, 0, 0};
};

Ends between(const Parts& parts, std::size_t from, std::size_t to, const Posture& source,
             const Posture& target) {
    const Part& a = parts.parts[from];
    const Part& b = parts.parts[to];
    return {source.head(b.source.front()) - source.head(a.source.front()),
            target.head(b.target.front()) - target.head(a.target.front())};
}

/// The turn between two groups without a body: along the first part that points somewhere, and across the
/// widest row of its parts.
std::optional<glm::dquat> turn_of_group(const Parts& parts, const std::vector<std::size_t>& group,
                                        const Posture& source, const Posture& target) {
    const auto pointing =
        std::ranges::find_if(group, [&](std::size_t part) { return parts.parts[part].toward.has_value(); });
    if (pointing == group.end()) {
        return std::nullopt;
    }
    const Ends along = between(parts, *pointing, *parts.parts[*pointing].toward, source, target);
    const auto from = direction_of(along.source);
    const auto to = direction_of(along.target);
    if (!from || !to) {
        return std::nullopt;
    }
    std::optional<glm::dquat> turn;
    double widest = 1e-9;
    for (std::size_t i = 0; i < group.size(); ++i) {
        for (std::size_t k = i + 1; k < group.size(); ++k) {
            const Ends across = between(parts, group[i], group[k], source, target);
            const double width = glm::length(glm::cross(*from, across.source));
            const auto source_frame = frame_of(*from, across.source);
            const auto target_frame = frame_of(*to, across.target);
            if (width > widest && source_frame && target_frame) {
                widest = width;
                turn = glm::normalize(*target_frame * glm::conjugate(*source_frame));
            }
        }
    }
    return turn ? turn : swing_between(*from, *to);
}

/// The parts of a group that show its turn: its top, and those at the roots of fingers, in one plane.
std::vector<std::size_t> roots_of_group(const Parts& parts, const std::vector<std::size_t>& members) {
    std::vector<std::size_t> roots;
    for (const std::size_t part : members) {
        const auto parent = parts.parts[part].parent;
        const bool is_thumb = parts.parts[part].name.find("Thumb") != std::string::npos;
        if (!is_thumb && (!parent || parts.parts[*parent].is_held)) {
            roots.push_back(part);
        }
    }
    return roots.empty() ? members : roots;
}

std::vector<glm::dquat> turns_without_body(const Parts& parts, const Posture& source, const Posture& target,
                                           std::vector<std::string>& warnings) {
    std::map<std::pair<std::size_t, humanoid::Side>, std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < parts.parts.size(); ++i) {
        const std::size_t top = top_of(parts, i);
        const auto slot = humanoid::find_slot(parts.parts[i].name);
        const humanoid::Side side = slot ? humanoid::humanoid_slots()[*slot].side : humanoid::Side::centre;
        groups[parts.parts[top].is_held ? std::pair(top, humanoid::Side::centre)
                                        : std::pair(parts.parts.size(), side)]
            .push_back(i);
    }
    std::vector<glm::dquat> turns(parts.parts.size(), glm::dquat(1, 0, 0, 0));
    for (const auto& [key, members] : groups) {
        const auto turn = turn_of_group(parts, roots_of_group(parts, members), source, target);
        if (!turn) {
            warnings.push_back("The directions of \"" + parts.parts[members.front()].name +
                               "\" in source and target cannot be compared. They count as equal; check the "
                               "result there.");
        }
        for (const std::size_t part : members) {
            turns[part] = turn.value_or(glm::dquat(1, 0, 0, 0));
        }
    }
    return turns;
}

}  // namespace

Result<std::vector<glm::dquat>> turns_of_parts(const Parts& parts, const humanoid::FoundRig& source_rig,
                                               const Posture& source, const humanoid::FoundRig& target_rig,
                                               const Posture& target, const RetargetOptions& options,
                                               std::vector<std::string>& warnings) {
    if (!parts.body) {
        return turns_without_body(parts, source, target, warnings);
    }
    const auto from = front_of(source_rig, source, options.source_reference);
    const auto to = front_of(target_rig, target, options.target_reference);
    if (from) {
        TRY_VOID(check_sides(source_rig, source, *from, "source", warnings));
    }
    if (to) {
        TRY_VOID(check_sides(target_rig, target, *to, "target", warnings));
    }
    if (!from || !to) {
        warnings.push_back(std::string("Nothing shows where the ") + (from ? "target" : "source") +
                           " looks. It is taken to look where the " + (from ? "source" : "target") +
                           " looks. Check which way the result faces.");
    }
    const glm::dquat turn = from && to ? turn_about_z(*from, *to) : glm::dquat(1, 0, 0, 0);
    return std::vector<glm::dquat>(parts.parts.size(), turn);
}

}  // namespace animbridge::rig::retarget
