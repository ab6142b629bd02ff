// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/base.h"
#include "base/json/json.h"
#include "model/clip/clip.h"
#include "model/compare/compare.h"
#include "rig/humanoid/humanoid.h"

/// Motion of one rig on another: `retarget`. docs/retargeting.md says what it promises. The result is
/// measured on the finished clip. Clip space: metres, seconds, unit quaternions; angles of reports are
/// degrees.
namespace animbridge::rig::retarget {

// ---- options ----

/// The source of the reference pose, in which source and target look the same.
enum class ReferenceKind : std::uint8_t {
    automatic,  ///< the pose in the rig file; if it has none, the rest pose
    rest,
    tpose,  ///< Reference::local made straight; without it, the pose in the rig file; without that, the rest
            ///< pose made straight: hips and spine level, arms and legs straight
    given,  ///< Reference::local: a frame, or the current pose
};

struct Reference {
    ReferenceKind kind = ReferenceKind::automatic;
    /// Per joint of the skeleton: its local rotation; nullopt: as at rest. Only for ReferenceKind::given, and
    /// for ReferenceKind::tpose, where it may be empty.
    std::vector<std::optional<glm::dquat>> local{};
};

/// Factors for the body's path.
struct RootScale {
    double horizontal = 1;
    double vertical = 1;
};

/// A correction of one part: each of its target joints turns by this about its own axes, at all times.
struct SlotOffset {
    std::string slot;
    glm::dquat turn{1, 0, 0, 0};
};

struct RetargetOptions {
    Reference source_reference{};
    Reference target_reference{};
    bool align = true;                      ///< turn the target's reference until it points like the source's
    std::optional<RootScale> root_scale{};  ///< none: by the lengths of the legs
    std::optional<double> source_ground_metres{};  ///< the height of the source's floor; none: measured
    std::optional<double>
        target_ground_metres{};        ///< the height of the target's floor; none: below its reference
    bool in_place = false;             ///< no horizontal path
    bool from_origin = false;          ///< the path begins above the rest position of the target's body
    bool on_ground = false;            ///< the lowest foot of the whole motion touches the target's floor
    bool plant_feet = false;           ///< feet stay in place while the source's feet are on the floor
    bool keep_touch = false;           ///< hands touch what the source's hands touch
    std::vector<std::string> slots{};  ///< the parts to retarget; empty: all
    bool only_keyed = false;           ///< parts whose source joints have no keys stay unchanged
    std::vector<SlotOffset> offsets{};
    /// Per joint of the target: the axes of offsets in the joint's frame; empty: the skeleton's at rest.
    std::vector<glm::dquat> target_axes{};
};

/// How far a pose is from a T-pose, an A-pose or one whose arms hang: the largest angle by which the torso, a
/// leg or an arm points elsewhere. `local`: a rotation per joint. nullopt: the rig has no hips or shoulders.
[[nodiscard]] std::optional<double> degrees_from_standing(const Skeleton& skeleton,
                                                          const humanoid::FoundRig& rig,
                                                          const std::vector<glm::dquat>& local);

/// The pose as ReferenceKind::tpose makes it of the rest pose. `local`: a rotation per joint, as the result.
[[nodiscard]] std::vector<glm::dquat> straightened(const Skeleton& skeleton, const humanoid::FoundRig& rig,
                                                   std::vector<glm::dquat> local);

// ---- a first frame that is a pose, not motion ----

/// A T-pose or rest pose at the beginning of a recording.
struct FirstFrame {
    double seconds = 0;       ///< the time of its keys
    double next_seconds = 0;  ///< the time of the second frame
    double jump_degrees = 0;  ///< the largest turn of a limb or of the spine between them
};

/// The clip's first frame, if the motion jumps away from it: the second is at most 0.15 s later, and at least
/// two joints of limbs and spine turn by more than 15 degrees. Also, one of two conditions holds: nearly all
/// of these joints rest in the first frame, most of them do not in the second, and the largest turn is twice
/// that of the next interval; or the largest turn is above 45 degrees and four times that of the next
/// interval. nullopt: the motion continues from its first frame.
[[nodiscard]] std::optional<FirstFrame> odd_first_frame(const Clip& clip, const humanoid::FoundRig& rig);

/// The clip without the keys before `frame.next_seconds` in tracks that begin with the first frame and have a
/// key at that time. Times stay, so these tracks hold that key's value from 0.
[[nodiscard]] Clip without_first_frame(const Clip& clip, const FirstFrame& frame);

// ---- the result ----

/// The result for one part.
struct SlotReport {
    std::string slot;
    std::vector<std::string> source_joints;
    std::vector<std::string> target_joints;
    double alignment_degrees = 0;  ///< how far the alignment turned the target's reference
    bool is_held = false;          ///< it stays in place, and the parts below move relative to it
    /// The largest angle between the directions of the part in target and source; if it has no direction,
    /// between the turns of the two joints. nullopt: the part is held.
    std::optional<double> difference_degrees{};
    double difference_at_seconds = 0;
    bool by_direction = false;  ///< false: by turns
    bool is_adjusted = false;   ///< Plant Feet or Keep Touch turns it, or a part above it
};

/// How well a foot stands.
struct FootMeasure {
    double slide_mm_per_second = 0;  ///< the horizontal path of heel and ball while they are on the floor
    /// How deep heel, ball or the tip of the toes get into the ground at any time, and how far heel or ball
    /// are over it while they are on the floor: the largest. nullopt: the ground is not flat, or not known.
    std::optional<double> depth_mm{};
    std::optional<double> float_mm{};
};

/// One foot while it is on the floor.
struct FootReport {
    std::string slot;          ///< the part that touches the floor: toes, or foot
    std::size_t contacts = 0;  ///< how often the source's foot is on the floor
    double contact_seconds = 0;
    std::vector<std::pair<double, double>> stands_seconds{};  ///< when it is: from, to
    double source_slide_mm_per_second = 0;
    FootMeasure now{};                       ///< the target's foot, in the finished clip
    std::optional<FootMeasure> unplanted{};  ///< before planting; nullopt: it was not planted
    double knee_change_degrees = 0;          ///< the largest change of the angle at the knee by planting
};

/// The path of the body.
struct BodyReport {
    std::string slot;
    double source_hips_height_metres = 0;
    double target_hips_height_metres = 0;
    double horizontal_scale = 1;
    double vertical_scale = 1;
    double source_ground_metres = 0;
    double target_ground_metres = 0;
    double lift_metres = 0;         ///< how far on_ground moved the result
    double path_difference_mm = 0;  ///< the largest distance of the finished clip from the scaled path
    double path_difference_at_seconds = 0;
};

/// How far the hands are from each other, relative to the length of an arm.
struct HandsReport {
    double largest_change = 0;  ///< change of distance / arm length, target against source
    double at_seconds = 0;
    double source_distance = 0;  ///< at that time, in arm lengths
    double target_distance = 0;
};

/// A hand and what it touches in the source.
struct TouchReport {
    std::string hand;     ///< "leftHand"
    std::string touched;  ///< "rightHand", "head", "hips", "leftUpperLeg"
    double seconds = 0;
    double apart_before_mm = 0;  ///< how far the hand was from its place there, at most
    double apart_mm = 0;         ///< in the finished clip
};

struct RetargetReport {
    std::vector<SlotReport> slots;
    std::optional<BodyReport> body{};
    std::vector<FootReport> feet{};
    double body_moved_mm = 0;        ///< how far planting moved the body up or down at most
    double floor_slope_degrees = 0;  ///< of the floor on which feet are planted
    std::optional<HandsReport> hands{};
    std::vector<TouchReport> touches{};         ///< with RetargetOptions::keep_touch
    std::vector<std::string> only_in_source{};  ///< moving slots and chains that the target lacks
    std::vector<std::string> only_in_target{};
    std::vector<std::string> source_lacks{};    ///< those of them that every body has
    std::vector<std::string> dropped_motion{};  ///< joints of the source that move but belong to no part
    std::optional<FirstFrame> first_frame{};    ///< left out, because it is not part of the motion
    // What the reference poses are, as words: "the rest pose", "frame 12". "": the caller does not say.
    std::string source_reference{};
    std::string target_reference{};
    std::size_t times = 0;                ///< the number of times at which the finished clip was measured
    std::vector<std::string> warnings{};  ///< sentences

    /// The largest difference of direction over all parts that are not adjusted, in degrees.
    [[nodiscard]] double worst_degrees() const;
};

struct Retargeted {
    Clip clip;  ///< over the target's skeleton: rotations of the parts' joints, and the path of the body
    RetargetReport report;
};

/// Moves the target's parts in the world like the source's parts, both starting from a reference pose in
/// which they look the same. Keys are at the source's key times. If several joints of the source act on one
/// joint, lines between these keys may miss the motion: then inserted keys keep rotations within 0.05 degrees
/// and positions within 0.1 mm at 24 times per second. Bezier curves are sampled 120 times per second, unless
/// the source's keys can stay unchanged. Time is linear in the number of keys. ErrorCode::invalid_argument if
/// a map, a reference pose or an option does not fit; ErrorCode::bad_value if a skeleton or a key is not
/// finite; ErrorCode::rejected if the rigs have no part in common or a map mixes up left and right;
/// ErrorCode::cancelled.
[[nodiscard]] Result<Retargeted> retarget(const Clip& source, const humanoid::FoundRig& source_rig,
                                          const Skeleton& target, const humanoid::FoundRig& target_rig,
                                          const RetargetOptions& options, const Job& job = {});

/// How far a motion is from another one on its own body.
struct Likeness {
    /// "joints" are parts. Their positions are those of their first joints, and rotations as in
    /// SlotReport::difference_degrees. A part that only one rig has is listed if it moves.
    Comparison parts{};
    // What sets the other motion apart as a whole, and is not in the differences.
    glm::dquat turn{1, 0, 0, 0};             ///< turn_of_body, in the other's clip space
    glm::dvec3 path_offset_metres{0, 0, 0};  ///< offset_of_path, after the turn
    std::vector<std::string> warnings{};
};

/// Measures `other` as the result of retarget(source, ...) on its skeleton, at the same times, but not after
/// `until_seconds`. A part belongs where the retargeted body has it. Errors: as for retarget.
[[nodiscard]] Result<Likeness> likeness(const Clip& source, const humanoid::FoundRig& source_rig,
                                        const Clip& other, const humanoid::FoundRig& other_rig,
                                        const RetargetOptions& options, double until_seconds,
                                        const Job& job = {});

[[nodiscard]] Json retarget_json(const RetargetReport& report);

/// The output of retarget_json, as text for people.
[[nodiscard]] std::string describe_retarget(const Json& report);

// ---- feet of a motion on its own skeleton ----

struct FeetPlanted {
    Clip changed;  ///< over the same skeleton: only the tracks that planting changed
    std::vector<FootReport> feet;
    double body_moved_mm = 0;  ///< this and the next one as in RetargetReport
    double floor_slope_degrees = 0;
    std::vector<std::string> warnings{};
};

/// Plants the clip's feet, as RetargetOptions::plant_feet does. Joints of legs and feet get new rotations, at
/// their key times and at least 30 times a second; if the body is lowered, the joint with its path gets new
/// positions. A body whose joints have no positions is not lowered. Errors: as for retarget;
/// ErrorCode::rejected if there is no whole leg.
[[nodiscard]] Result<FeetPlanted> plant_feet(const Clip& clip, const humanoid::FoundRig& rig,
                                             const Job& job = {});

/// How well the clip's feet stand, without planting them. Errors: as for plant_feet.
[[nodiscard]] Result<std::vector<FootReport>> measured_feet(const Clip& clip, const humanoid::FoundRig& rig,
                                                            const Job& job = {});

/// {"joints": names of those with new keys, "feet", "body_moved_mm", "floor_slope_degrees", "warnings"};
/// "feet" as in retarget_json.
[[nodiscard]] Json planted_json(const FeetPlanted& planted);

/// The output of planted_json, as text for people.
[[nodiscard]] std::string describe_planted(const Json& report);

// ---- parts of a rig ----

/// Slots that form one bending row. Rigs differ in the number of joints in it.
struct SlotRow {
    std::string name;
    std::vector<std::string> slots;
};

[[nodiscard]] std::vector<SlotRow> slot_rows();

/// The rig's chain of that name, with at least one joint; null: none.
[[nodiscard]] const humanoid::FoundChain* found_chain_named(const humanoid::FoundRig& rig,
                                                            std::string_view name);

/// The joints of a row: its chain if the rig has one, else its slots.
[[nodiscard]] std::vector<std::size_t> joints_of_row(const humanoid::FoundRig& rig, const SlotRow& row);

/// The joints of one slot: several if the rig splits the bone.
[[nodiscard]] std::vector<std::size_t> joints_of_slot(const humanoid::FoundRig& rig, std::string_view slot);

/// The name of the joint's slot; "" if it has none.
[[nodiscard]] std::string slot_at(const humanoid::FoundRig& rig, std::size_t joint);

}  // namespace animbridge::rig::retarget
