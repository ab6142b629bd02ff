// SPDX-License-Identifier: MIT
#include "rig/humanoid/shape.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <string_view>

namespace animbridge::rig::humanoid {

namespace {

constexpr double flat = 0.6;           // 53 degrees between the legs and the spine
constexpr double leaning = 0.85;       // 32 degrees
constexpr double folded_share = -0.9;  // all bones along one axis: a rest pose that shows no posture
constexpr double at_ground = 0.85;     // of the way from the hips to the feet

/// How far down a limb reaches, relative to the legs.
double share_of_leg(const RestBody& body, const Ways& ways, const BodyFrame& frame, const LimbPair& pair) {
    const glm::dvec3 legs = reach_of(body, ways, frame.legs);
    double lowest = 0;
    for (const std::size_t top : pair.tops) {
        for (const std::size_t joint : ways.limb(top)) {
            lowest = std::max(lowest, glm::dot(body.head(joint) - frame.legs.root, legs));
        }
    }
    // Legs of one joint reach nowhere.
    const double square = glm::dot(legs, legs);
    constexpr double nothing = 1e-6;
    return square > nothing * frame.legs.length * frame.legs.length ? lowest / square : 0.0;
}

/// The pairs that stand on the ground, arms and legs included.
std::vector<LimbPair> pairs_on_ground(const RestBody& body, const Ways& ways, const BodyFrame& frame,
                                      const std::vector<LimbPair>& pairs) {
    constexpr double least_length = 0.5;
    constexpr double alike = 0.03;
    constexpr double low = 0.5;
    std::vector<LimbPair> standing;
    std::vector<std::size_t> seen;
    for (const LimbPair& pair : pairs) {
        // Legs that are spread out do not reach as far down as others, but are as long.
        const double share = share_of_leg(body, ways, frame, pair);
        const bool is_as_long = std::abs(pair.length - frame.legs.length) < alike * frame.legs.length;
        const bool is_leg =
            pair.length > least_length * frame.legs.length && share > (is_as_long ? low : at_ground);
        const bool is_new = std::ranges::none_of(seen, [&](std::size_t top) {
            return is_in_limb(body, pair, top) || body.is_above(top, pair.at) || top == pair.tops[0] ||
                   top == pair.tops[1];
        });
        if (is_leg && is_new) {
            standing.push_back(pair);
            seen.insert(seen.end(), pair.tops.begin(), pair.tops.end());
        }
    }
    return standing;
}

/// Whether a chain of at least three joints at the hips is longer than a leg, has none beside it, and does
/// not part in two limbs.
bool has_long_tail(const RestBody& body, const Ways& ways, const BodyFrame& frame,
                   const std::vector<LimbPair>& pairs) {
    constexpr std::size_t fewest = 3;
    constexpr double limb_share = 0.5;
    const double leg = std::max(ways.length(frame.legs.tops[0]), ways.length(frame.legs.tops[1]));
    const auto chains = long_children(body, ways, frame.legs.at, limbs_of_joint);
    return std::ranges::any_of(chains, [&](std::size_t child) {
        const auto limb = ways.limb(child);
        const bool has_pair = std::ranges::any_of(chains, [&](std::size_t other) {
            return other != child && common_length(body, limb, ways.limb(other), ways, false) > 0;
        });
        const bool parts = std::ranges::any_of(pairs, [&](const LimbPair& pair) {
            return body.is_above(child, pair.at) && pair.length > limb_share * frame.legs.length;
        });
        return !has_pair && !parts && !body.is_above(child, frame.arms.at) && limb.size() >= fewest &&
               ways.length(child) > leg;
    });
}

/// How many limbs are called legs, with the two that the body stands on.
std::size_t called_legs(const std::vector<LimbPair>& pairs, const Ways& ways, const BodyFrame& frame,
                        const JointNames& names) {
    constexpr double elsewhere = 0.1;
    constexpr double shortest = 0.1;  // a control of a foot has no length
    std::vector<std::size_t> tops = {frame.legs.tops[0], frame.legs.tops[1]};
    for (const LimbPair& pair : pairs) {
        // Copies of the legs, for controls, are in their place.
        const double away = glm::length(pair.root - frame.legs.root);
        const bool is_leg = away > elsewhere * frame.legs.length &&
                            pair.length > shortest * frame.legs.length &&
                            is_called(pair, "leg", ways, names) && !is_called(pair, "arm", ways, names);
        for (const std::size_t top : pair.tops) {
            if (is_leg && std::ranges::find(tops, top) == tops.end()) {
                tops.push_back(top);
            }
        }
    }
    return tops.size();
}

bool are_called_legs(const LimbPair& pair, const Ways& ways, const JointNames& names) {
    constexpr std::array<std::string_view, 7> words = {"leg", "thigh", "shin", "paw", "hoof", "foot", "calf"};
    return std::ranges::any_of(words,
                               [&](std::string_view word) { return is_called(pair, word, ways, names); });
}

/// What arms or legs are called if that is something else; empty: arms and legs, or nothing.
std::string_view other_limbs(const BodyFrame& frame, const Ways& ways, const JointNames& names) {
    if (frame.arms.are_arms) {
        return frame.legs.are_arms && !are_called_legs(frame.legs, ways, names) ? "arms in place of legs"
                                                                                : "";
    }
    const bool are_legs = are_called_legs(frame.arms, ways, names);
    return is_called(frame.arms, "wing", ways, names)  ? "wings in place of arms"
           : are_legs                                  ? "legs in place of arms"
           : is_called(frame.arms, "ear", ways, names) ? "ears in place of arms"
                                                       : "";
}

/// Whether a body that bends over its bent legs has a person's arms: their hands have fingers, or they are
/// called so.
bool is_hunched(const RestBody& body, const Ways& ways, const BodyFrame& frame) {
    constexpr double steep = 0.6;
    constexpr double above_ground = 0.75;  // of the way from the hips to the feet
    const glm::dvec3 up(0, 0, 1);
    return (frame.arms.has_hands || frame.arms.are_arms) &&
           cosine(frame.arms.root - frame.legs.root, up) > steep &&
           -cosine(reach_of(body, ways, frame.legs), up) > steep &&
           share_of_leg(body, ways, frame, frame.arms) < above_ground;
}

/// Whether a mesh hangs above the arms on the joint that carries them.
bool has_attached_head(const RestBody& body, const BodyFrame& frame) {
    constexpr double upwards = 0.7;
    const glm::dvec3 spine = frame.arms.root - frame.legs.root;
    return std::ranges::any_of(body.children(frame.arms.at), [&](std::size_t child) {
        return body.is_attachment(child) && cosine(body.head(child) - frame.arms.root, spine) > upwards;
    });
}

}  // namespace

bool is_across(const glm::dvec3& legs, const glm::dvec3& spine) {
    const double uprightness = -cosine(legs, spine);
    return uprightness > folded_share && uprightness < flat;
}

std::string looks_of(const RestBody& body, const Ways& ways, const BodyFrame& frame,
                     const std::vector<LimbPair>& pairs, const JointNames& names) {
    constexpr std::array<const char*, 5> counts = {"no legs", "two legs", "four legs", "six legs",
                                                   "eight legs"};
    if (frame.uprightness < folded_share) {
        return "";
    }
    const bool arms_stand = share_of_leg(body, ways, frame, frame.arms) > at_ground;
    const auto standing = pairs_on_ground(body, ways, frame, pairs);
    const char* const legs = counts.at(std::clamp<std::size_t>(standing.size(), 2, 4));
    if (arms_stand || called_legs(standing, ways, frame, names) > 2) {
        return legs;
    }
    // Skirts may have legs in their names, beside arms that are called so.
    const std::size_t most_legs = frame.arms.are_arms ? 4 : 2;
    if (const std::size_t count = called_legs(pairs, ways, frame, names); count > most_legs) {
        return counts.at(std::min<std::size_t>(count / 2, 4));
    }
    if (const std::string_view limbs = other_limbs(frame, ways, names); !limbs.empty()) {
        return std::string(limbs);
    }
    // A person whose coat hangs to the ground stands upright.
    const bool has_more_legs = standing.size() > 1;
    if (frame.uprightness < (has_more_legs ? leaning : flat) &&
        (has_more_legs || !is_hunched(body, ways, frame))) {
        return has_more_legs ? legs : "a spine that lies flat";
    }
    if (frame.head == nowhere && !has_attached_head(body, frame)) {
        return std::string(no_head);
    }
    return frame.legs.at != frame.arms.at && has_long_tail(body, ways, frame, pairs)
               ? "a tail longer than its legs"
               : "";
}

}  // namespace animbridge::rig::humanoid
