// SPDX-License-Identifier: MIT
#include "rig/humanoid/shape.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <utility>

namespace animbridge::rig::humanoid {

std::string slot_of(const ShapedLimb& limb, const char* part) {
    return (limb.side == Side::left ? "left" : "right") + std::string(part);
}

std::size_t part_slot(const ShapedLimb& limb, std::size_t part) {
    constexpr std::array<const char*, 3> arm = {"UpperArm", "LowerArm", "Hand"};
    constexpr std::array<const char*, 3> leg = {"UpperLeg", "LowerLeg", "Foot"};
    return *find_slot(slot_of(limb, limb.is_arm ? arm.at(part) : leg.at(part)));
}

bool ShapedLimb::begin_together(std::size_t joint, double length) const {
    constexpr double apart = 0.02;
    return joint < breadths.size() && breadths[joint] < apart * length;
}

double ShapedLimb::score_of(const RestBody& body, const std::array<std::size_t, 3>& at) const {
    const auto between = [&](std::size_t from, std::size_t to) {
        return glm::length(body.head(joints[to]) - body.head(joints[from]));
    };
    const auto way = [&](std::size_t from, std::size_t to) {
        double length = 0;
        for (std::size_t i = from; i < to; ++i) {
            length += between(i, i + 1);
        }
        return length;
    };
    const auto [upper, middle, end] = at;
    const double first = between(upper, middle);
    const double second = between(middle, end);
    if (!(first > 0 && second > 0) || begin_together(upper, first + second)) {
        return 0;
    }
    const double even = std::min(first, second) / std::max(first, second);
    const double straight = std::min(first / way(upper, middle), second / way(middle, end));
    const double before = way(0, upper) / (first + second);
    const double after = end < last ? way(end, last) / second : 0.0;
    double score = 1.5 * even + 5.0 * straight;
    constexpr double collar = 0.6;
    constexpr double pelvis = 0.3;
    if (is_arm && upper > 0 && before < collar) {
        // Collarbones begin near the middle of the body.
        constexpr double inner = 0.45;
        const bool is_inner = upper < breadths.size() && breadths[upper - 1] < inner * breadths[upper];
        score += is_inner ? 0.6 : 0.35;
    } else {
        score -= 2 * std::max(before - (is_arm ? collar : pelvis), 0.0);
    }
    if (!is_arm) {
        // A leg that is bent less is more likely: the last bone may be that of a long foot.
        score -= 1.0 - cosine(body.head(joints[middle]) - body.head(joints[upper]),
                              body.head(joints[end]) - body.head(joints[middle]));
    }
    const double longest_end = is_arm ? 0.9 : 1.2;  // a hand is shorter than its lower arm
    constexpr double shortest_end = 0.15;
    constexpr double usual_end = 0.3;
    if (end < last && !palm) {
        score += after > longest_end ? -0.35 : after > usual_end ? 0.45 : after > shortest_end ? 0.35 : 0.25;
    }
    if (palm) {
        constexpr double wrist = 0.35;
        score -= after > wrist ? 1.0 : 0.0;
    } else if (!is_arm && end < last) {
        // The foot points away from the leg.
        score += 0.5 * std::min(1.0, 1.0 - cosine(body.head(joints[end]) - body.head(joints[middle]),
                                                  body.head(joints[end + 1]) - body.head(joints[end])));
    }
    return std::max(score, 0.0);
}

void ShapedLimb::choose(const RestBody& body, const std::array<std::optional<std::size_t>, 3>& fixed,
                        const ShapedLimb* other) {
    score = 0;
    const auto try_parts = [&](const std::array<std::size_t, 3>& at) {
        double one = score_of(body, at);
        if (other != nullptr) {
            one = at[2] <= other->last && one > 0 ? 0.5 * (one + other->score_of(body, at)) : 0.0;
        }
        if (one > score) {
            score = one;
            parts = {joints[at[0]], joints[at[1]], joints[at[2]]};
        }
    };
    const auto range = [&](std::size_t part, std::size_t first) {
        return std::pair(fixed.at(part) ? std::max(*fixed.at(part), first) : first,
                         fixed.at(part) ? *fixed.at(part) : last);
    };
    const auto [first_upper, last_upper] = range(0, 0);
    for (std::size_t upper = first_upper; upper <= last_upper; ++upper) {
        const auto [first_middle, last_middle] = range(1, upper + 1);
        for (std::size_t middle = first_middle; middle <= last_middle; ++middle) {
            const auto [first_end, last_end] = range(2, middle + 1);
            for (std::size_t end = first_end; end <= std::min(last_end, last); ++end) {
                try_parts({upper, middle, end});
            }
        }
    }
    if (last < 2 && !fixed[0] && !fixed[1] && !fixed[2]) {
        // An arm or a leg of one or two joints.
        parts = {joints[0], last == 1 ? std::optional(joints[1]) : std::nullopt, std::nullopt};
    }
}

namespace {

/// Of joints in one place, the one that is meant. After twist joints, the last one begins the next part. A
/// hand or a foot is the one at which most joints part.
std::size_t settled(const RestBody& body, const Ways& ways, std::size_t joint, bool is_end) {
    std::size_t best = joint;
    for (std::size_t i = 0; i < longest_limb; ++i) {
        joint = ways.next(joint);
        if (joint == nowhere || !body.is_at_parent(joint)) {
            break;
        }
        if (!is_end || body.children(joint).size() >= body.children(best).size()) {
            best = joint;
        }
    }
    return best;
}

/// Legs of one bone that end at the height of the file's origin, where the ground is, have a foot.
void put_down_feet(std::array<ShapedLimb, 2>& legs, const RestBody& body, const glm::dvec3& reach) {
    constexpr double ankle = 0.25;
    auto& [one, other] = legs;
    if (one.last != 1 || other.last != 1 || one.parts[2] || other.parts[2]) {
        return;
    }
    const glm::dvec3 feet = 0.5 * (body.head(one.joints[1]) + body.head(other.joints[1]));
    if (std::abs(glm::dot(feet, reach)) < ankle * glm::dot(reach, reach)) {
        std::swap(one.parts[1], one.parts[2]);
        std::swap(other.parts[1], other.parts[2]);
    }
}

/// Takes the hand or the foot from a limb that has none: its joints are those of more than two bones.
void take_off_end(ShapedLimb& limb, const Ways& ways, const LimbPair& pair) {
    constexpr double collar = 0.7;
    constexpr double shortest = 0.4;  // upper arm, of a lower arm
    if (limb.palm || limb.last < 2) {
        return;
    }
    const std::size_t end = limb.last;
    const double first = ways.bone(limb.joints[end - 1]);
    const double second = ways.bone(limb.joints[end]);
    if (end == 2 && (limb.begin_together(0, pair.length) || (limb.is_arm && first < collar * second))) {
        // A collarbone, and an arm without a hand. Or a hip bone, and a leg without a foot.
        limb.parts = {limb.joints[1], limb.joints[2], std::nullopt};
        limb.score = 0;
    } else if (limb.is_arm && end > 2 && limb.parts[0] == limb.joints[end - 2] &&
               limb.parts[2] == limb.joints[end] && first < shortest * second) {
        // An upper arm in two parts, the first of which is short.
        limb.parts = {limb.joints[end - 2], limb.joints[end], std::nullopt};
        limb.score = 0;
    }
}

}  // namespace

std::array<ShapedLimb, 2> limbs_of(const RestBody& body, const Ways& ways, const LimbPair& pair,
                                   bool is_arm) {
    std::array<ShapedLimb, 2> limbs;
    std::array<std::size_t, 2> fans{};
    std::array<std::optional<std::size_t>, 3> fixed{};
    std::size_t most_fingers = 0;
    for (std::size_t i = 0; i < 2; ++i) {
        limbs.at(i).top = pair.tops.at(i);
        limbs.at(i).is_arm = is_arm;
        limbs.at(i).joints = ways.limb(pair.tops.at(i));
        fans.at(i) = is_arm ? fan_of(body, ways, limbs.at(i).joints) : nowhere;
    }
    const std::size_t common = std::min(limbs[0].joints.size(), limbs[1].joints.size());
    for (std::size_t i = 0; i < 2; ++i) {
        ShapedLimb& limb = limbs.at(i);
        const std::size_t fan = fans.at(i) != nowhere ? fans.at(i) : fans.at(1 - i);
        limb.last = std::min(fan, common - 1);
        for (std::size_t joint = 0; joint < common; ++joint) {
            limb.breadths.push_back(
                glm::length(body.head(limbs[0].joints[joint]) - body.head(limbs[1].joints[joint])));
        }
        if (fan < common - 1 && parts_at_wrist(body, ways, limb.joints, fan)) {
            fixed = {std::nullopt, fan, fan + 1};
            limb.last = fan + 1;
            most_fingers = std::max(most_fingers, fingers_at(body, ways, limb.joints[fan]).size());
        } else if (fan < common) {
            limb.palm = limb.joints[fan];
        }
    }
    auto& [one, other] = limbs;
    one.choose(body, fixed, &other);
    other.choose(body, fixed, &one);
    constexpr std::size_t hand_and_thumb = 2;
    if (most_fingers > hand_and_thumb) {
        one.parts[2] = other.parts[2] = std::nullopt;  // fingers alone, without a joint of the hand
    }
    for (ShapedLimb& limb : limbs) {
        take_off_end(limb, ways, pair);
    }
    if (!is_arm) {
        put_down_feet(limbs, body, reach_of(body, ways, pair));
    }
    for (ShapedLimb& limb : limbs) {
        const auto place = [&](std::size_t part) {
            return std::ranges::find(limb.joints, *limb.parts.at(part)) - limb.joints.begin();
        };
        if (limb.parts[2] && limb.parts[1] && limb.parts[0]) {
            const bool has_twists = place(1) - place(0) > 1;
            limb.parts[1] = has_twists ? settled(body, ways, *limb.parts[1], false) : limb.parts[1];
            limb.parts[2] = settled(body, ways, *limb.parts[2], true);
        }
    }
    return limbs;
}

}  // namespace animbridge::rig::humanoid
