// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>

#include "formats/sl_anim/avatar/avatar.h"
#include "formats/sl_anim/check/measures.h"
#include "model/clip/clip.h"

namespace animbridge::sl_anim::check {

namespace {

/// A joint that bends one way only: about an axis of its own, with the sign of the wrong way.
struct Hinge {
    std::string_view name;
    double glm::dquat::*axis;
    double wrong_sign;
};

constexpr std::array<Hinge, 4> hinges = {{{"mKneeLeft", &glm::dquat::y, -1.0},
                                          {"mKneeRight", &glm::dquat::y, -1.0},
                                          {"mElbowLeft", &glm::dquat::z, 1.0},
                                          {"mElbowRight", &glm::dquat::z, -1.0}}};

/// The signed angle about an axis in the rotation, in degrees from -180 to 180.
double twist_degrees(const glm::dquat& q, double glm::dquat::*axis) {
    const double along = q.*axis;
    return 2.0 * std::atan2(q.w < 0.0 ? -along : along, std::abs(q.w)) * 180.0 / std::numbers::pi;
}

bool moves_animal_part(const Motion& motion) {
    return std::ranges::any_of(motion.joints, [](const MovedJoint& joint) {
        const bool is_animal =
            joint.part == Part::tail || joint.part == Part::wings || joint.part == Part::hind_limbs;
        const Range range = is_animal ? joint.from_rest : Range();
        return range.degrees > 0.1 || range.metres > 0.001;
    });
}

// ---- feet ----

/// The joints from the pelvis to the toes of one leg.
struct Leg {
    std::array<std::string_view, 6> names;
    std::array<const MovedJoint*, 6> moved{};
    std::array<Transform, 6> rest{};
};

struct Sole {
    Transform pelvis;
    glm::dvec3 heel{};
    glm::dvec3 ball{};
};

Leg leg_of(const Motion& motion, std::string_view side) {
    Leg leg;
    constexpr std::array<std::string_view, 6> left = {"mPelvis",    "mHipLeft",  "mKneeLeft",
                                                      "mAnkleLeft", "mFootLeft", "mToeLeft"};
    constexpr std::array<std::string_view, 6> right = {"mPelvis",     "mHipRight",  "mKneeRight",
                                                       "mAnkleRight", "mFootRight", "mToeRight"};
    leg.names = side == "left" ? left : right;
    for (std::size_t i = 0; i < leg.names.size(); ++i) {
        leg.moved[i] = motion.find(leg.names[i]);
        leg.rest[i] = avatar::resting_pose()[avatar::find_joint(leg.names[i]).value()];
    }
    return leg;
}

Sole sole_at(const Leg& leg, std::optional<float> seconds) {
    const glm::dvec3 heel_in_ankle(-0.04, 0.0, -0.061);
    Transform world;
    Sole sole;
    for (std::size_t i = 0; i < leg.names.size(); ++i) {
        const MovedJoint* joint = seconds ? leg.moved[i] : nullptr;
        world = world * (joint == nullptr
                             ? leg.rest[i]
                             : Transform{joint->rotation_at(*seconds), joint->position_at(*seconds)});
        if (i == 0) {
            sole.pelvis = world;
        } else if (i == 3) {
            sole.heel = world.translation + world.rotation * heel_in_ankle;
        } else if (i == 4) {
            sole.ball = world.translation;
        }
    }
    return sole;
}

/// How far a sole that stands flat is below its place at rest; 0 if it does not stand.
double standing_depth(const Sole& sole, const Sole& rest) {
    constexpr double flat_metres = 0.015;
    constexpr double lowered_metres = 0.3;
    const double upright = (sole.pelvis.rotation * glm::dvec3(0, 0, 1)).z;
    const bool stands = std::abs(sole.heel.z - sole.ball.z) <= flat_metres &&
                        upright >= std::numbers::sqrt2 / 2.0 && sole.pelvis.translation.z >= -lowered_metres;
    return stands ? std::min(rest.heel.z - sole.heel.z, rest.ball.z - sole.ball.z) : 0.0;
}

/// The deepest place of a sole that stays flat, deep and slow for long enough.
void look_at_foot(const Motion& motion, std::string_view side, std::optional<Amount>& deepest) {
    constexpr double deep_metres = 0.03;
    constexpr double slow = 0.1;
    constexpr double least_seconds = 0.3;
    const Leg leg = leg_of(motion, side);
    const Sole rest = sole_at(leg, std::nullopt);
    std::vector<float> times = motion.times;
    if (!times.empty() && times.back() < motion.duration) {
        times.push_back(motion.duration);
    }
    Amount stand;
    double since = 0;
    Sole before;
    for (std::size_t i = 0; i < times.size(); ++i) {
        const auto now = double{times[i]};
        const Sole sole = sole_at(leg, times[i]);
        const double depth = standing_depth(sole, rest);
        const double gap = i == 0 ? 0.0 : now - double{times[i - 1]};
        const double moved =
            std::max(glm::distance(sole.heel, before.heel), glm::distance(sole.ball, before.ball));
        before = sole;
        if (!(depth > deep_metres)) {
            stand = {};
            continue;
        }
        if (stand.size == 0 || moved > slow * gap) {
            stand = {leg.names[4], depth, now};
            since = now;
        } else if (depth > stand.size) {
            stand = {leg.names[4], depth, now};
        }
        const bool is_long = motion.is_still || now - since >= least_seconds;
        if (is_long && (!deepest || stand.size > deepest->size)) {
            deepest = stand;
        }
    }
}

// ---- height ----

/// A joint whose height the viewer counts when it measures a body, with the scale that it counts with.
struct Counted {
    std::string_view name;
    double scale;
    double rest;  ///< in the default shape
    double sign;  ///< 1: lifts the root's place above the ground, -1: lowers it
};

constexpr double head_scale = 0.925;
constexpr double skull_rest = 0.079 - 0.0075;

/// The hip has the wrong sign in the viewer: it counts as if it shortened the leg.
constexpr std::array<Counted, 9> counted_heights = {
    {{"mHipLeft", 1.0, -0.041, 1.0},
     {"mKneeLeft", 1.0, -0.491, -1.0},
     {"mAnkleLeft", 1.0, -0.468, -1.0},
     {"mFootLeft", 1.0, -0.061, -1.0},
     {"mSkull", std::numbers::sqrt2* head_scale, skull_rest, -1.0},
     {"mHead", 1.0, 0.076, -1.0},
     {"mNeck", 1.0, 0.251, -1.0},
     {"mChest", 1.0, 0.205, -1.0},
     {"mTorso", 1.0, 0.084, -1.0}}};

}  // namespace

std::vector<Amount> wrong_bends(const Motion& motion) {
    std::vector<Amount> all;
    if (moves_animal_part(motion)) {
        return all;
    }
    for (const Hinge& hinge : hinges) {
        const MovedJoint* joint = motion.find(hinge.name);
        if (joint == nullptr || joint->rotation.empty()) {
            continue;
        }
        Amount worst{joint->name};
        for (const float time : joint->rotation.times) {
            const double degrees = hinge.wrong_sign * twist_degrees(joint->rotation_at(time), hinge.axis);
            if (degrees > worst.size) {
                worst = {joint->name, degrees, double{time}};
            }
        }
        all.push_back(worst);
    }
    return all;
}

std::optional<Amount> sunk_foot(const Motion& motion) {
    std::optional<Amount> deepest;
    look_at_foot(motion, "left", deepest);
    look_at_foot(motion, "right", deepest);
    return deepest;
}

HeightChange height_change(const Motion& motion) {
    std::vector<std::pair<const Counted*, const MovedJoint*>> moved;
    for (const Counted& counted : counted_heights) {
        const MovedJoint* joint = motion.find(counted.name);
        if (joint != nullptr && !joint->position.empty()) {
            moved.emplace_back(&counted, joint);
        }
    }
    HeightChange change;
    const auto at = [&](float seconds, std::string_view* most) {
        double sum = 0;
        double largest = 0;
        for (const auto& [counted, joint] : moved) {
            const double part =
                counted->sign * counted->scale * (joint->position_at(seconds).z - counted->rest) / 2.0;
            sum += part;
            if (most != nullptr && std::abs(part) > largest) {
                largest = std::abs(part);
                *most = joint->name;
            }
        }
        return sum;
    };
    if (moved.empty()) {
        return change;
    }
    for (const float time : motion.times) {
        const double metres = at(time, nullptr);
        if (std::abs(metres) > std::abs(change.largest_metres)) {
            change.largest_metres = metres;
            change.seconds = double{time};
            at(time, &change.joint);
        }
    }
    change.end_metres = at(motion.duration, nullptr);
    return change;
}

std::vector<FrozenPart> frozen_parts(const Motion& motion) {
    constexpr double rest_degrees = 0.1;
    std::array<FrozenPart, part_names.size()> parts;
    std::array<bool, part_names.size()> has_positions{};
    for (const MovedJoint& joint : motion.joints) {
        const auto index = static_cast<std::size_t>(joint.part);
        has_positions.at(index) = has_positions.at(index) || !joint.position.empty();
        if (joint.rotation.empty() || joint.priority < 1) {
            continue;
        }
        FrozenPart& part = parts.at(index);
        part.part = joint.part;
        ++part.keyed;
        part.priority = std::max(part.priority, joint.priority);
        if (joint.from_rest.degrees <= rest_degrees) {
            part.still.push_back(joint.name);
        }
    }
    std::vector<FrozenPart> frozen;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        FrozenPart& part = parts.at(i);
        const bool is_part = part.part != Part::none && part.part != Part::eye;
        if (is_part && !has_positions.at(i) && part.keyed > 0 && 10 * part.still.size() >= 9 * part.keyed) {
            frozen.push_back(std::move(part));
        }
    }
    return motion.is_pose_stand || motion.is_reset ? std::vector<FrozenPart>() : frozen;
}

}  // namespace animbridge::sl_anim::check
