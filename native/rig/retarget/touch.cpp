// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>
#include <numbers>
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
/// What is touched is let go beyond this, in limits for touching, so that touches do not flicker.
constexpr double let_go = 1.2;
/// What is shorter is no touch: a hand swings by.
constexpr double least_touch_seconds = 0.1;

/// Without fingers, the middle of the palm is this far beyond the wrist, in lengths of the lower arm.
constexpr double palm_share = 0.3;
/// The middle of the head is this far above its joint, in lengths of the arm.
constexpr double head_share = 0.18;
/// Of what is touched, and is as far as `let_go`.
constexpr double least_nearness = 0.01;
/// An arm is never folded further than to this angle at the elbow, apart from one that is.
constexpr double least_elbow_radians = std::numbers::pi / 6.0;
/// The middle of the hips is this far above the middle between the legs, in lengths of the arm: rigs have the
/// joint of the hips anywhere there.
constexpr double waist_share = 0.2;
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

/// The middle between the heads of the legs; without both, that of the hips.
glm::dvec3 between_legs(const Parts& parts, const Posture& posture, std::vector<std::size_t> Part::*side) {
    const Part* const left = parts.find("leftUpperLeg");
    const Part* const right = parts.find("rightUpperLeg");
    return left != nullptr && right != nullptr
               ? 0.5 * (posture.head((left->*side).front()) + posture.head((right->*side).front()))
               : posture.head((parts.find("hips")->*side).back());
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
    if (part == nullptr || part->is_held || arms_.empty()) {
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
    } else if (name == "hips") {
        const glm::dvec3 up(0, 0, waist_share * arms_.front().source_length);
        made.source_at =
            in_frame(source_, made.source,
                     between_legs(parts, source_, &Part::source) + up - source_.head(made.source));
        made.target_at = in_frame(alignment_.target, made.target,
                                  between_legs(parts, alignment_.target, &Part::target) + scale_ * up -
                                      alignment_.target.head(made.target));
    } else {
        made.end =
            in_frame(source_, made.source, glm::dvec3(0, 0, 2.0 * head_share * arms_.front().source_length));
    }
    touched_.push_back(made);
}

glm::dvec3 Touches::on_target(const Touched& touched, const glm::dvec3& in_source,
                              const Transform& target) const {
    const glm::dvec3 in_reference = source_.world[touched.source].rotation * in_source;
    const glm::dvec3 turned = alignment_.turns[touched.part] * in_reference;
    return target.translation +
           target.rotation *
               (touched.target_at + in_frame(alignment_.target, touched.target, touched.scale * turned));
}

glm::dvec3 Touches::palm_at(const Arm& arm, const Touched& touched, const JointAt& source) {
    const Transform part = source(touched.source);
    return glm::conjugate(part.rotation) *
               (point_of(source(arm.source[2]), arm.source_palm) - part.translation) -
           touched.source_at;
}

std::vector<double> Touches::distances(const JointAt& source) const {
    std::vector<double> found;
    std::vector<glm::dvec3> palms;
    for (const Arm& arm : arms_) {
        palms.push_back(point_of(source(arm.source[2]), arm.source_palm));
    }
    for (const Arm& arm : arms_) {
        for (const Touched& touched : touched_) {
            const glm::dvec3 palm = palm_at(arm, touched, source);
            const double share = nearest_share(glm::dvec3(0), touched.end, palm);
            found.push_back(glm::length(palm - share * touched.end) / (touched.near * arm.source_length));
        }
        found.push_back(arms_.size() == 2
                            ? glm::length(palms[1] - palms[0]) / (near_hand * arms_[0].source_length)
                            : std::numeric_limits<double>::infinity());
    }
    return found;
}

void Touches::find(const SourceMotion& motion) {
    const std::vector<double>& times = motion.times;
    const std::size_t width = arms_.size() * (touched_.size() + 1);
    std::vector<double> found;
    for (std::size_t frame = 0; frame < times.size(); ++frame) {
        const auto row = distances([&](std::size_t joint) -> Transform { return motion.at(frame, joint); });
        found.insert(found.end(), row.begin(), row.end());
    }
    nearness_.assign(found.size(), 0.0);
    for (std::size_t i = 0; i < width; ++i) {
        const auto far = [&](std::size_t frame, double limit) { return found[frame * width + i] >= limit; };
        for (std::size_t first = 0, end = 0; first < times.size(); first = std::max(end, first + 1)) {
            for (end = first; end < times.size() && !far(end, end == first ? 1.0 : let_go);) {
                ++end;
            }
            const bool is_cut = first == 0 || end == times.size();
            if (end == first || (!is_cut && times[end] - times[first] < least_touch_seconds)) {
                continue;
            }
            const auto from = std::ranges::lower_bound(times, times[first] - soft_seconds) - times.begin();
            const auto to = std::ranges::upper_bound(times, times[end - 1] + soft_seconds) - times.begin();
            for (auto frame = static_cast<std::size_t>(from); frame < static_cast<std::size_t>(to); ++frame) {
                const std::size_t at = frame * width + i;
                nearness_[at] = std::max(let_go - found[at], least_nearness);
            }
        }
    }
}

std::vector<HandMove> Touches::at(std::size_t frame, const JointAt& source, const JointAt& target) const {
    std::vector<HandMove> moves(arms_.size());
    std::vector<glm::dvec3> palms;
    const auto touch = [&](std::size_t hand, double nearness, const std::string& what) {
        const double hold = std::min(nearness / (let_go - 1.0), 1.0);
        if (hold > moves[hand].hold) {
            moves[hand].hold = hold;
            moves[hand].touched = what;
        }
    };
    for (std::size_t hand = 0; hand < arms_.size(); ++hand) {
        palms.push_back(point_of(target(arms_[hand].target[2]), arms_[hand].target_palm));
        double weights = 0;
        for (std::size_t thing = 0; thing < touched_.size(); ++thing) {
            const Touched& touched = touched_[thing];
            const double nearness = nearness_of(frame, hand, thing);
            if (nearness > 0.0) {
                const glm::dvec3 palm = palm_at(arms_[hand], touched, source);
                const double weight = nearness * nearness * nearness;  // the nearest one counts most
                moves[hand].by += weight * (on_target(touched, palm, target(touched.target)) - palms[hand]);
                weights += weight;
                touch(hand, nearness, touched.name);
            }
        }
        moves[hand].by /= weights > 0.0 ? weights : 1.0;
    }
    const double nearness = arms_.size() == 2 ? nearness_of(frame, 0, touched_.size()) : 0.0;
    if (nearness > 0.0) {
        // A hand that touches the body stays there, and the other one comes to it.
        const std::array<double, 2> free = {1.0 - moves[0].hold, 1.0 - moves[1].hold};
        const glm::dvec3 between = point_of(source(arms_[1].source[2]), arms_[1].source_palm) -
                                   point_of(source(arms_[0].source[2]), arms_[0].source_palm);
        const glm::dvec3 wanted = alignment_.turns[arms_[0].hand_part] * between *
                                  (arms_[0].target_length / arms_[0].source_length);
        const glm::dvec3 apart =
            (wanted - (palms[1] + moves[1].by - palms[0] - moves[0].by)) / std::max(free[0] + free[1], 1.0);
        moves[0].by -= free[0] * apart;
        moves[1].by += free[1] * apart;
        touch(0, nearness, "rightHand");
        touch(1, nearness, "leftHand");
    }
    return moves;
}

std::optional<BentBones> Touches::turns(std::size_t hand, const JointAt& target, const glm::dvec3& by,
                                        const glm::dvec3& bends_to) const {
    const Arm& arm = arms_[hand];
    const Transform shoulder = target(arm.target[0]);
    const glm::dvec3 elbow = target(arm.target[1]).translation - shoulder.translation;
    const glm::dvec3 wrist = target(arm.target[2]).translation - shoulder.translation;
    const double upper = glm::length(elbow);
    const double lower = glm::length(wrist - elbow);
    const double now = glm::length(wrist);
    const double longest = std::max(longest_stretch * (upper + lower), now);
    const double folded =
        std::sqrt(upper * upper + lower * lower - 2.0 * upper * lower * std::cos(least_elbow_radians));
    const double shortest = std::min(folded, now);
    const glm::dvec3 wanted = wrist + by;
    const double length = std::max(glm::length(wanted), no_length);
    return bend_limb({elbow, wrist, longest, shoulder.rotation * bends_to},
                     wanted * (std::max(length, shortest) / length));
}

void TouchMeter::add(const Touches& touches, const std::vector<HandMove>& moves, double seconds) {
    for (std::size_t hand = 0; hand < moves.size(); ++hand) {
        const HandMove& move = moves[hand];
        if (move.hold < 1.0) {
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

}  // namespace animbridge::rig::retarget
