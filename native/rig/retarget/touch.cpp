// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <utility>

#include "rig/retarget/touch.h"

namespace animbridge::rig::retarget {

namespace {

/// A hand touches what is nearer than this, in lengths of the source's arm, measured between the middle of
/// the palm and the middle of the part.
constexpr double near_hand = 0.16;
constexpr double near_head = 0.32;
constexpr double near_hips = 0.38;
constexpr double near_thigh = 0.22;
/// How long a hand is on its way to what it touches, and from it.
constexpr double blend_seconds = 0.25;

/// Without fingers, the middle of the palm is this far beyond the wrist, in lengths of the lower arm.
constexpr double palm_share = 0.3;
/// The middle of the head is this far above its joint, in lengths of the arm.
constexpr double head_share = 0.18;
/// An arm is never stretched beyond this share of its length: when nearly straight, the elbow would snap.
constexpr double longest_stretch = 0.97;
constexpr double no_length = 1e-9;

/// The point of the line from `a` to `b` that is nearest to `p`, as a share of the line.
double nearest_share(const glm::dvec3& a, const glm::dvec3& b, const glm::dvec3& p) {
    const glm::dvec3 line = b - a;
    const double square = glm::dot(line, line);
    return square > 0.0 ? std::clamp(glm::dot(p - a, line) / square, 0.0, 1.0) : 0.0;
}

/// A vector of clip space in the joint's own frame.
glm::dvec3 in_frame(const Posture& posture, std::size_t joint, const glm::dvec3& vector) {
    return glm::conjugate(posture.world[joint].rotation) * vector;
}

/// The middle of the palm from the wrist, in the frame of the hand's joint.
glm::dvec3 palm_of(const humanoid::FoundRig& rig, const Posture& posture, const std::string& side,
                   std::size_t elbow, std::size_t wrist) {
    glm::dvec3 knuckles(0);
    double count = 0;
    for (const char* finger : {"IndexProximal", "MiddleProximal", "RingProximal", "LittleProximal"}) {
        if (const auto joint = rig.joint_of(side + finger)) {
            knuckles += posture.head(*joint) - posture.head(wrist);
            count += 1;
        }
    }
    const glm::dvec3 palm =
        count > 0.0 ? knuckles / (2.0 * count) : palm_share * (posture.head(wrist) - posture.head(elbow));
    return in_frame(posture, wrist, palm);
}

glm::dvec3 point_of(const Transform& joint, const glm::dvec3& in_frame) {
    return joint.translation + joint.rotation * in_frame;
}

double length_of_arm(const Posture& posture, std::size_t shoulder, std::size_t elbow, std::size_t wrist) {
    return glm::length(posture.head(elbow) - posture.head(shoulder)) +
           glm::length(posture.head(wrist) - posture.head(elbow));
}

}  // namespace

Touches::Touches(const Parts& parts, const humanoid::FoundRig& source_rig, const Posture& source,
                 const humanoid::FoundRig& target_rig, const Alignment& alignment, double body_scale,
                 const SourceMotion& motion)
    : source_(source), alignment_(alignment), scale_(body_scale) {
    for (const std::string side : {"left", "right"}) {
        const Part* const upper = parts.find(side + "UpperArm");
        const Part* const lower = parts.find(side + "LowerArm");
        const Part* const hand = parts.find(side + "Hand");
        if (upper == nullptr || lower == nullptr || hand == nullptr || upper->is_held || lower->is_held ||
            hand->is_held) {
            continue;
        }
        const auto index_of = [&](const Part* part) {
            return static_cast<std::size_t>(part - parts.parts.data());
        };
        Arm arm{side, index_of(upper), index_of(lower), index_of(hand)};
        arm.source = {upper->source.front(), lower->source.front(), hand->source.back()};
        arm.target = {upper->target.front(), lower->target.front(), hand->target.back()};
        arm.source_palm = palm_of(source_rig, source, side, arm.source[1], arm.source[2]);
        arm.target_palm = palm_of(target_rig, alignment.target, side, arm.target[1], arm.target[2]);
        arm.source_length = length_of_arm(source, arm.source[0], arm.source[1], arm.source[2]);
        arm.target_length = length_of_arm(alignment.target, arm.target[0], arm.target[1], arm.target[2]);
        if (arm.source_length > no_length && arm.target_length > no_length) {
            arms_.push_back(arm);
        }
    }
    for (const auto& [name, near] :
         {std::pair("head", near_head), std::pair("hips", near_hips), std::pair("leftUpperLeg", near_thigh),
          std::pair("rightUpperLeg", near_thigh)}) {
        add_part(parts, name, near);
    }
    find(motion);
}

void Touches::add_part(const Parts& parts, const std::string& name, double near) {
    const Part* const part = parts.find(name);
    if (part == nullptr || part->is_held) {
        return;
    }
    const auto index = static_cast<std::size_t>(part - parts.parts.data());
    Touched made{name, index, part->source.back(), part->target.back(), near};
    const auto source_end = aimed_source_joint(parts, index);
    const auto target_end = aimed_target_joint(parts, index);
    made.scale = scale_;
    if (name.ends_with("UpperLeg")) {
        if (!source_end || !target_end) {
            return;
        }
        made.source = part->source.front();
        made.target = part->target.front();
        const glm::dvec3 line = source_.head(*source_end) - source_.head(made.source);
        made.end = in_frame(source_, made.source, line);
        const double length = glm::length(line);
        made.scale =
            length > no_length
                ? glm::length(alignment_.target.head(*target_end) - alignment_.target.head(made.target)) /
                      length
                : scale_;
    } else if (name == "head" && !arms_.empty()) {
        made.end =
            in_frame(source_, made.source, glm::dvec3(0, 0, 2.0 * head_share * arms_.front().source_length));
    }
    touched_.push_back(made);
}

std::vector<std::size_t> Touches::source_nodes() const {
    std::vector<std::size_t> nodes;
    for (const Arm& arm : arms_) {
        nodes.insert(nodes.end(), arm.source.begin(), arm.source.end());
    }
    for (const Touched& touched : touched_) {
        nodes.push_back(touched.source);
    }
    return nodes;
}

glm::dvec3 Touches::on_target(const Touched& touched, const glm::dvec3& in_source,
                              const Transform& target) const {
    const glm::dvec3 in_reference = source_.world[touched.source].rotation * in_source;
    const glm::dvec3 turned = alignment_.turns[touched.part] * in_reference;
    return target.translation +
           target.rotation *
               (glm::conjugate(alignment_.target.world[touched.target].rotation) * (touched.scale * turned));
}

glm::dvec3 Touches::palm_at(const Arm& arm, const Touched& touched, const JointAt& source) {
    const Transform part = source(touched.source);
    return glm::conjugate(part.rotation) *
           (point_of(source(arm.source[2]), arm.source_palm) - part.translation);
}

std::vector<bool> Touches::touching(const JointAt& source) const {
    std::vector<bool> flags;
    std::vector<glm::dvec3> palms;
    for (const Arm& arm : arms_) {
        palms.push_back(point_of(source(arm.source[2]), arm.source_palm));
    }
    for (const Arm& arm : arms_) {
        for (const Touched& touched : touched_) {
            const glm::dvec3 palm = palm_at(arm, touched, source);
            const double share = nearest_share(glm::dvec3(0), touched.end, palm);
            flags.push_back(glm::length(palm - share * touched.end) < touched.near * arm.source_length);
        }
        flags.push_back(arms_.size() == 2 &&
                        glm::length(palms[1] - palms[0]) < near_hand * arms_[0].source_length);
    }
    return flags;
}

void Touches::find(const SourceMotion& motion) {
    const std::size_t frames = motion.times.size();
    const std::size_t width = arms_.size() * (touched_.size() + 1);
    weights_.assign(frames * width, 0.0);
    std::vector<double> touched_at(width, -std::numeric_limits<double>::infinity());
    const auto ease = [&](std::size_t frame, double sign) {
        for (std::size_t i = 0; i < width; ++i) {
            double& weight = weights_[frame * width + i];
            touched_at[i] = weight == 1.0 ? sign * motion.times[frame] : touched_at[i];
            const double apart_seconds = sign * motion.times[frame] - touched_at[i];
            weight = std::max(weight, smooth_step(1.0 - apart_seconds / blend_seconds));
        }
    };
    for (std::size_t frame = 0; frame < frames; ++frame) {
        const auto flags = touching([&](std::size_t joint) -> Transform { return motion.at(frame, joint); });
        std::ranges::copy(flags, weights_.begin() + static_cast<std::ptrdiff_t>(frame * width));
        ease(frame, 1.0);
    }
    touched_at.assign(width, -std::numeric_limits<double>::infinity());
    for (std::size_t frame = frames; frame-- > 0;) {
        ease(frame, -1.0);
    }
}

std::vector<HandMove> Touches::at(std::size_t frame, const JointAt& source, const JointAt& target) const {
    std::vector<HandMove> moves(arms_.size());
    std::vector<glm::dvec3> palms;
    for (const Arm& arm : arms_) {
        palms.push_back(point_of(target(arm.target[2]), arm.target_palm));
    }
    const auto add = [&](std::size_t hand, double weight, const glm::dvec3& apart, const std::string& what) {
        HandMove& move = moves[hand];
        move.by += weight * apart;
        move.weight += weight;
        if (weight > move.closest) {
            move.closest = weight;
            move.touched = what;
        }
    };
    for (std::size_t hand = 0; hand < arms_.size(); ++hand) {
        for (std::size_t thing = 0; thing < touched_.size(); ++thing) {
            const Touched& touched = touched_[thing];
            const double weight = weight_of(frame, hand, thing);
            if (weight > 0.0) {
                const glm::dvec3 palm = palm_at(arms_[hand], touched, source);
                add(hand, weight, on_target(touched, palm, target(touched.target)) - palms[hand],
                    touched.name);
            }
        }
    }
    if (arms_.size() == 2) {
        // Hands that touch the head, or both hips, are then as far apart as they should be.
        const double left = 1.0 - std::max(moves[0].closest, moves[1].closest);
        const double weight = left * weight_of(frame, 0, touched_.size());
        const glm::dvec3 between = point_of(source(arms_[1].source[2]), arms_[1].source_palm) -
                                   point_of(source(arms_[0].source[2]), arms_[0].source_palm);
        const glm::dvec3 wanted = alignment_.turns[arms_[0].hand_part] * between *
                                  (arms_[0].target_length / arms_[0].source_length);
        const glm::dvec3 apart = wanted - (palms[1] - palms[0]);
        add(0, weight, -0.5 * apart, "rightHand");
        add(1, weight, 0.5 * apart, "leftHand");
    }
    for (HandMove& move : moves) {
        move.by /= std::max(move.weight, 1.0);
        move.weight = std::min(move.weight, 1.0);
    }
    return moves;
}

std::optional<BentBones> Touches::turns(std::size_t hand, const JointAt& target, const glm::dvec3& by) const {
    const Arm& arm = arms_[hand];
    const glm::dvec3 shoulder = target(arm.target[0]).translation;
    const glm::dvec3 elbow = target(arm.target[1]).translation - shoulder;
    const glm::dvec3 wrist = target(arm.target[2]).translation - shoulder;
    const double length = glm::length(elbow) + glm::length(wrist - elbow);
    return bend_limb({elbow, wrist, std::max(longest_stretch * length, glm::length(wrist))}, wrist + by);
}

void TouchMeter::add(const Touches& touches, const std::vector<HandMove>& moves, double seconds) {
    for (std::size_t hand = 0; hand < moves.size(); ++hand) {
        const HandMove& move = moves[hand];
        if (move.closest < 1.0) {
            continue;
        }
        const std::string name = touches.arms()[hand].side + "Hand";
        auto row = std::ranges::find_if(
            rows_, [&](const Row& one) { return one.hand == name && one.touched == move.touched; });
        if (row == rows_.end()) {
            row = rows_.insert(rows_.end(), {name, move.touched});
        }
        row->seconds += seconds;
        row->apart_metres = std::max(row->apart_metres, glm::length(move.by));
    }
}

std::vector<TouchReport> TouchMeter::report(const TouchMeter& before) const {
    std::vector<TouchReport> report;
    for (const Row& row : rows_) {
        const auto own = std::ranges::find_if(
            before.rows_, [&](const Row& one) { return one.hand == row.hand && one.touched == row.touched; });
        report.push_back({row.hand, row.touched, row.seconds,
                          own == before.rows_.end() ? 0.0 : 1000.0 * own->apart_metres,
                          1000.0 * row.apart_metres});
    }
    return report;
}

double seconds_of(const std::vector<double>& times, std::size_t index) {
    return index + 1 < times.size() ? times[index + 1] - times[index] : 0.0;
}

namespace {

void turn_arm(const Touches::Arm& arm, const BentBones& turns, std::size_t frame, TargetMotion& target) {
    for (std::size_t i = 0; i < target.columns.size(); ++i) {
        glm::dquat& rotation = target.rotations[frame * target.columns.size() + i];
        if (target.columns[i].part == arm.upper_part) {
            rotation = glm::normalize(turns.upper * rotation);
        } else if (target.columns[i].part == arm.lower_part) {
            rotation = glm::normalize(turns.lower * rotation);
        }
    }
}

}  // namespace

TouchMeter keep_touches(const Touches& touches, const SourceMotion& source, TargetMotion& target,
                        std::vector<bool>& moved) {
    TouchMeter before;
    std::vector<Transform> world(target.columns.size());
    const JointAt on_target = [&](std::size_t joint) -> Transform {
        const auto column = target.column_of_node(joint);
        return column ? world[*column] : Transform{};
    };
    for (std::size_t frame = 0; frame < source.times.size(); ++frame) {
        target.place(frame, world);
        const JointAt in_source = [&](std::size_t joint) -> Transform { return source.at(frame, joint); };
        const std::vector<HandMove> moves = touches.at(frame, in_source, on_target);
        before.add(touches, moves, seconds_of(source.times, frame));
        for (std::size_t hand = 0; hand < moves.size(); ++hand) {
            const auto turns = glm::length(moves[hand].by) > no_length
                                   ? touches.turns(hand, on_target, moves[hand].by)
                                   : std::nullopt;
            if (!turns) {
                continue;
            }
            const Touches::Arm& arm = touches.arms()[hand];
            turn_arm(arm, *turns, frame, target);
            moved[arm.upper_part] = moved[arm.lower_part] = moved[arm.hand_part] = true;
        }
    }
    return before;
}

}  // namespace animbridge::rig::retarget
