// SPDX-License-Identifier: MIT
#include "formats/mrtk/edit/edit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <limits>
#include <optional>

#include "formats/mrtk/play/play.h"

namespace animbridge::mrtk::edit {

namespace {

curves::RotationViews views_of(const curves::LooseCurves& curves, std::size_t pose) {
    const std::size_t first = file::first_rotation_of(pose);
    return {curves[first].view(), curves[first + 1].view(), curves[first + 2].view(),
            curves[first + 3].view()};
}

/// Changes only the sign bit, so that the other bits stay.
RawFloat negated(RawFloat number) {
    constexpr std::uint32_t sign_bit = 0x80000000U;
    number.bits ^= sign_bit;
    return number;
}

void negate(file::FullKey& key) {
    key.value = negated(key.value);
    // A tangent of 0 stays as MRTK writes it.
    key.in_tangent = key.in_tangent.value() == 0.0F ? key.in_tangent : negated(key.in_tangent);
    key.out_tangent = key.out_tangent.value() == 0.0F ? key.out_tangent : negated(key.out_tangent);
}

}  // namespace

ContinuedSigns continue_signs(curves::LooseCurves& curves) {
    ContinuedSigns done;
    for (std::size_t pose = 0; pose < file::pose_count; ++pose) {
        const curves::RotationViews rotation = views_of(curves, pose);
        if (!curves::share_times(rotation)) {
            ++done.skipped;
            continue;
        }
        const std::vector<bool> turns = play::sign_turns(rotation);
        for (std::size_t key = 0; key < turns.size(); ++key) {
            for (std::size_t i = 0; turns[key] && i < rotation.size(); ++i) {
                negate(curves[file::first_rotation_of(pose) + i].keys[key]);
            }
            done.keys += turns[key] ? 1 : 0;
        }
        done.rotations += turns.empty() ? 0 : 1;
    }
    return done;
}

std::size_t repair_zero_rotations(curves::LooseCurves& curves) {
    std::size_t repaired = 0;
    for (std::size_t pose = 0; pose < file::pose_count; ++pose) {
        const curves::RotationViews rotation = views_of(curves, pose);
        if (!curves::share_times(rotation)) {
            continue;
        }
        curves::LooseCurve& w = curves[file::first_rotation_of(pose) + 3];
        for (std::size_t key = 0; key < w.keys.size(); ++key) {
            if (rotation[0].value(key) == 0.0 && rotation[1].value(key) == 0.0 &&
                rotation[2].value(key) == 0.0 && rotation[3].value(key) == 0.0) {
                w.keys[key].value = RawFloat(1.0F);
                ++repaired;
            }
        }
    }
    return repaired;
}

namespace {

/// The weight of a rotation that does not point at the next joint, relative to one that jumps. Bones point at
/// the next joint within 0.1 degrees, the wrist within a few, while hands turn by tens of degrees between
/// keys.
constexpr double pointing_weight = 4.0;
/// Positions nearer than this give no direction.
constexpr double smallest_bone = 1e-6;
/// A joint has the rotation of its twin if X, Y and Z are within this; allows for lengths and reduced keys.
constexpr double same_rotation = 0.02;

using Sign = std::uint8_t;  // 0: plus, 1: minus
constexpr std::size_t signs = 2;

/// The joint that +Z points at: the next one of the finger, and the middle finger's knuckle for the wrist.
std::optional<std::size_t> pointed_at(std::size_t joint) {
    if (joint == file::Joint::wrist) {
        return file::Joint::middle_knuckle;
    }
    const bool is_tip = joint == 6 || (joint > 6 && (joint - 6) % 5 == 0);
    return joint < file::Joint::thumb_metacarpal || is_tip ? std::nullopt : std::optional(joint + 1);
}

/// The joint that has the same rotation, unless the file contradicts it.
std::optional<std::size_t> twin_of(std::size_t joint) {
    if (joint == file::Joint::palm) {
        return file::Joint::wrist;
    }
    const bool is_tip = joint == 6 || (joint > 6 && (joint - 6) % 5 == 0);
    return is_tip ? std::optional(joint - 1) : std::nullopt;
}

glm::dvec3 position_at(const curves::LooseCurves& curves, std::size_t pose, double seconds) {
    const std::size_t first = file::first_curve_of(pose);
    return {curves[first].view().evaluate(seconds), curves[first + 1].view().evaluate(seconds),
            curves[first + 2].view().evaluate(seconds)};
}

/// +Z, turned by a rotation of about unit length.
glm::dvec3 forward_of(const glm::dquat& q) {
    return {2.0 * (q.x * q.z + q.w * q.y), 2.0 * (q.y * q.z - q.w * q.x),
            1.0 - 2.0 * (q.x * q.x + q.y * q.y)};
}

/// A rotation whose W is lost, with both candidates for each key.
struct Candidates {
    std::vector<double> times{};
    std::vector<std::array<glm::dquat, signs>> rotations{};
};

Candidates candidates_of(const curves::LooseCurves& curves, std::size_t pose) {
    const std::size_t first = file::first_rotation_of(pose);
    const curves::CurveView x = curves[first].view();
    const curves::CurveView y = curves[first + 1].view();
    const curves::CurveView z = curves[first + 2].view();
    Candidates made;
    for (std::size_t key = 0; key < x.size(); ++key) {
        const glm::dvec3 v(x.value(key), y.value(key), z.value(key));
        const double w = std::sqrt(std::max(0.0, 1.0 - glm::dot(v, v)));
        made.times.push_back(x.time(key));
        made.rotations.push_back({glm::dquat(w, v.x, v.y, v.z), glm::dquat(-w, v.x, v.y, v.z)});
    }
    return made;
}

/// Per key: the direction to the joint that +Z points at; nullopt if there is no such joint or it is too
/// near.
std::vector<std::optional<glm::dvec3>> directions(const curves::LooseCurves& curves, std::size_t pose,
                                                  const std::vector<double>& times) {
    std::vector<std::optional<glm::dvec3>> made(times.size());
    const auto target = pose == 0 ? std::nullopt : pointed_at(file::joint_of(pose));
    const std::size_t target_pose = target ? file::pose_of(file::hand_of(pose), *target) : 0;
    if (!target || curves[file::first_curve_of(target_pose)].keys.empty()) {
        return made;
    }
    for (std::size_t key = 0; key < times.size(); ++key) {
        const glm::dvec3 bone =
            position_at(curves, target_pose, times[key]) - position_at(curves, pose, times[key]);
        const double length = glm::length(bone);
        if (length > smallest_bone) {
            made[key] = bone / length;
        }
    }
    return made;
}

/// The rotations of this joint's twin, at its own key times; nullopt where X, Y and Z differ.
std::vector<std::optional<glm::dquat>> twin_rotations(const curves::LooseCurves& curves, std::size_t pose,
                                                      const Candidates& candidates) {
    std::vector<std::optional<glm::dquat>> made(candidates.times.size());
    const auto twin = pose == 0 ? std::nullopt : twin_of(file::joint_of(pose));
    if (!twin) {
        return made;
    }
    const std::size_t first = file::first_rotation_of(file::pose_of(file::hand_of(pose), *twin));
    if (!curves::share_times({curves[first].view(), curves[first + 1].view(), curves[first + 2].view(),
                              curves[first + 3].view()})) {
        return made;
    }
    curves::LooseCurves source(file::curve_count);
    std::copy_n(curves.begin() + static_cast<std::ptrdiff_t>(first), 4,
                source.begin() + static_cast<std::ptrdiff_t>(first));
    continue_signs(source);
    for (std::size_t key = 0; key < made.size(); ++key) {
        const auto value = [&](std::size_t i) {
            return source[first + i].view().evaluate(candidates.times[key]);
        };
        const glm::dquat shown(value(3), value(0), value(1), value(2));
        const double length = std::sqrt(glm::dot(shown, shown));
        const glm::dquat q = length > 0.0 ? shown / length : shown;
        const glm::dquat& own = candidates.rotations[key][0];
        const glm::dvec3 apart(own.x - q.x, own.y - q.y, own.z - q.z);
        const glm::dvec3 opposed(own.x + q.x, own.y + q.y, own.z + q.z);
        if (length > 0.0 && std::min(glm::length(apart), glm::length(opposed)) <= same_rotation) {
            made[key] = q;
        }
    }
    return made;
}

/// The signs with the least total of wrong directions to the next joint and jumps between keys, by dynamic
/// programming over the two candidates of each key. The first key's W is intact.
std::vector<Sign> chosen_signs(const Candidates& candidates,
                               const std::vector<std::optional<glm::dvec3>>& towards,
                               const std::vector<std::optional<glm::dquat>>& twins, Sign first) {
    const std::size_t count = candidates.times.size();
    std::vector<std::array<Sign, signs>> came_from(count);
    std::array<double, signs> cost{};
    cost.at(1U - first) = std::numeric_limits<double>::infinity();
    for (std::size_t key = 1; key < count; ++key) {
        std::array<double, signs> next{};
        for (Sign sign = 0; sign < signs; ++sign) {
            const glm::dquat& q = candidates.rotations[key].at(sign);
            const auto reach = [&](Sign before) {
                return cost.at(before) + 1.0 -
                       std::abs(glm::dot(candidates.rotations[key - 1].at(before), q));
            };
            const Sign better = reach(1) < reach(0) ? 1 : 0;
            came_from[key].at(sign) = better;
            next.at(sign) = reach(better);
            if (towards[key]) {
                next.at(sign) += pointing_weight * (1.0 - glm::dot(forward_of(q), *towards[key]));
            }
            if (twins[key]) {
                next.at(sign) += pointing_weight * (1.0 - std::abs(glm::dot(q, *twins[key])));
            }
        }
        cost = next;
    }
    std::vector<Sign> chosen(count, first);
    Sign sign = cost[1] < cost[0] ? 1 : 0;
    for (std::size_t key = count; key-- > 1;) {
        chosen[key] = sign;
        sign = came_from[key].at(sign);
    }
    return chosen;
}

void set_w(curves::LooseCurve& w, const Candidates& candidates, const std::vector<Sign>& chosen) {
    const file::FullKey first = w.keys.front();
    w.keys.resize(1);
    for (std::size_t key = 1; key < candidates.times.size(); ++key) {
        const glm::dquat& q = candidates.rotations[key].at(chosen[key]);
        w.keys.push_back(curves::full_key_of(
            {RawFloat(static_cast<float>(candidates.times[key])), RawFloat(static_cast<float>(q.w))}));
    }
    w.keys.front() = first;
}

void restore_pose(curves::LooseCurves& curves, std::size_t pose, RestoredW& restored) {
    const Candidates candidates = candidates_of(curves, pose);
    curves::LooseCurve& w = curves[file::first_rotation_of(pose) + 3];
    const auto towards = directions(curves, pose, candidates.times);
    const auto twins = twin_rotations(curves, pose, candidates);
    const auto is_known = [](const auto& reference) { return reference.has_value(); };
    const bool points = std::ranges::any_of(towards, is_known);
    const bool has_twin = std::ranges::any_of(twins, is_known);
    const Sign first = w.keys.front().value.value() < 0.0F ? 1 : 0;
    set_w(w, candidates, chosen_signs(candidates, towards, twins, first));
    ++(points ? restored.by_child : has_twin ? restored.by_twin : restored.by_continuity);
    restored.keys += candidates.times.size() - 1;
    ++restored.rotations;
}

}  // namespace

RestoredW restore_w(const file::Document& document, curves::LooseCurves& curves) {
    RestoredW restored;
    std::vector<std::size_t> with_twins;
    for (std::size_t pose = 0; pose < file::pose_count; ++pose) {
        if (!curves::has_lost_w(document, pose)) {
            continue;
        }
        if (pose > 0 && twin_of(file::joint_of(pose))) {
            with_twins.push_back(pose);
        } else {
            restore_pose(curves, pose, restored);
        }
    }
    for (const std::size_t pose : with_twins) {
        restore_pose(curves, pose, restored);
    }
    return restored;
}

}  // namespace animbridge::mrtk::edit
