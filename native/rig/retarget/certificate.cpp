// SPDX-License-Identifier: MIT
#include "rig/retarget/target.h"
#include "rig/retarget/touch.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <iterator>
#include <utility>

namespace animbridge::rig::retarget {

namespace {

/// The largest of many numbers, and its time.
struct Largest {
    double value = 0;
    double seconds = 0;
    void add(double other, double at_seconds) {
        // Otherwise a NaN would pass as the best of all.
        if (!(other <= value)) {
            value = other;
            seconds = at_seconds;
        }
    }
};

/// What the certificate compares for one part.
struct PartMeasure {
    std::optional<std::size_t> source_aim{};
    std::optional<std::size_t> target_aim{};
    /// Without a direction: takes the last joints' rotations to rotations since the references.
    glm::dquat from_source{1, 0, 0, 0};
    glm::dquat from_target{1, 0, 0, 0};
    Largest squared_chord{};  ///< of directions, or of turns
    double last = 0;          ///< the squared chord at the last time
};

double arm_length(const Parts& parts, const Posture& posture, std::vector<std::size_t> Part::*side) {
    const Part* const upper = parts.find("leftUpperArm");
    const Part* const lower = parts.find("leftLowerArm");
    const Part* const hand = parts.find("leftHand");
    if (upper == nullptr || lower == nullptr || hand == nullptr) {
        return 0;
    }
    const glm::dvec3& elbow = posture.head((lower->*side).front());
    return glm::length(elbow - posture.head((upper->*side).front())) +
           glm::length(posture.head((hand->*side).front()) - elbow);
}

/// Plays the clip and keeps the largest differences.
class Certifier {
public:
    explicit Certifier(const CertificateInput& input)
        : in_(input), poser_(input.finished), measures_(input.parts.parts.size()) {
        for (std::size_t part = 0; part < measures_.size(); ++part) {
            const auto source = aimed_source_joint(in_.parts, part);
            const auto target = aimed_target_joint(in_.parts, part);
            const bool has_direction = source && target && !in_.alignment.parts[part].is_left_out &&
                                       !has_offset(part) && has_length(part, *source, *target);
            if (has_direction && is_rigid(in_.parts.parts[part], *source, *target)) {
                measures_[part].source_aim = source;
                measures_[part].target_aim = target;
            } else if (!in_.parts.parts[part].is_held) {
                measure_turns_of(part);
            }
        }
        if (in_.differences != nullptr) {
            add_places();
        }
        for (const LegJoints& leg : in_.feet.joints) {
            feet_.push_back({.side = leg.side});
        }
        source_arm_ = arm_length(in_.parts, in_.source, &Part::source);
        target_arm_ = arm_length(in_.parts, in_.alignment.target, &Part::target);
        if (source_arm_ > 1e-9 && target_arm_ > 1e-9) {
            left_hand_ = in_.parts.find("leftHand");
            right_hand_ = in_.parts.find("rightHand");
        }
    }

    Result<void> run(const Job& job) {
        const std::size_t frames = in_.motion.times.size();
        for (std::size_t frame = 0; frame < frames; ++frame) {
            poser_.pose(in_.motion.times[frame]);
            for (std::size_t part = 0; part < measures_.size(); ++part) {
                if (!in_.parts.parts[part].is_held) {
                    measures_[part].last = squared_chord(part, frame);
                    measures_[part].squared_chord.add(measures_[part].last, in_.motion.times[frame]);
                }
            }
            if (in_.differences != nullptr) {
                add_differences(frame);
            }
            measure_body(frame);
            measure_hands(frame);
            measure_touches(frame);
            add_feet(frame);
            if (frame % 256 == 0) {
                TRY_VOID(job.report(static_cast<double>(frame) / static_cast<double>(frames)));
            }
        }
        return {};
    }

    void write(RetargetReport& report) const {
        report.times = in_.motion.times.size();
        for (std::size_t part = 0; part < measures_.size(); ++part) {
            report.slots.push_back(slot_report(part));
        }
        if (report.body) {
            report.body->path_difference_mm = body_.value * 1000.0;
            report.body->path_difference_at_seconds = body_.seconds;
        }
        const bool is_planted = !in_.feet.unplanted.empty();
        const glm::dquat level =
            is_planted ? in_.feet.level
                       : level_turn(feet_, in_.feet.standing.supports, hips_height_metres(feet_));
        std::vector<LegPath> feet;
        for (const LegPath& path : feet_) {
            feet.push_back(path.turned(level));
        }
        const std::vector<Sole> soles = is_planted ? in_.feet.soles : soles_of(feet, in_.feet.standing);
        for (std::size_t leg = 0; leg < feet_.size(); ++leg) {
            report.feet.push_back(foot_report(in_.feet.source[leg], in_.feet.source_soles[leg], feet[leg],
                                              soles[leg], leg, in_.feet.standing, in_.motion.times));
            if (is_planted) {
                report.feet.back().unplanted = in_.feet.before[leg];
                report.feet.back().knee_change_degrees =
                    knee_change_degrees(in_.feet.unplanted[leg], feet[leg]);
            }
        }
        report.body_moved_mm = 1000.0 * in_.feet.largest_lift;
        report.floor_slope_degrees = slope_degrees(in_.feet.level);
        if (has_hands()) {
            report.hands = hands_;
        }
        if (in_.touches != nullptr) {
            report.touches = touches_.report(*in_.touches_before);
        }
    }

private:
    /// With an offset a part points elsewhere, but turns as before.
    [[nodiscard]] bool has_offset(std::size_t part) const {
        return std::ranges::any_of(in_.target.columns, [&](const TargetColumn& column) {
            return column.part == part && column.has_offset;
        });
    }

    void measure_turns_of(std::size_t index) {
        const Part& part = in_.parts.parts[index];
        const std::size_t column = *in_.target.column_of_node(part.target.back());
        measures_[index].from_source = glm::conjugate(in_.source.world[part.source.back()].rotation);
        measures_[index].from_target =
            glm::conjugate(in_.target.columns[column].reference) * in_.alignment.turns[index];
    }

    /// Whether both references define where the part points.
    [[nodiscard]] bool has_length(std::size_t index, std::size_t source_aim, std::size_t target_aim) const {
        const Part& part = in_.parts.parts[index];
        const Posture& target = in_.alignment.target;
        return direction_of(in_.source.head(source_aim) - in_.source.head(part.source.front())) &&
               direction_of(target.head(target_aim) - target.head(part.target.front()));
    }

    /// Whether nothing bends between the part and its aim, so that its own turn determines the aim's
    /// position.
    [[nodiscard]] bool is_rigid(const Part& part, std::size_t source_aim, std::size_t target_aim) const {
        const bool is_bent = part.kind == PartKind::chain && part.target.size() > 1;
        return !is_bent && is_free_between(in_.source_skeleton, part.source, source_aim, &Part::source) &&
               is_free_between(in_.finished.skeleton, part.target, target_aim, &Part::target);
    }

    /// Whether no other part moves a joint between the part's own joints and `aim`, which is below them.
    [[nodiscard]] bool is_free_between(const Skeleton& skeleton, const std::vector<std::size_t>& own,
                                       std::size_t aim, std::vector<std::size_t> Part::*side) const {
        if (own.back() == aim) {
            return true;
        }
        auto node = skeleton.nodes[aim].parent;
        for (; node && *node != own.back(); node = skeleton.nodes[*node].parent) {
            for (const Part& part : in_.parts.parts) {
                if (std::find((part.*side).begin(), (part.*side).end(), *node) != (part.*side).end()) {
                    return false;
                }
            }
        }
        return node.has_value();
    }

    [[nodiscard]] const glm::dvec3& target_head(std::size_t part) const {
        return poser_.world()[in_.parts.parts[part].target.front()].translation;
    }

    /// The turn from the source's directions to the wanted directions of the target: constant, unless the
    /// part is relative to a joint.
    [[nodiscard]] glm::dquat expected_turn(std::size_t part, std::size_t frame) const {
        const glm::dquat& turn = in_.alignment.turns[part];
        const auto& base = in_.target.bases[part];
        if (!base) {
            return product(in_.turn, turn);
        }
        const glm::dquat source_base = in_.motion.at(frame, base->source_node).rotation *
                                       glm::conjugate(in_.source.world[base->source_node].rotation);
        const glm::dquat target_base =
            poser_.world()[base->target_node].rotation * glm::conjugate(base->reference);
        return target_base * turn * glm::conjugate(source_base);
    }

    double squared_chord(std::size_t index, std::size_t frame) const {
        const Part& part = in_.parts.parts[index];
        const PartMeasure& measure = measures_[index];
        const glm::dquat turn = expected_turn(index, frame);
        if (measure.source_aim) {
            const glm::dvec3 source = in_.motion.at(frame, *measure.source_aim).translation -
                                      in_.motion.at(frame, part.source.front()).translation;
            const glm::dvec3 target = poser_.world()[*measure.target_aim].translation - target_head(index);
            const double lengths = glm::length(source) * glm::length(target);
            // The chord of two unit vectors, from vectors of any length.
            const glm::dvec3 difference = turn * source * glm::length(target) - target * glm::length(source);
            return lengths > 1e-18 ? glm::dot(difference, difference) / (lengths * lengths) : 0.0;
        }
        const glm::dquat source =
            product(product(turn, in_.motion.at(frame, part.source.back()).rotation), measure.from_source);
        const glm::dquat target = product(poser_.world()[part.target.back()].rotation, measure.from_target);
        const double apart = chord(source, target);
        return apart * apart;
    }

    /// The chord of vectors is 2 sin(angle / 2), that of quaternions 2 sin(angle / 4).
    [[nodiscard]] double degrees_of(std::size_t part, double squared) const {
        return (measures_[part].source_aim ? 0.5 : 1.0) * degrees_of_chord(std::sqrt(squared));
    }

    /// The parts' places among the columns of the wanted motion.
    void add_places() {
        places_.resize(in_.target.columns.size());
        for (std::size_t part = 0; part < measures_.size(); ++part) {
            if (!in_.parts.parts[part].is_held) {
                moving_.emplace_back(part, *in_.target.column_of_node(in_.parts.parts[part].target.front()));
                in_.differences->parts.push_back({in_.parts.parts[part].name});
            }
        }
    }

    void add_differences(std::size_t frame) {
        in_.target.place(frame, places_);
        for (std::size_t i = 0; i < moving_.size(); ++i) {
            const auto [part, column] = moving_[i];
            const double millimetres = 1000.0 * glm::length(target_head(part) - places_[column].translation);
            const double degrees = degrees_of(part, measures_[part].last);
            in_.differences->parts[i].widen(millimetres, degrees, in_.motion.times[frame]);
            in_.differences->counted.add(millimetres, degrees);
        }
    }

    void measure_body(std::size_t frame) {
        if (!in_.path || !in_.parts.body || in_.parts.parts[*in_.parts.body].is_held) {
            return;
        }
        const Part& body = in_.parts.parts[*in_.parts.body];
        const glm::dvec3 wanted = in_.path->map(in_.motion.at(frame, body.source.front()).translation,
                                                in_.source.head(body.source.front()),
                                                in_.alignment.target.head(body.target.front()));
        body_.add(glm::length(target_head(*in_.parts.body) - wanted), in_.motion.times[frame]);
    }

    /// A body that stays in place slides as it would on its way.
    void add_feet(std::size_t frame) {
        glm::dvec3 taken(0);
        if (in_.path && in_.parts.body) {
            const std::size_t body = in_.parts.parts[*in_.parts.body].source.front();
            taken = in_.path->taken_out(in_.motion.at(frame, body).translation, in_.source.head(body));
        }
        for (std::size_t leg = 0; leg < feet_.size(); ++leg) {
            feet_[leg].add(in_.feet.joints[leg], [&](std::size_t joint) {
                Transform at = poser_.world()[joint];
                at.translation += taken;
                return at;
            });
        }
    }

    [[nodiscard]] bool has_hands() const { return left_hand_ != nullptr && right_hand_ != nullptr; }

    void measure_hands(std::size_t frame) {
        if (!has_hands()) {
            return;
        }
        const Part& left = *left_hand_;
        const Part& right = *right_hand_;
        const double source = glm::length(in_.motion.at(frame, left.source.front()).translation -
                                          in_.motion.at(frame, right.source.front()).translation) /
                              source_arm_;
        const double target = glm::length(poser_.world()[left.target.front()].translation -
                                          poser_.world()[right.target.front()].translation) /
                              target_arm_;
        if (frame == 0 || std::abs(target - source) > hands_.largest_change) {
            hands_ = {std::abs(target - source), in_.motion.times[frame], source, target};
        }
    }

    void measure_touches(std::size_t frame) {
        if (in_.touches != nullptr) {
            const auto moves = in_.touches->at(
                frame, [&](std::size_t joint) { return in_.motion.at(frame, joint); },
                [&](std::size_t joint) { return poser_.world()[joint]; });
            touches_.add(*in_.touches, moves, seconds_of(in_.motion.times, frame));
        }
    }

    /// A part with the body's path is only lifted.
    [[nodiscard]] bool is_adjusted(std::size_t index) const {
        const std::vector<Part>& parts = in_.parts.parts;
        const bool is_turned = !in_.feet.parts.empty() && in_.feet.parts[index] && !parts[index].carries;
        return is_turned || (parts[index].parent && is_adjusted(*parts[index].parent));
    }

    [[nodiscard]] SlotReport slot_report(std::size_t index) const {
        const Part& part = in_.parts.parts[index];
        SlotReport report;
        report.slot = part.name;
        std::ranges::transform(part.source, std::back_inserter(report.source_joints),
                               [&](std::size_t joint) { return in_.source_skeleton.nodes[joint].name; });
        std::ranges::transform(part.target, std::back_inserter(report.target_joints),
                               [&](std::size_t joint) { return in_.finished.skeleton.nodes[joint].name; });
        report.alignment_degrees = in_.alignment.parts[index].degrees;
        report.is_held = part.is_held;
        report.is_adjusted = is_adjusted(index);
        const PartMeasure& measure = measures_[index];
        report.by_direction = measure.source_aim.has_value();
        if (!part.is_held) {
            report.difference_degrees = degrees_of(index, measure.squared_chord.value);
            report.difference_at_seconds = measure.squared_chord.seconds;
        }
        return report;
    }

    const CertificateInput& in_;
    ClipPoser poser_;
    std::vector<PartMeasure> measures_;
    std::vector<std::pair<std::size_t, std::size_t>> moving_;  ///< a part, and the column of its first joint
    std::vector<Transform> places_;                            ///< per column: where it belongs
    std::vector<LegPath> feet_;                                ///< per leg
    Largest body_;
    HandsReport hands_;
    TouchMeter touches_;
    double source_arm_ = 0;
    double target_arm_ = 0;
    const Part* left_hand_ = nullptr;  ///< both null: there are not two hands with arms
    const Part* right_hand_ = nullptr;
};

}  // namespace

Result<void> certify(const CertificateInput& input, RetargetReport& report, const Job& job) {
    Certifier certifier(input);
    TRY_VOID(certifier.run(job));
    certifier.write(report);
    return {};
}

}  // namespace animbridge::rig::retarget
