// SPDX-License-Identifier: MIT
// How arms turn so that hands touch.
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

/// The most that a correction adds to a joint's speed.
constexpr double most_radians_per_second = std::numbers::pi / 3.0;
/// How long a hand is on its way at most, besides as long as it touches.
constexpr double most_way_seconds = 0.75;
/// A correction is steady if it would not be faster at any time up to this before and after.
constexpr double steady_seconds = 0.1;

/// Rounding is not a move.
constexpr double hardly_metres = 1e-6;

/// An elbow that is straightened or folded on the way stays between these angles, apart from one that was
/// not.
constexpr double least_flex_radians = std::numbers::pi / 18.0;
constexpr double most_flex_radians = std::numbers::pi * 5.0 / 6.0;

/// Rotation vectors of a joint; nullopt where nothing is touched.
using Wanted = std::vector<std::optional<glm::dvec3>>;

/// Turns that do not jump.
class Easing {
public:
    Easing(const std::vector<double>& times, const LoopFrames& loop) : times_(times), loop_(loop) {}

    /// The turns wanted, as far as they change slowly enough, and the smallest ones elsewhere. Where those
    /// wanted change too fast, steady ones are kept, and others come as near as can be.
    [[nodiscard]] std::vector<glm::dvec3> eased(Wanted wanted) const {
        shorten(wanted);
        const std::vector<bool> steady = steady_frames(wanted);
        glm::dvec3 largest(0);
        for (const auto& turn : wanted) {
            largest = glm::max(largest, glm::abs(turn.value_or(glm::dvec3(0))));
        }
        // The axes share the speed, so that the way is straight.
        const glm::dvec3 speeds = most_radians_per_second * direction_of(largest).value_or(glm::dvec3(0));
        std::vector<glm::dvec3> turns(wanted.size());
        for (int axis = 0; axis < 3; ++axis) {
            std::vector<Range> by_steady(wanted.size());
            std::vector<Range> by_all(wanted.size());
            for (std::size_t frame = 0; frame < wanted.size(); ++frame) {
                if (steady[frame]) {
                    by_steady[frame] = Range::only((*wanted[frame])[axis]);
                }
            }
            narrow(by_steady, speeds[axis]);
            for (std::size_t frame = 0; frame < wanted.size(); ++frame) {
                if (wanted[frame]) {
                    by_all[frame] = Range::only(by_steady[frame].nearest((*wanted[frame])[axis]));
                }
            }
            narrow(by_all, speeds[axis]);
            for (std::size_t frame = 0; frame < wanted.size(); ++frame) {
                turns[frame][axis] = by_all[frame].nearest(0.0);
            }
        }
        return softened(turns);
    }

private:
    struct Range {
        double least = -std::numeric_limits<double>::infinity();
        double most = std::numeric_limits<double>::infinity();

        static Range only(double value) { return {value, value}; }
        /// The middle if nothing is in the range.
        [[nodiscard]] double nearest(double value) const {
            return least <= most ? std::clamp(value, least, most) : 0.5 * (least + most);
        }
        void narrow(const Range& other, double change) {
            least = std::max(least, other.least - change);
            most = std::min(most, other.most + change);
        }
    };

    /// Limits turns so that no hand is on its way for longer than it touches and `most_way_seconds`. How long
    /// a touch lasts that the motion's ends cut is not known.
    void shorten(Wanted& wanted) const {
        for (std::size_t first = 0, end = 0; first < wanted.size(); first = std::max(end, first + 1)) {
            for (end = first; end < wanted.size() && wanted[end];) {
                ++end;
            }
            const bool is_cut = first == 0 || end == wanted.size();
            for (std::size_t frame = first; frame < end && !is_cut; ++frame) {
                const double most =
                    most_radians_per_second * (times_[end - 1] - times_[first] + most_way_seconds);
                const double length = glm::length(*wanted[frame]);
                *wanted[frame] *= length > most ? most / length : 1.0;
            }
        }
    }

    /// Where turns change slowly enough for a while.
    [[nodiscard]] std::vector<bool> steady_frames(const Wanted& wanted) const {
        std::vector<bool> steady;
        for (std::size_t frame = 0; frame < wanted.size(); ++frame) {
            const Contact near = around(frame, steady_seconds);
            bool is_steady = wanted[frame].has_value();
            for (std::size_t at = near.first; is_steady && at <= near.last; ++at) {
                is_steady = !wanted[at] || glm::length(*wanted[at] - *wanted[frame]) <=
                                               most_radians_per_second * std::abs(times_[at] - times_[frame]);
            }
            steady.push_back(is_steady);
        }
        return steady;
    }

    /// Narrows the ranges to what can be reached from all others.
    void narrow(std::vector<Range>& ranges, double speed) const {
        const auto limit = [&](std::size_t to, std::size_t from) {
            ranges[to].narrow(ranges[from], speed * std::abs(times_[to] - times_[from]));
        };
        // The second round takes what is at one end of the loop to the other.
        for (int round = 0; round < 2; ++round) {
            for (std::size_t frame = 1; frame < ranges.size(); ++frame) {
                limit(frame, frame - 1);
            }
            for (std::size_t frame = ranges.size(); --frame > 0;) {
                limit(frame - 1, frame);
            }
            if (loop_) {
                ranges[loop_->first].narrow(ranges[loop_->last], 0.0);
                ranges[loop_->last].narrow(ranges[loop_->first], 0.0);
            }
        }
    }

    /// Averages, of less time near the ends of motion and loop: there the turns stay as they are.
    [[nodiscard]] std::vector<glm::dvec3> softened(const std::vector<glm::dvec3>& turns) const {
        std::vector<glm::dvec3> soft;
        const Contact loop = loop_.value_or(Contact{0, times_.size() - 1});
        for (std::size_t frame = 0; frame < turns.size(); ++frame) {
            double seconds = soft_seconds;
            for (const std::size_t end : {std::size_t{0}, loop.first, loop.last, times_.size() - 1}) {
                seconds = std::min(seconds, std::abs(times_[frame] - times_[end]));
            }
            glm::dvec3 sum(0);
            double weights = 0;
            const Contact near = around(frame, seconds);
            for (std::size_t at = near.first; at < near.last; ++at) {
                const double away = std::abs(0.5 * (times_[at] + times_[at + 1]) - times_[frame]);
                const double weight = (seconds - away) * (times_[at + 1] - times_[at]);
                sum += weight * 0.5 * (turns[at] + turns[at + 1]);
                weights += weight;
            }
            soft.push_back(weights > 0.0 ? sum / weights : turns[frame]);
        }
        return soft;
    }

    /// The frames up to so long before and after. If keys are very dense, fewer: else this would take too
    /// long.
    [[nodiscard]] Contact around(std::size_t frame, double seconds) const {
        constexpr std::size_t most_frames = 200;
        Contact near{frame, frame};
        while (near.first > 0 && frame - near.first < most_frames &&
               times_[frame] - times_[near.first - 1] <= seconds) {
            --near.first;
        }
        while (near.last + 1 < times_.size() && near.last - frame < most_frames &&
               times_[near.last + 1] - times_[frame] <= seconds) {
            ++near.last;
        }
        return near;
    }

    const std::vector<double>& times_;
    const LoopFrames& loop_;
};

/// Corrects an arm's motion. Its joints, shoulder, elbow and wrist, have turns in the directions of the joint
/// above, as they are in the reference: such a turn adds its own speed to the joint's, and no more.
class ArmCorrection {
public:
    ArmCorrection(const Touches::Arm& arm, TargetMotion& target, std::size_t frames)
        : target_(target),
          segments_(target.columns.size(), 0),
          flexes_(frames, 0.0),
          wanted_{Wanted(frames), Wanted(frames)} {
        for (std::size_t i = 0; i < target.columns.size(); ++i) {
            const TargetColumn& column = target.columns[i];
            const int above = column.above ? segments_[*column.above] : 0;
            segments_[i] = column.part == arm.upper_part   ? 1
                           : column.part == arm.lower_part ? 2
                           : column.part == arm.hand_part  ? 3
                           : above == 3                    ? 3
                                                           : 0;
        }
        const auto upper = target.column_of_node(arm.target[0]);
        above_ = {target.columns[*upper].above, upper, target.column_of_node(arm.target[1])};
    }

    /// For each frame, the arm's bones, and the side to which the elbow points.
    void see(std::size_t frame, const glm::dvec3& upper, const glm::dvec3& lower, const glm::dvec3& side) {
        if (const auto hinge = direction_of(glm::cross(side, upper))) {
            hinge_ = glm::conjugate(above(frame, 1)) * *hinge;
            flexes_[frame] = std::atan2(glm::dot(glm::cross(upper, lower), *hinge), glm::dot(upper, lower));
        }
    }

    void want(std::size_t frame, const BentBones& turns) {
        wanted_[0][frame] = in_joint(frame, 0, turns.upper);
        wanted_[1][frame] = in_joint(frame, 1, glm::conjugate(turns.upper) * turns.lower);
    }

    /// The wrist's turn keeps the hand's direction while it touches.
    void apply(const Easing& easing) {
        const auto shoulders = easing.eased(wanted_[0]);
        auto elbows = easing.eased(wanted_[1]);
        std::vector<std::array<glm::dquat, 4>> turns;  // of the segments
        Wanted wrists(shoulders.size());
        for (std::size_t frame = 0; frame < shoulders.size(); ++frame) {
            const double own = flexes_[frame];
            const double flex = own + glm::dot(elbows[frame], hinge_);
            elbows[frame] += hinge_ * (std::clamp(flex, std::min(own, least_flex_radians),
                                                  std::max(own, most_flex_radians)) -
                                       flex);
            const glm::dquat upper = in_clip(frame, 0, shoulders[frame]);
            const glm::dquat lower = upper * in_clip(frame, 1, elbows[frame]);
            turns.push_back({glm::dquat(1, 0, 0, 0), upper, lower, lower});
            if (wanted_[0][frame]) {
                wrists[frame] = in_joint(frame, 2, glm::conjugate(lower));
            }
        }
        const auto hands = easing.eased(wrists);
        for (std::size_t frame = 0; frame < hands.size(); ++frame) {
            turns[frame][3] = turns[frame][2] * in_clip(frame, 2, hands[frame]);
            for (std::size_t i = 0; i < segments_.size(); ++i) {
                glm::dquat& rotation = target_.rotations[frame * segments_.size() + i];
                rotation = glm::normalize(turns[frame][static_cast<std::size_t>(segments_[i])] * rotation);
            }
        }
    }

private:
    /// From the reference's directions to those of the joint above.
    [[nodiscard]] glm::dquat above(std::size_t frame, std::size_t joint) const {
        const auto column = above_[joint];
        return column ? target_.rotations[frame * target_.columns.size() + *column] *
                            glm::conjugate(target_.columns[*column].reference)
                      : glm::dquat(1, 0, 0, 0);
    }
    [[nodiscard]] glm::dvec3 in_joint(std::size_t frame, std::size_t joint, const glm::dquat& turn) const {
        return glm::conjugate(above(frame, joint)) * vector_of(turn);
    }
    [[nodiscard]] glm::dquat in_clip(std::size_t frame, std::size_t joint, const glm::dvec3& turn) const {
        return turn_by(above(frame, joint) * turn);
    }

    TargetMotion& target_;
    std::vector<int> segments_;                          ///< per column: 1: upper arm, 2: lower, 3: hand
    std::array<std::optional<std::size_t>, 3> above_{};  ///< columns above shoulder, elbow and wrist
    glm::dvec3 hinge_{0, 0, 0};   ///< of the elbow, in the directions of the upper arm, which it keeps
    std::vector<double> flexes_;  ///< per frame: the angle of the elbow, 0 if the arm is straight
    std::array<Wanted, 2> wanted_;
};

/// Where an arm's bones point, and how far.
struct Bones {
    Bones(const Touches::Arm& arm, const JointAt& target)
        : rotation(target(arm.target[0]).rotation),
          upper(target(arm.target[1]).translation - target(arm.target[0]).translation),
          lower(target(arm.target[2]).translation - target(arm.target[1]).translation) {}

    /// The side to which the elbow points, in the frame of the upper arm.
    [[nodiscard]] glm::dvec3 elbow_side() const {
        const glm::dvec3 line = direction_of(upper + lower).value_or(glm::dvec3(0));
        return glm::conjugate(rotation) * (upper - line * glm::dot(upper, line));
    }

    glm::dquat rotation;  ///< of the upper arm
    glm::dvec3 upper;
    glm::dvec3 lower;
};

}  // namespace

TouchMeter keep_touches(const Touches& touches, const SourceMotion& source, const LoopFrames& loop,
                        TargetMotion& target, std::vector<bool>& moved) {
    TouchMeter before;
    const std::vector<Touches::Arm>& arms = touches.arms();
    const Easing easing(source.times, loop);
    std::vector<Transform> world(target.columns.size());
    const JointAt on_target = [&](std::size_t joint) -> Transform {
        const auto column = target.column_of_node(joint);
        return column ? world[*column] : Transform{};
    };
    std::vector<ArmCorrection> corrections;
    corrections.reserve(arms.size());
    for (const Touches::Arm& arm : arms) {
        corrections.emplace_back(arm, target, source.times.size());
    }
    std::vector<glm::dvec3> sides(arms.size(), glm::dvec3(0));  // as the whole motion shows them
    std::vector<bool> moves_at_all(arms.size(), false);         // else the arm keeps every bit
    for (std::size_t frame = 0; frame < source.times.size(); ++frame) {
        target.place(frame, world);
        for (std::size_t hand = 0; hand < arms.size(); ++hand) {
            sides[hand] += Bones(arms[hand], on_target).elbow_side();
        }
    }
    for (std::size_t frame = 0; frame < source.times.size(); ++frame) {
        target.place(frame, world);
        const JointAt in_source = [&](std::size_t joint) -> Transform { return source.at(frame, joint); };
        const std::vector<HandMove> moves = touches.at(frame, in_source, on_target);
        before.add(touches, moves, seconds_of(source.times, frame));
        for (std::size_t hand = 0; hand < moves.size(); ++hand) {
            const Bones bones(arms[hand], on_target);
            const glm::dvec3 side = direction_of(sides[hand]).value_or(glm::dvec3(0));
            corrections[hand].see(frame, bones.upper, bones.lower, bones.rotation * side);
            const auto turns =
                moves[hand].hold > 0.0 ? touches.turns(hand, on_target, moves[hand].by, side) : std::nullopt;
            if (turns) {
                corrections[hand].want(frame, *turns);
                moves_at_all[hand] = moves_at_all[hand] || glm::length(moves[hand].by) > hardly_metres;
            }
        }
    }
    for (std::size_t hand = 0; hand < arms.size(); ++hand) {
        if (moves_at_all[hand]) {
            corrections[hand].apply(easing);
            const Touches::Arm& arm = arms[hand];
            moved[arm.upper_part] = moved[arm.lower_part] = moved[arm.hand_part] = true;
        }
    }
    return before;
}

}  // namespace animbridge::rig::retarget
