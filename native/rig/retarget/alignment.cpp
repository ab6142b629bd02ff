// SPDX-License-Identifier: MIT
#include "rig/retarget/parts.h"

#include <algorithm>
#include <glm/geometric.hpp>
#include <utility>

#include "base/options/options.h"

namespace animbridge::rig::retarget {

namespace {

/// From this bend on, the plane in which a limb bends is known.
constexpr double least_bend_degrees = 10.0;
/// Above, an animator should check the result.
/// An A-pose and a T-pose differ by 45 degrees at the arms.
constexpr double large_alignment_degrees = 50.0;

/// Hips and shoulders of rigs that stand straight are level.
constexpr double least_twist_degrees = 10.0;

/// The joints of spines, necks and collarbones are where the rig's author puts them: on the eleven upright
/// rigs of docs/retargeting-method.md, the line along the torso leans by -6 to 4 degrees, the one along the
/// neck by 0 to 28. So a difference up to `least_degrees` is not one of the poses; a difference from
/// `most_degrees` on is.
struct Habit {
    std::string_view row;
    double least_degrees;
    double most_degrees;
};
constexpr std::array habits = {Habit{"spine", 10.0, 20.0}, Habit{"neck", 30.0, 45.0}};

const Habit* habit_of(const Part& part) {
    const auto* const found =
        std::ranges::find_if(habits, [&](const Habit& habit) { return habit.row == part.row; });
    return found == habits.end() ? nullptr : found;
}

/// The share of such a difference that the alignment corrects, 0 to 1.
double share_beyond(const Habit& habit, double degrees) {
    return std::clamp((degrees - habit.least_degrees) / (habit.most_degrees - habit.least_degrees), 0.0, 1.0);
}

bool is_collarbone(const Part& part) { return part.name == "leftShoulder" || part.name == "rightShoulder"; }

/// Turns the joints of the target, parents first.
class TargetAligner {
public:
    TargetAligner(const Parts& parts, const Skeleton& skeleton, const Posture& source,
                  const std::vector<glm::dquat>& turns, Posture target)
        : parts_(parts), skeleton_(skeleton), source_(source), turns_(turns), target_(std::move(target)) {}

    void run(Alignment& result) {
        result.parts.resize(parts_.parts.size());
        std::vector<std::pair<std::size_t, std::size_t>> order;  // node, part
        for (std::size_t part = 0; part < parts_.parts.size(); ++part) {
            order.emplace_back(parts_.parts[part].target.front(), part);
        }
        std::ranges::sort(order);
        std::size_t next = 0;
        for (std::size_t node = 0; node < skeleton_.nodes.size(); ++node) {
            place(node);
            for (; next < order.size() && order[next].first == node; ++next) {
                result.parts[order[next].second] = align(order[next].second, node);
            }
        }
        result.target = std::move(target_);
    }

private:
    void place(std::size_t node) {
        const auto parent = skeleton_.nodes[node].parent;
        const Transform local{target_.local[node], skeleton_.nodes[node].rest_local.translation};
        target_.world[node] = parent ? target_.world[*parent] * local : local;
        target_.world[node].rotation = glm::normalize(target_.world[node].rotation);
    }

    PartAlignment align(std::size_t part, std::size_t node) {
        if (parts_.parts[part].is_held) {
            return {};
        }
        if (is_collarbone(parts_.parts[part])) {
            return {.is_left_out = true};
        }
        if (const Habit* const habit = habit_of(parts_.parts[part])) {
            return align_row(*habit, part, node);
        }
        const auto wanted = source_direction(part, aimed_source_joint(parts_, part));
        const auto points = target_direction(node, aimed_target_joint(parts_, part));
        if (!wanted || !points) {
            return {};
        }
        glm::dquat turn = swing_between(*points, *wanted);
        if (const auto roll = second_axis(part, node, turn, *wanted)) {
            turn = *roll * turn;
        }
        turn_joint(node, turn);
        return {angle_between_degrees(turn, glm::dquat(1, 0, 0, 0))};
    }

    /// A row is one line from its first joint to the part after it, and turns as a whole, at its first joint.
    PartAlignment align_row(const Habit& habit, std::size_t part, std::size_t node) {
        PartAlignment result{.is_left_out = true};
        const auto carrying = parts_.parts[part].parent;
        if (carrying && parts_.parts[*carrying].row == parts_.parts[part].row) {
            return result;
        }
        std::size_t last = part;
        for (auto next = parts_.parts[last].toward; next && parts_.parts[*next].row == habit.row;
             next = parts_.parts[last].toward) {
            last = *next;
        }
        const auto wanted = source_direction(part, aimed_source_joint(parts_, last));
        const auto points = target_direction(node, aimed_target_joint(parts_, last));
        if (!wanted || !points) {
            return result;
        }
        const double share = share_beyond(habit, angle_of_directions_degrees(*points, *wanted));
        if (share > 0.0) {
            const glm::dquat turn = share_of(swing_between(*points, *wanted), share);
            turn_joint(node, turn);
            result.degrees = angle_between_degrees(turn, glm::dquat(1, 0, 0, 0));
        }
        return result;
    }

    void turn_joint(std::size_t node, const glm::dquat& turn) {
        // Without a turn, every bit stays.
        if (turn == glm::dquat(1, 0, 0, 0)) {
            return;
        }
        const auto parent = skeleton_.nodes[node].parent;
        const glm::dquat carrying = parent ? target_.world[*parent].rotation : glm::dquat(1, 0, 0, 0);
        target_.world[node].rotation = glm::normalize(turn * target_.world[node].rotation);
        target_.local[node] = glm::normalize(glm::conjugate(carrying) * target_.world[node].rotation);
    }

    /// The direction of the source's part, towards `next`, in the target's directions.
    [[nodiscard]] std::optional<glm::dvec3> source_direction(std::size_t part,
                                                             std::optional<std::size_t> next) const {
        if (!next) {
            return std::nullopt;
        }
        const auto points =
            direction_of(source_.head(*next) - source_.head(parts_.parts[part].source.front()));
        return points ? std::optional(turns_[part] * *points) : std::nullopt;
    }

    [[nodiscard]] std::optional<glm::dvec3> target_direction(std::size_t node,
                                                             std::optional<std::size_t> next) const {
        const auto offset = next ? offset_below(node, *next) : std::nullopt;
        return offset ? direction_of(*offset) : std::nullopt;
    }

    /// The offset from the head of `node`, which is placed, to that of `below`, which is not yet; nullopt if
    /// it is not below.
    [[nodiscard]] std::optional<glm::dvec3> offset_below(std::size_t node, std::size_t below) const {
        glm::dvec3 offset(0);
        for (std::size_t at = below; at != node;) {
            const auto parent = skeleton_.nodes[at].parent;
            if (!parent) {
                return std::nullopt;
            }
            // `offset` is in the frame of `at` without its own rotation.
            offset = skeleton_.nodes[at].rest_local.translation +
                     (at == below ? glm::dvec3(0) : target_.local[at] * offset);
            at = *parent;
        }
        return target_.world[node].rotation * offset;
    }

    /// The roll about `wanted` that the part still needs after `turn`.
    [[nodiscard]] std::optional<glm::dquat> second_axis(std::size_t part, std::size_t node,
                                                        const glm::dquat& turn,
                                                        const glm::dvec3& wanted) const {
        const std::string& name = parts_.parts[part].name;
        if (name == "leftHand" || name == "rightHand") {
            return knuckle_roll(part, node, turn, wanted);
        }
        if (name == "leftFoot" || name == "rightFoot") {
            const std::string side(name.substr(0, name.size() - 4));
            return line_roll(part, node, turn, wanted, side + "Heel", side + "Toes");
        }
        if (name.ends_with("UpperArm") || name.ends_with("UpperLeg")) {
            return bend_roll(part, node, turn, wanted);
        }
        return std::nullopt;
    }

    [[nodiscard]] std::optional<glm::dquat> knuckle_roll(std::size_t part, std::size_t node,
                                                         const glm::dquat& turn,
                                                         const glm::dvec3& wanted) const {
        const std::string& name = parts_.parts[part].name;
        const std::string side = name.substr(0, name.size() - 4);
        const auto bone = [&](std::string_view finger, std::string_view phalanx) {
            return std::string(side).append(finger).append(phalanx);
        };
        for (const auto& [first, second] : {std::pair("Index", "Little"), std::pair("Index", "Ring"),
                                            std::pair("Middle", "Little"), std::pair("Index", "Middle")}) {
            for (const std::string_view phalanx : {"Proximal", "Metacarpal"}) {
                if (auto roll =
                        line_roll(part, node, turn, wanted, bone(first, phalanx), bone(second, phalanx))) {
                    return roll;
                }
            }
        }
        return std::nullopt;
    }

    /// The slot's part; for a finger in one part, by the slot's row: "leftIndex" for "leftIndexProximal".
    [[nodiscard]] const Part* part_at(const std::string& slot) const {
        if (const Part* part = parts_.find(slot)) {
            return part;
        }
        const std::string_view proximal = "Proximal";
        return slot.ends_with(proximal) ? parts_.find(slot.substr(0, slot.size() - proximal.size()))
                                        : nullptr;
    }

    /// Uses the line between the heads of two other parts.
    [[nodiscard]] std::optional<glm::dquat> line_roll(std::size_t part, std::size_t node,
                                                      const glm::dquat& turn, const glm::dvec3& wanted,
                                                      const std::string& from, const std::string& to) const {
        const Part* a = part_at(from);
        const Part* b = part_at(to);
        if (a == nullptr || b == nullptr) {
            return std::nullopt;
        }
        const auto a_offset = offset_below(node, a->target.front());
        const auto b_offset = offset_below(node, b->target.front());
        if (!a_offset || !b_offset) {
            return std::nullopt;
        }
        return roll_between(
            turn * (*b_offset - *a_offset),
            turns_[part] * (source_.head(b->source.front()) - source_.head(a->source.front())), wanted);
    }

    /// Uses the axis about which the limb bends, if both sides' references bend enough to show it.
    [[nodiscard]] std::optional<glm::dquat> bend_roll(std::size_t part, std::size_t node,
                                                      const glm::dquat& turn,
                                                      const glm::dvec3& wanted) const {
        const auto lower = parts_.parts[part].toward;
        const auto source_end = lower ? aimed_source_joint(parts_, *lower) : std::nullopt;
        const auto target_end = lower ? aimed_target_joint(parts_, *lower) : std::nullopt;
        if (!source_end || !target_end) {
            return std::nullopt;
        }
        const std::size_t source_middle = parts_.parts[*lower].source.front();
        const auto source_lower = direction_of(source_.head(*source_end) - source_.head(source_middle));
        const auto to_middle = offset_below(node, parts_.parts[*lower].target.front());
        const auto to_end = offset_below(node, *target_end);
        if (!source_lower || !to_middle || !to_end) {
            return std::nullopt;
        }
        const auto target_lower = direction_of(turn * (*to_end - *to_middle));
        const glm::dvec3 source_points = turns_[part] * *source_lower;
        if (!target_lower || !(angle_of_directions_degrees(source_points, wanted) > least_bend_degrees) ||
            !(angle_of_directions_degrees(*target_lower, wanted) > least_bend_degrees)) {
            return std::nullopt;
        }
        return roll_between(glm::cross(wanted, *target_lower), glm::cross(wanted, source_points), wanted);
    }

    const Parts& parts_;
    const Skeleton& skeleton_;
    const Posture& source_;
    const std::vector<glm::dquat>& turns_;
    Posture target_;
};

/// The head of the part below, or of the last of the part's own joints if there is none below.
std::optional<std::size_t> aimed_joint(const Parts& parts, std::size_t index,
                                       std::vector<std::size_t> Part::*side) {
    const Part& part = parts.parts[index];
    if (part.toward) {
        return (parts.parts[*part.toward].*side).front();
    }
    return (part.*side).size() > 1 ? std::optional((part.*side).back()) : std::nullopt;
}

/// Whether a wrong reference of the part twists or bends the whole body. Fingers, feet and similar parts
/// differ between any two rigs, and the report has their angles.
bool shapes_the_body(std::string_view part) {
    const bool is_middle =
        part.starts_with("hips") || part.starts_with("spine") || part == "chest" || part == "upperChest";
    return is_middle || part.ends_with("UpperArm") || part.ends_with("UpperLeg");
}

void warn_of_large_turns(const Parts& parts, Alignment& alignment) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < parts.parts.size(); ++i) {
        if (alignment.parts[i].degrees > large_alignment_degrees && shapes_the_body(parts.parts[i].name)) {
            names.push_back(parts.parts[i].name);
        }
    }
    if (!names.empty()) {
        alignment.warnings.push_back(
            "The reference poses differ by more than 50 degrees at " + some_of(names) +
            ". Look at the result there, or choose reference poses that look alike.");
    }
}

/// Hips and chests may be twisted although every limb points correctly: no direction shows it.
void warn_of_twists(const humanoid::FoundRig& source_rig, const Posture& source,
                    const humanoid::FoundRig& target_rig, const std::optional<glm::dquat>& turn,
                    Alignment& alignment) {
    for (const auto& [part, line] : {std::pair("hips", &hip_line), std::pair("chest", &shoulder_line)}) {
        const auto from = line(source_rig, source);
        const auto to = line(target_rig, alignment.target);
        if (!turn || !from || !to) {
            continue;
        }
        const double degrees = angle_of_directions_degrees(*turn * *from, *to);
        if (degrees > least_twist_degrees) {
            alignment.warnings.push_back(
                std::string("The reference poses differ by ") + fixed_text(degrees, 0) + " degrees at the " +
                part +
                ", which stays in the result. Choose T-Pose as the reference of a rig that doesn't rest "
                "straight.");
        }
    }
}

}  // namespace

std::optional<std::size_t> aimed_source_joint(const Parts& parts, std::size_t part) {
    // A chain that the target has as one part ends where the source's last joint points, if anywhere.
    return aimed_joint(parts, part, &Part::source);
}

std::optional<std::size_t> aimed_target_joint(const Parts& parts, std::size_t part) {
    return aimed_joint(parts, part, &Part::target);
}

Result<Alignment> align_rigs(const Parts& parts, const humanoid::FoundRig& source_rig, const Posture& source,
                             const humanoid::FoundRig& target_rig, const Skeleton& target_skeleton,
                             const Posture& target, const RetargetOptions& options) {
    Alignment result;
    TRY(result.turns,
        turns_of_parts(parts, source_rig, source, target_rig, target, options, result.warnings));
    if (options.align) {
        TargetAligner(parts, target_skeleton, source, result.turns, target).run(result);
        warn_of_large_turns(parts, result);
    } else {
        result.parts.resize(parts.parts.size());
        result.target = target;
    }
    warn_of_twists(source_rig, source, target_rig,
                   parts.body ? std::optional(result.turns[*parts.body]) : std::nullopt, result);
    return result;
}

}  // namespace animbridge::rig::retarget
