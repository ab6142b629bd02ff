// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>
#include <utility>
#include <vector>

#include "scene_child/euler.h"
#include "scene_child/write_keys.h"

namespace animbridge::scene_child {

namespace {

// Errors of the joints above add up, and a metre away 0.01 degrees are 0.2 mm.
constexpr double bound_degrees = 0.002;
// 2 sin(angle / 4), which is angle / 2 for an angle this small.
constexpr double bound_chord = 0.5 * bound_degrees * std::numbers::pi / 180.0;
constexpr std::array<double, 3> looked_at = {0.25, 0.5, 0.75};
constexpr int deepest_halving = 14;

struct RefinedPose {
    double time = 0;
    glm::dquat rotation{1, 0, 0, 0};
    glm::dvec3 angles{0, 0, 0};
};

/// For unit quaternions of either sign: 2 sin(angle / 4), which has no loss for small angles.
double rotation_chord(const glm::dquat& a, const glm::dquat& b) {
    const glm::dquat other = glm::dot(a, b) < 0.0 ? -b : b;
    const glm::dquat difference = a - other;
    return std::sqrt(glm::dot(difference, difference));
}

bool is_off(Blend blend, const RefinedPose& from, const RefinedPose& to) {
    const auto is_off_at = [&](double share) {
        const glm::dquat meant = between(from.rotation, to.rotation, share);
        const glm::dquat mixed = glm::normalize(from.rotation * (1.0 - share) + to.rotation * share);
        return rotation_chord(meant, mixed) > bound_chord ||
               (blend == Blend::euler && rotation_chord(meant, rotation_of(from.angles * (1.0 - share) +
                                                                           to.angles * share)) > bound_chord);
    };
    return std::any_of(looked_at.begin(), looked_at.end(), is_off_at);
}

class Refining {
public:
    Refining(Blend blend, std::size_t keys) : blend_(blend) { poses_.reserve(keys); }

    void begin(double time, const glm::dquat& rotation) {
        poses_.push_back({time, rotation, angles_of(rotation, glm::dvec3(0))});
    }

    /// Appends the path to a key, and the key.
    void go_to(double time, const glm::dquat& rotation, int halvings = 0) {
        const RefinedPose from = poses_.back();
        const double middle = 0.5 * (from.time + time);
        const bool fits = static_cast<float>(from.time) < static_cast<float>(middle) &&
                          static_cast<float>(middle) < static_cast<float>(time);
        const RefinedPose to{time, rotation, angles_of(rotation, from.angles)};
        if (halvings < deepest_halving && fits && is_off(blend_, from, to)) {
            go_to(middle, between(from.rotation, rotation, 0.5), halvings + 1);
            go_to(time, rotation, halvings + 1);
            return;
        }
        poses_.push_back(to);
    }

    [[nodiscard]] Keys take() const {
        Keys keys;
        keys.times_seconds.reserve(poses_.size());
        keys.values.reserve(4 * poses_.size());
        for (const RefinedPose& pose : poses_) {
            const glm::dquat& q = pose.rotation;
            keys.times_seconds.push_back(pose.time);
            keys.values.insert(keys.values.end(), {q.w, q.x, q.y, q.z});
        }
        return keys;
    }

private:
    Blend blend_;
    std::vector<RefinedPose> poses_{};
};

}  // namespace

void add_rotations_for(Blend blend, Keys& rotations) {
    if (blend == Blend::slerp || rotations.times_seconds.size() < 2) {
        return;
    }
    Refining refining(blend, rotations.times_seconds.size());
    refining.begin(rotations.times_seconds.front(), rotation_at(rotations, 0));
    for (std::size_t i = 1; i < rotations.times_seconds.size(); ++i) {
        refining.go_to(rotations.times_seconds[i], rotation_at(rotations, i));
    }
    rotations = refining.take();
}

}  // namespace animbridge::scene_child
