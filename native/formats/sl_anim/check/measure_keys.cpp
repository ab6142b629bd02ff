// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <glm/gtc/quaternion.hpp>
#include <limits>

#include "formats/sl_anim/avatar/avatar.h"
#include "formats/sl_anim/check/measures.h"
#include "model/clip/clip.h"

namespace animbridge::sl_anim::check {

namespace {

/// A key that bends the way of its joint.
struct BendingKey {
    float seconds = 0;
    glm::dquat rotation{1, 0, 0, 0};
};

glm::dquat raw(const codes::Quaternion& q) { return {double{q.w}, double{q.x}, double{q.y}, double{q.z}}; }

/// The keys that matter: without those that the straight way between the kept ones gives.
std::vector<BendingKey> bending_keys(const codes::RotationKeys& keys) {
    constexpr double straight_degrees = 0.1;
    std::vector<BendingKey> kept;
    std::size_t last = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const bool is_inner = i > 0 && i + 1 < keys.size();
        if (is_inner) {
            const float u = (keys.times[i] - keys.times[last]) / (keys.times[i + 1] - keys.times[last]);
            const codes::Quaternion straight = codes::interpolate(u, keys.values[last], keys.values[i + 1]);
            if (angle_between_degrees(raw(straight), raw(keys.values[i])) <= straight_degrees) {
                continue;
            }
        }
        last = i;
        kept.push_back({keys.times[i], raw(keys.values[i])});
    }
    return kept;
}

/// The largest of the speeds in the five segments before key `a` and after key `c`, in degrees per second.
double speed_around(const std::vector<double>& speeds, std::size_t a, std::size_t c) {
    constexpr std::size_t segments = 5;
    double largest = 0;
    for (std::size_t i = a > segments ? a - segments : 0; i < a; ++i) {
        largest = std::max(largest, speeds[i]);
    }
    for (std::size_t i = c; i < std::min(c + segments, speeds.size()); ++i) {
        largest = std::max(largest, speeds[i]);
    }
    return largest;
}

void add_spikes(const MovedJoint& joint, std::vector<Spike>& all) {
    constexpr double longest_seconds = 0.2;
    const std::vector<BendingKey> keys = bending_keys(joint.rotation);
    std::vector<double> degrees;
    std::vector<double> speeds;
    for (std::size_t i = 1; i < keys.size(); ++i) {
        degrees.push_back(angle_between_degrees(keys[i - 1].rotation, keys[i].rotation));
        speeds.push_back(degrees.back() / (double{keys[i].seconds} - double{keys[i - 1].seconds}));
    }
    for (std::size_t b = 1; b + 1 < keys.size(); ++b) {
        const double seconds = double{keys[b + 1].seconds} - double{keys[b - 1].seconds};
        Spike spike{joint.name, degrees[b - 1], degrees[b]};
        spike.seconds = double{keys[b].seconds};
        spike.before_seconds = double{keys[b - 1].seconds};
        spike.after_seconds = double{keys[b + 1].seconds};
        spike.apart_degrees = angle_between_degrees(keys[b - 1].rotation, keys[b + 1].rotation);
        if (seconds <= longest_seconds && spike.apart_degrees <= spike.degrees() / 2.0) {
            const double around = speed_around(speeds, b - 1, b + 1);
            const double speed = spike.degrees() / (seconds / 2.0);
            spike.rate_ratio = around > 0.0 ? speed / around : std::numeric_limits<double>::infinity();
            all.push_back(spike);
        }
    }
}

constexpr std::array<std::string_view, 18> limbs_and_spine = {
    "mTorso",         "mChest",      "mNeck",       "mHead",     "mCollarLeft", "mShoulderLeft",
    "mElbowLeft",     "mWristLeft",  "mHipLeft",    "mKneeLeft", "mAnkleLeft",  "mCollarRight",
    "mShoulderRight", "mElbowRight", "mWristRight", "mHipRight", "mKneeRight",  "mAnkleRight"};

/// The bytes of keys that repeat the value before and after them, or the only value of their track.
template <typename Keys>
std::size_t repeated_keys(const Keys& keys) {
    const auto same = [&](std::size_t a, std::size_t b) {
        if constexpr (std::is_same_v<Keys, codes::RotationKeys>) {
            const codes::Quaternion& p = keys.values[a];
            const codes::Quaternion& q = keys.values[b];
            return p.x == q.x && p.y == q.y && p.z == q.z;
        } else {
            return keys.values[a] == keys.values[b];
        }
    };
    std::size_t inner = 0;
    bool is_constant = true;
    for (std::size_t i = 1; i < keys.size(); ++i) {
        is_constant = is_constant && same(i - 1, i);
        inner += i + 1 < keys.size() && same(i - 1, i) && same(i, i + 1) ? 1U : 0U;
    }
    return is_constant && !keys.empty() ? keys.size() - 1 : inner;
}

}  // namespace

std::vector<Spike> spikes(const Motion& motion) {
    std::vector<Spike> all;
    for (const MovedJoint& joint : motion.joints) {
        add_spikes(joint, all);
    }
    return all;
}

FirstFrame first_frame(const Motion& motion) {
    constexpr double jump_degrees = 15.0;
    constexpr double rest_degrees = 1.0;
    if (motion.times.size() < 2) {
        return {};
    }
    const float start = motion.times[0];
    const float second = motion.times[1];
    FirstFrame first{.start_seconds = double{start}, .gap_seconds = double{second} - double{start}};
    std::size_t keyed = 0;
    std::size_t resting = 0;
    std::size_t leaving = 0;
    for (const std::string_view name : limbs_and_spine) {
        const MovedJoint* joint = motion.find(name);
        if (joint == nullptr || joint->rotation.empty()) {
            continue;
        }
        const glm::dquat here = joint->rotation_at(start);
        const glm::dquat there = joint->rotation_at(second);
        const double degrees = angle_between_degrees(here, there);
        const double next = angle_between_degrees(there, joint->rotation_at(second + (second - start)));
        if (degrees > first.largest.size) {
            first.largest = {joint->name, degrees, double{start}};
        }
        first.jumping += degrees > jump_degrees ? 1U : 0U;
        first.next_degrees = std::max(first.next_degrees, next);
        ++keyed;
        if (angle_between_degrees(here, joint->rest_rotation) <= rest_degrees) {
            ++resting;
            leaving += angle_between_degrees(there, joint->rest_rotation) > rest_degrees ? 1U : 0U;
        }
    }
    first.is_rest_pose = keyed > 0 && 10 * resting >= 9 * keyed && 2 * leaving > resting;
    return first;
}

std::vector<Turn> turns(const Motion& motion, double degrees) {
    std::vector<Turn> all;
    for (const MovedJoint& joint : motion.joints) {
        const codes::RotationKeys& keys = joint.rotation;
        for (std::size_t i = 1; i < keys.size(); ++i) {
            const double turned = angle_between_degrees(raw(keys.values[i - 1]), raw(keys.values[i]));
            if (turned >= degrees) {
                all.push_back({joint.name, turned, double{keys.times[i]} - double{keys.times[i - 1]},
                               double{keys.times[i - 1]}});
            }
        }
    }
    return all;
}

std::size_t redundant_bytes(const Motion& motion) {
    std::size_t keys = 0;
    for (const MovedJoint& joint : motion.joints) {
        keys += repeated_keys(joint.rotation) + repeated_keys(joint.position);
    }
    return keys * sizeof(file::CodedKey);
}

}  // namespace animbridge::sl_anim::check
