// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/base.h"
#include "model/clip/clip.h"
#include "model/compare/compare.h"
#include "rig/retarget/feet.h"
#include "rig/retarget/parts.h"
#include "rig/retarget/retarget.h"

/// The target's motion, in the order of its steps: path of the body, turns of parts, feet, tracks, and the
/// certificate that measures all of it.
namespace animbridge::rig::retarget {

/// How the path of the source's body becomes that of the target's.
struct BodyPath {
    RootScale scale{};
    double source_hips_height = 0;  ///< metres above the lowest foot of the reference
    double target_hips_height = 0;
    double source_ground = 0;  ///< the height of the floor, metres
    double target_ground = 0;
    glm::dquat turn{1, 0, 0, 0};      ///< the constant turn between the bodies
    glm::dvec3 source_lift{0, 0, 0};  ///< from the reference position to where the body is on the floor
    glm::dvec3 target_lift{0, 0, 0};
    glm::dvec3 shift{0, 0, 0};  ///< added to the result
    bool in_place = false;

    /// The horizontal path that in_place takes from the result; without in_place none.
    [[nodiscard]] glm::dvec3 taken_out(const glm::dvec3& now, const glm::dvec3& source_head) const;
    /// The position of a target joint while the source's is at `now`. Both heads are those in the references.
    [[nodiscard]] glm::dvec3 map(const glm::dvec3& now, const glm::dvec3& source_head,
                                 const glm::dvec3& target_head) const;
};

/// The joints that touch the floor, from the foot slots that both rigs have: toes are never compared with
/// ankles. `side`: &Part::source or &Part::target.
[[nodiscard]] std::vector<std::size_t> common_feet(const Parts& parts, std::vector<std::size_t> Part::*side);

/// The heights, the floors and the factors. `source` and `target` are the aligned references; `motion` has
/// the source's foot joints. Adds to `warnings` if the body's height is not usable.
[[nodiscard]] BodyPath body_path(const Parts& parts, const Posture& source, const Posture& target,
                                 const glm::dquat& turn, const SourceMotion& motion,
                                 const RetargetOptions& options, std::vector<std::string>& warnings);

/// The motion of each part, as turns in the source's directions relative to the reference pose: one for each
/// of the part's target joints.
class PartDeltas {
public:
    /// `alignment` has the target's reference.
    PartDeltas(const Parts& parts, const Posture& source, const Skeleton& target_skeleton,
               const Alignment& alignment);

    /// Frames must ascend: the twist of a limb continues from the previous frame.
    void compute(const SourceMotion& motion, std::size_t frame);

    /// The turn of the part's target joint `index`, at the last computed frame.
    [[nodiscard]] const glm::dquat& of(std::size_t part, std::size_t index) const {
        return turns_[first_[part] + index];
    }

    /// The nodes of the source that the parts need.
    [[nodiscard]] static std::vector<std::size_t> source_nodes(const Parts& parts);

private:
    [[nodiscard]] glm::dquat whole_delta(std::size_t part, const SourceMotion& motion,
                                         std::size_t frame) const;
    void spread_chain(std::size_t part, const SourceMotion& motion, std::size_t frame);
    void spread_twist(std::size_t part);
    void close_limb(std::size_t part);
    [[nodiscard]] glm::dquat carrying_delta(std::size_t part) const;

    const Parts& parts_;
    const Posture& source_;
    std::vector<std::size_t> first_;                 ///< per part: its index in turns_
    std::vector<std::optional<glm::dvec3>> points_;  ///< per part: direction of its source in the reference
    /// Per part: the direction of its target in the reference, in the source's directions. Without an
    /// alignment it differs from the source's.
    std::vector<std::optional<glm::dvec3>> twist_axes_;
    std::vector<std::vector<double>> source_shares_;  ///< per part: where each source joint is on it, 0 to 1
    std::vector<std::vector<double>> target_shares_;
    /// Per part: for a limb in several target bones these bones, in the source's directions; else empty.
    std::vector<std::vector<glm::dvec3>> limb_bones_;
    std::vector<glm::dquat> turns_;
    std::vector<glm::dquat>
        whole_;  ///< per part: the turn of its last source joint, pointing where the part does
    std::vector<glm::dquat> last_twist_;  ///< per part, to keep its sign
};

/// A target joint that gets keys.
struct TargetColumn {
    std::size_t node = 0;
    std::size_t part = 0;
    std::size_t index = 0;               ///< among the part's target joints
    std::optional<std::size_t> above{};  ///< the nearest column above it in the tree
    Transform parent_link{};  ///< from that column's joint, or from clip space, to its parent's frame
    bool is_child = false;    ///< its parent is the joint of the column above: there is no link
    glm::dvec3 rest_translation{0, 0, 0};  ///< in the parent's frame
    glm::dquat reference{1, 0, 0, 0};      ///< world rotation in the aligned reference, offset included
    bool has_offset = false;
    std::optional<std::size_t> carrier{};  ///< index of its row in TargetMotion::places
};

/// The base of a part without a moving part above it: joints that do not move on the target.
struct PartBase {
    std::size_t source_node = 0;
    std::size_t target_node = 0;
    std::optional<std::size_t> above{};  ///< the nearest column at or above the target's base joint
    glm::dquat link{1, 0, 0, 0};         ///< from that column's joint, or clip space, to the base joint
    glm::dquat reference{1, 0, 0, 0};    ///< the base joint's world rotation in the reference
};

/// The motion of the target's joints at the times of the source's motion.
struct TargetMotion {
    std::vector<TargetColumn> columns;           ///< by ascending node: parents first
    std::vector<std::optional<PartBase>> bases;  ///< per part
    std::size_t carriers = 0;
    std::vector<glm::dquat> rotations;  ///< clip space; a row of the columns for each time
    std::vector<glm::dvec3> places;     ///< clip space; a row of the carriers for each time

    [[nodiscard]] std::optional<std::size_t> column_of_node(std::size_t node) const;
    /// Computes all columns' transforms at a frame, in clip space; `world` has one entry for each column.
    void place(std::size_t frame, std::vector<Transform>& world) const;
};

/// The frame of the column's parent, in the result of TargetMotion::place.
[[nodiscard]] inline Transform parent_frame(const TargetColumn& column, const std::vector<Transform>& world) {
    if (!column.above) {
        return column.parent_link;
    }
    return column.is_child ? world[*column.above] : world[*column.above] * column.parent_link;
}

/// The joints of the source that parts below a base need, besides PartDeltas::source_nodes.
[[nodiscard]] std::vector<std::size_t> base_source_nodes(const Parts& parts, const Skeleton& source);

[[nodiscard]] Result<TargetMotion> move_target(const Parts& parts, const Skeleton& source_skeleton,
                                               const Posture& source, const Skeleton& target_skeleton,
                                               const humanoid::FoundRig& target_rig,
                                               const Alignment& alignment,
                                               const std::optional<BodyPath>& path,
                                               const SourceMotion& motion, const RetargetOptions& options,
                                               const Job& job);

/// The feet of source and target. All lists are per leg.
struct Feet {
    std::vector<LegJoints> joints{};  ///< the target's
    std::vector<LegPath> source{};    ///< turned so that its floor is level
    LoopFrames loop{};
    StandingFeet standing{};
    std::vector<Sole> source_soles{};
    // Of the target; empty if the feet are not planted.
    glm::dquat level{1, 0, 0, 0};  ///< as level_turn
    std::vector<LegPath> unplanted{};
    std::vector<Sole> soles{};
    std::vector<FootMeasure> before{};
    std::vector<bool> parts{};  ///< per part: planting, or keeping touches, moves its joints; or empty
    double largest_lift = 0;
};

/// Finds the feet of source and target, and when the source's stand.
[[nodiscard]] Feet find_feet(const Parts& parts, const Clip& source, const Skeleton& target,
                             const SourceMotion& motion, double hips_height_metres);

/// Plants the target's feet. Adds to `warnings`.
void plant_target(const Parts& parts, const std::vector<double>& times, Feet& feet, TargetMotion& motion,
                  std::vector<std::string>& warnings);

/// The inputs for the tracks.
struct TrackSources {
    const Clip& original;
    const Clip& source;          ///< `original` with linear rows
    const Posture& source_pose;  ///< the reference
    const Skeleton& target;
    const Parts& parts;
    const Alignment& alignment;
    const std::optional<BodyPath>& path;
    const SourceMotion& motion;
    /// Per part: keys at all times of the motion, because planted joints have no key times of their own;
    /// empty: none.
    const std::vector<bool>& at_every_time;
};

/// Keys of the target's joints, each at the key times of the source's joints that move it. A joint that moves
/// exactly like its source keeps the source's keys bit for bit, including handles. A joint that never leaves
/// its rest has no track.
[[nodiscard]] std::vector<Track> tracks_of_motion(const TrackSources& from, const TargetMotion& motion);

/// All differences of the parts, besides the largest ones of the report.
struct PartDifferences {
    std::vector<JointDifference> parts{};  ///< one for each part that is not held
    SpreadCounter counted{};
};

/// The finished clip, and what it is measured against.
class Touches;
class TouchMeter;
struct CertificateInput {
    const Clip& finished;  ///< over the target's skeleton
    const Parts& parts;
    const Skeleton& source_skeleton;
    const Posture& source;  ///< the references, aligned
    const Alignment& alignment;
    const std::optional<BodyPath>& path;
    const SourceMotion& motion;
    const TargetMotion& target;  ///< for bases and references; its numbers serve only `differences`
    const Feet& feet;
    PartDifferences* differences = nullptr;  ///< null: they are not wanted
    glm::dquat turn{1, 0, 0, 0};             ///< by which the finished body is turned as a whole
    // Of the hands; null: touches are not kept.
    const Touches* touches = nullptr;
    const TouchMeter* touches_before = nullptr;
};

/// Plays the finished clip at all times of the motion and writes its differences from the source into the
/// report: for each part, the body's path, the feet and the hands.
[[nodiscard]] Result<void> certify(const CertificateInput& input, RetargetReport& report, const Job& job);

}  // namespace animbridge::rig::retarget
