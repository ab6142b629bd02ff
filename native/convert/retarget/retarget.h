// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <glm/gtc/quaternion.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"
#include "base/json/json.h"
#include "base/options/options.h"
#include "model/clip/clip.h"
#include "model/format/format.h"
#include "rig/armature/armature.h"
#include "rig/curves/curves.h"
#include "rig/exchange/exchange.h"
#include "rig/humanoid/humanoid.h"
#include "rig/retarget/retarget.h"

/// Motion of documents and armatures on other skeletons (docs/retargeting.md): which joints are which parts,
/// retargeting with options as JSON, and whether it is needed and makes sense. Clip space: metres, Z up.
namespace animbridge {

// ---- a motion and its rig: which joints are which parts of a body ----

/// The text of a caller's rig file; empty: none, so only the built-in rigs are known.
using RigText = std::string;

/// ErrorCode::bad_value: the rig file is wrong, or names no joint.
[[nodiscard]] Result<rig::humanoid::FoundRig> rig_of(const Skeleton& skeleton, const RigText& own,
                                                     rig::humanoid::RigUse use);

/// A motion, and the roles of its joints.
struct RigMotion {
    Clip clip;
    rig::humanoid::FoundRig rig;
    /// A local rotation per joint: the pose in which the rig was found, if that is not the rest pose; empty:
    /// the rest pose.
    std::vector<glm::dquat> reference{};
    /// "up" and "forward" for the format's "to_clip", if they are not the usual ones; else empty.
    Json axes = Json::object();
    std::size_t reference_frame = 0;  ///< from 1, if `reference` is a frame of the clip
    bool is_straightened = false;     ///< `reference` is that frame with straight limbs
    /// false: only the rest pose says what `axes` are, and the last of the rig's warnings says so.
    bool are_axes_sure = true;
};

/// The document's motion with its rig: the caller's, else the one that the document names itself, else the
/// one that is found. If no body stands at rest, the pose that the rig file stores is tried. If none stands
/// there, either its frames or its rest pose define which way is up. A body that stands in at least half of
/// its frames has the usual axes, and the first of these frames, straightened, is its reference pose.
/// Otherwise, for a format that takes axes ("up" of "to_clip"), it has those in which it stands at rest,
/// unless its knees or elbows would then bend backwards. A body that rests in a stance has its first frame as
/// its reference pose, if that is much nearer to a T-pose or A-pose. The rig's warnings say what was chosen.
/// `to_clip`: options of the format for "to_clip". ErrorCode::invalid_argument: the format has no skeleton.
/// ErrorCode::bad_value: the rig file is wrong, or names no joint.
[[nodiscard]] Result<RigMotion> motion_with_rig(const AnyDocument& document, const Json& to_clip,
                                                const RigText& own, rig::humanoid::RigUse use);

/// As above, for a clip that the caller has made from the document with these options.
[[nodiscard]] Result<RigMotion> motion_with_rig(const AnyDocument& document, const Clip& clip,
                                                const Json& to_clip, const RigText& given,
                                                rig::humanoid::RigUse use);

/// Whether the format's clips may have unusual axes ("up" of "to_clip"), and the options name none.
[[nodiscard]] bool takes_axes(const Format& format, const Json& to_clip);

/// "up" and "forward" of a document whose body stands along another axis than usual; else an empty object.
/// `at_rest`: the result of the format's "skeleton" in the usual axes. The motion is read, which takes time,
/// only if the body does not stand there.
[[nodiscard]] Result<Json> standing_axes(const AnyDocument& document, const Json& at_rest);

// ---- retargeting, with options as JSON ----

[[nodiscard]] std::span<const Option> retarget_options();

/// A skeleton to move, and the roles of its joints.
struct RigTarget {
    Skeleton skeleton;
    rig::humanoid::FoundRig rig;
    std::vector<glm::dquat> reference{};  ///< as in RigMotion; the meaning of "automatic"
};

/// The options "source_rig", "target_rig" and "swap_sides". ErrorCode::bad_value names an option that is not
/// allowed.
struct GivenRigs {
    RigText source;
    RigText target;
    bool swap_sides = false;  ///< of the source (rig::humanoid::swap_sides)
};
[[nodiscard]] Result<GivenRigs> given_rigs(const Json& options);

/// A local rotation per joint, which replaces "source_reference" or "target_reference"; "tpose" makes it
/// straight. Empty: as in the options.
struct ReferencePoses {
    std::vector<glm::dquat> source{};
    std::vector<glm::dquat> target{};
    std::vector<glm::dquat> target_axes{};  ///< as in rig::retarget::RetargetOptions
};

/// The options of the table as `retargeted` uses them. `options`: an object; `target_reference`: as in
/// RigTarget. ErrorCode::bad_value names an option that is not allowed.
[[nodiscard]] Result<rig::retarget::RetargetOptions> motion_options(
    const RigMotion& source, const std::vector<glm::dquat>& target_reference, const Json& options,
    const ReferencePoses& poses = {});

/// `options`: an object with the options of the table. ErrorCode::bad_value names an option that is not
/// allowed; ErrorCode::rejected: the rigs have too little in common, and the message says what to do.
[[nodiscard]] Result<rig::retarget::Retargeted> retargeted(const RigMotion& source, const RigTarget& target,
                                                           const Json& options, const Job& job,
                                                           const ReferencePoses& poses = {});

/// The document with its feet planted on its own skeleton; everything else stays. The report: planted_json.
/// `options`: as in EditOptions::retarget. ErrorCode::invalid_argument: files of the format cannot be changed
/// in part. ErrorCode::rejected: there is no whole leg.
[[nodiscard]] Result<Made> with_planted_feet(const AnyDocument& document, const Json& options);

/// ErrorCode::rejected if the source is not a person (why_no_person), unless the options have "force", a rig
/// file for the source, or the names of parts.
[[nodiscard]] Result<void> require_person(const RigMotion& source, const Json& options);

/// ErrorCode::rejected if the target has under half of the limbs that the source moves, unless the options
/// have "force" or the names of parts.
[[nodiscard]] Result<void> require_limbs(const RigMotion& source, const rig::humanoid::FoundRig& target,
                                         const Json& options);

/// The error, with the option instead of a file's name if it is about that option's rig file. `text`: the
/// option's; empty: it was not given.
[[nodiscard]] Error in_rig_text(Error error, const RigText& text, const std::string& option);

/// Whether the options of retargeting limit a file's error.
[[nodiscard]] bool has_bounds(const Json& retarget);
/// Moves those limits from an object to the options of a conversion without retargeting: "force" becomes
/// bounds of 0. Returns the rest; null if nothing is left.
[[nodiscard]] Json take_bounds(const Json& retarget, Json& options);

/// The document, unless its report's errors exceed the options' "stop_above_mm" or "stop_above_degrees" and
/// there is no "force": ErrorCode::rejected.
[[nodiscard]] Result<Made> unless_too_far_off(Made made, const Json& options);

// ---- retargeting to an armature of a scene ----

struct SceneRetarget {
    const AnyDocument* document = nullptr;  ///< null: the motion is that of `source`
    const rig::armature::Armature* source = nullptr;
    rig::curves::SampleView samples{};
    std::span<const rig::curves::CurveView> curves{};  ///< instead of samples, with `frames`
    std::span<const double> frames{};  ///< of `curves`, for evaluating them; empty: `samples` are
                                       ///< used
    std::span<const float>
        source_pose{};  ///< [bone][16]: the source's reference pose; empty: as in the options
    const rig::armature::Armature& target;
    std::span<const float> target_pose{};
    rig::curves::Timing timing{};
    /// An object of retarget_options(), and "document": an object of the document's format for to_clip.
    const Json& options;
    const Job& job;
};

/// The curves for the target. ErrorCode::rejected: the rigs have too little in common, or the source is not a
/// person (require_person).
[[nodiscard]] Result<CurvesMade> retargeted_curves(const SceneRetarget& request);

// ---- whether an armature is a document's own rig, so that the document's curves fit it unchanged ----

/// Limbs are upper and lower arms and legs, hands and feet, if the document's skeleton has and moves them.
struct RigFit {
    std::vector<std::string> limbs;          ///< slots
    std::vector<std::string> matched_limbs;  ///< those whose joint has a bone by its name or the rig map
    std::vector<std::string> found_limbs;    ///< those that are found in the armature, whatever their names
    std::size_t matched_joints = 0;          ///< in the whole skeleton
    std::vector<std::string> unnamed;        ///< slots that both have, whose joint has no bone by its name
    double rest_degrees = 0;  ///< the largest angle between a limb of the document and its bone at rest
    std::string rest_slot{};  ///< the limb with this angle; "" if none could be compared

    /// Every part that both have is matched by its name, and limbs rest alike.
    [[nodiscard]] bool is_own() const;
    /// Retargeting shows the motion better: this is another rig, in which at least as many limbs are found as
    /// match by name.
    [[nodiscard]] bool needs_retargeting() const {
        return !is_own() && found_limbs.size() >= matched_limbs.size();
    }
};

/// Rest directions of one rig in two files, or of one avatar in two shapes, differ by less.
inline constexpr double own_rest_degrees = 10.0;

/// `to_clip`: the document's options, as in motion_with_rig. `target_rig`: as in rig_of. Joints are matched
/// by names and the armature's rig map, like in imports. The armature may be rotated against the document by
/// quarter turns about Z. ErrorCode::invalid_argument: the format has no skeleton.
[[nodiscard]] Result<RigFit> rig_fit(const AnyDocument& document, const rig::armature::SceneRig& armature,
                                     const Json& to_clip, const RigText& target_rig);

/// In the form of ab_rig_fit_json.
[[nodiscard]] Json rig_fit_json(const RigFit& fit);

// ---- whether a motion is that of a person, and its target has enough limbs ----

/// A limb, and the part below to which it points; "": it has no direction, and only needs to be found.
struct Limb {
    std::string_view slot;
    std::string_view below;
};
/// Upper and lower arms and legs, hands and feet.
inline constexpr std::array<Limb, 12> limb_slots = {{{"leftUpperArm", "leftLowerArm"},
                                                     {"leftLowerArm", "leftHand"},
                                                     {"leftHand", ""},
                                                     {"rightUpperArm", "rightLowerArm"},
                                                     {"rightLowerArm", "rightHand"},
                                                     {"rightHand", ""},
                                                     {"leftUpperLeg", "leftLowerLeg"},
                                                     {"leftLowerLeg", "leftFoot"},
                                                     {"leftFoot", ""},
                                                     {"rightUpperLeg", "rightLowerLeg"},
                                                     {"rightLowerLeg", "rightFoot"},
                                                     {"rightFoot", ""}}};

/// The limbs that the motion's skeleton has and moves.
[[nodiscard]] std::vector<std::string> moved_limbs(const RigMotion& motion);

/// Whether retargeting has limbs to move: the document's skeleton is a body, and moves.
[[nodiscard]] bool moves_body(const AnyDocument& document);

/// Whether the motion is that of a person, and moves a limb.
[[nodiscard]] bool moves_person(const RigMotion& motion);

/// Those of `limbs` that were found in the rig.
[[nodiscard]] std::vector<std::string> limbs_found(const std::vector<std::string>& limbs,
                                                   const rig::humanoid::FoundRig& rig);

/// Why the motion is not that of a person, as a clause: "it has ..."; empty if it is. A person has a whole
/// arm or leg (its upper and lower part), a hand with fingers, or both arms and legs, and does not look like
/// something else by its shape (FoundRig::looks_like). Legs alone, with wings or a tail, are those of an
/// animal.
[[nodiscard]] std::string why_no_person(const RigMotion& motion);

/// Whether under half of the limbs are there, so that the result would not look like the motion.
[[nodiscard]] constexpr bool are_too_few(std::size_t there, std::size_t limbs) { return 2 * there < limbs; }

// ---- how a body stands in clip space, whose Z is up ----

/// The joints of the skeleton at rest, in clip space.
[[nodiscard]] std::vector<Transform> world_at_rest(const Skeleton& skeleton);

/// Whether the skeleton at rest has its head above its hips, and these above its feet, within 45 degrees.
/// False if the rig lacks one of them.
[[nodiscard]] bool stands_at_rest(const Skeleton& skeleton, const rig::humanoid::FoundRig& rig);

/// The times of the keys that rotate or move any node, in order: the clip's frames, as "frame:N" counts them.
[[nodiscard]] std::vector<double> frame_times_of(const Clip& clip);

/// The frames of a clip in which the body stands.
struct StandingFrames {
    std::optional<std::size_t> first{};  ///< counted from 0; nullopt: in none
    bool are_most = false;               ///< at least half of the frames
};
/// Examines up to 64 frames, evenly spread.
[[nodiscard]] StandingFrames standing_frames(const Clip& clip, const rig::humanoid::FoundRig& rig);

/// Whether the knees bend forward or the elbows bend backward over the whole motion, if the rest pose is
/// taken as that of a person who faces where the rig does. This happens for skeletons whose limbs are rolled
/// at rest.
[[nodiscard]] bool bends_backwards(const Clip& clip, const rig::humanoid::FoundRig& rig);

}  // namespace animbridge
