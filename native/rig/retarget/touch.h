// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <string>
#include <vector>

#include "rig/retarget/target.h"

/// Hands that touch each other, the head, the hips or the thighs: where the target's hands must be so that
/// they touch the same. A skeleton has no skin, so a hand touches what its palm is near to. Clip space,
/// metres.
namespace animbridge::rig::retarget {

/// Corrections are averaged over this time before and after, so that they set in softly. Touches are longer
/// by as much at both ends: the average is then right from the first moment.
inline constexpr double soft_seconds = 0.06;

/// A joint's transform in clip space.
using JointAt = std::function<Transform(std::size_t joint)>;

/// How one hand must move.
struct HandMove {
    glm::dvec3 by{0, 0, 0};
    double hold = 0;        ///< from 0, it touches nothing, to 1
    std::string touched{};  ///< the thing that holds it most: "rightHand", "head", "hips", "leftUpperLeg";
                            ///< "": nothing
};

/// What hands touch, in a motion and on another body. The arguments of the constructor must outlive it, apart
/// from the motion.
class Touches {
public:
    /// `source`: the reference. `body_scale`: the target's size in sizes of the source.
    Touches(const Parts& parts, const humanoid::FoundRig& source_rig, const Posture& source,
            const humanoid::FoundRig& target_rig, const Alignment& alignment, double body_scale,
            const SourceMotion& motion);

    struct Arm {
        std::string side;  ///< "left" or "right"
        // Indices of the parts.
        std::size_t upper_part = 0;
        std::size_t lower_part = 0;
        std::size_t hand_part = 0;
        std::array<std::size_t, 3> source{};  ///< joints: shoulder, elbow, wrist
        std::array<std::size_t, 3> target{};
        glm::dvec3 source_palm{0, 0, 0};  ///< from the wrist, in its frame
        glm::dvec3 target_palm{0, 0, 0};
        double source_length = 0;
        double target_length = 0;
    };
    /// Those that both bodies have, left first.
    [[nodiscard]] const std::vector<Arm>& arms() const { return arms_; }

    /// One for each arm: how the target's hands must move in a frame of the motion.
    [[nodiscard]] std::vector<HandMove> at(std::size_t frame, const JointAt& source,
                                           const JointAt& target) const;

    /// The turns that move the target's hand, as far as the arm reaches; nullopt: it has no length.
    /// `bends_to`: where a straight elbow goes, in the upper arm's frame.
    [[nodiscard]] std::optional<BentBones> turns(std::size_t hand, const JointAt& target,
                                                 const glm::dvec3& by, const glm::dvec3& bends_to) const;

private:
    /// What a hand may touch.
    struct Touched {
        std::string name;
        std::size_t part = 0;
        std::size_t source = 0;  ///< joints
        std::size_t target = 0;
        double near = 0;  ///< what is nearer is touched; in lengths of the source's arm
        // In the joints' frames.
        glm::dvec3 source_at{0, 0, 0};  ///< where the line begins that is touched, from the joint
        glm::dvec3 target_at{0, 0, 0};
        glm::dvec3 end{0, 0, 0};  ///< of the source's line, from there
        double scale = 1;
    };
    void add_part(const Parts& parts, const std::string& name, double near);
    /// Finds when the source's hands touch what.
    void find(const SourceMotion& motion);
    /// The hand's palm, in the frame of the joint that is touched.
    [[nodiscard]] static glm::dvec3 palm_at(const Arm& arm, const Touched& touched, const JointAt& source);
    /// For each hand, those of each thing that it may touch, `touched_` and the other hand; 1: it touches.
    [[nodiscard]] std::vector<double> distances(const JointAt& source) const;
    [[nodiscard]] double nearness_of(std::size_t frame, std::size_t hand, std::size_t thing) const {
        return nearness_[(frame * arms_.size() + hand) * (touched_.size() + 1) + thing];
    }
    [[nodiscard]] glm::dvec3 on_target(const Touched& touched, const glm::dvec3& in_source,
                                       const Transform& target) const;

    const Posture& source_;
    const Alignment& alignment_;
    double scale_;
    std::vector<Arm> arms_;
    std::vector<Touched> touched_;
    std::vector<double> nearness_;  ///< in the order of `distances`, for each frame; 0: not touched
};

/// How long hands touch what, and how far they are at most from where they should.
class TouchMeter {
public:
    /// `seconds`: how long the frame is.
    void add(const Touches& touches, const std::vector<HandMove>& moves, double seconds);
    /// `before`: of the motion without kept touches.
    [[nodiscard]] std::vector<TouchReport> report(const TouchMeter& before) const;

private:
    struct Row {
        std::string hand;
        std::string touched;
        double seconds = 0;
        double apart_metres = 0;
    };
    std::vector<Row> rows_;
};

/// Moves the target's hands to what they touch, in touch_arms.cpp. Shoulder, elbow and wrist get turns that
/// change by at most 60 degrees a second, so no joint turns faster than before by more than that. A hand is
/// on its way for as long as that takes, and does not quite get there where time is short. Returns where the
/// hands were before. `moved`: per part; set for those whose joints move.
[[nodiscard]] TouchMeter keep_touches(const Touches& touches, const SourceMotion& source,
                                      const LoopFrames& loop, TargetMotion& target, std::vector<bool>& moved);

/// How long frame `index` is: up to the next one.
[[nodiscard]] double seconds_of(const std::vector<double>& times, std::size_t index);

}  // namespace animbridge::rig::retarget
