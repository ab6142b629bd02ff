// SPDX-License-Identifier: MIT
#include "convert/retarget/retarget.h"

#include <utility>

#include "rig/armature/armature.h"
#include "rig/curves/curves.h"

namespace animbridge {

namespace {

/// The options of the call, separated.
struct SplitOptions {
    Json retarget = Json::object();
    Json document = Json::object();
};

SplitOptions split_options(const Json& options) {
    SplitOptions split;
    for (const auto& [name, value] : options.items()) {
        if (name == "document") {
            split.document = value;
        } else {
            split.retarget[name] = value;
        }
    }
    return split;
}

/// Curves hold the retargeted motion exactly, so there is no error to stop for.
Result<void> require_no_stop(const Json& retarget) {
    for (const char* option : {"stop_above_mm", "stop_above_degrees"}) {
        if (retarget.contains(option)) {
            Error error{ErrorCode::bad_value,
                        "is for files only; curves are as exact as the retargeted motion"};
            error.field = option;
            return fail(std::move(error));
        }
    }
    return {};
}

Result<std::vector<glm::dquat>> local_pose(const rig::armature::ArmatureSkeleton& skeleton,
                                           std::span<const float> matrices) {
    return matrices.empty() ? std::vector<glm::dquat>() : rig::armature::local_rotations(skeleton, matrices);
}

/// Each node's bone axes: offsets are about these, like the rotations of pose bones.
std::vector<glm::dquat> axes_of_bones(const rig::armature::ArmatureSkeleton& skeleton) {
    std::vector<glm::dquat> axes;
    for (const auto& bone : skeleton.map.bone_of_node) {
        axes.push_back(bone ? skeleton.armature.bones[*bone].rest.rotation : glm::dquat(1, 0, 0, 0));
    }
    return axes;
}

/// The motion of an armature, and the pose in which it looks like the target.
struct ArmatureMotion {
    RigMotion motion;
    std::vector<glm::dquat> pose{};  ///< as in ReferencePoses
};

/// The armature's motion at the frames, by its curves or by its samples.
Result<rig::curves::ClipFromSamples> clip_of_armature(const SceneRetarget& request,
                                                      const rig::armature::ArmatureSkeleton& made) {
    if (!request.frames.empty()) {
        return rig::curves::clip_at_frames(request.curves, made, request.frames, request.timing)
            .map([](Clip clip) {
                return rig::curves::ClipFromSamples{std::move(clip), {}, {}};
            });
    }
    const double duration_seconds = request.timing.seconds_at(request.samples.frames.back());
    return rig::curves::clip_from_samples(request.samples, made.skeleton, 0, made.armature, made.map,
                                          request.timing, duration_seconds);
}

/// The rig at rest or, if no body stands there, in the given pose, if one does.
Result<rig::humanoid::FoundRig> standing_rig(const Skeleton& skeleton, std::span<const glm::dquat> pose,
                                             const RigText& own) {
    TRY(auto at_rest, rig_of(skeleton, own, rig::humanoid::RigUse::source));
    if (pose.empty() || stands_at_rest(skeleton, at_rest)) {
        return at_rest;
    }
    Skeleton posed = skeleton;
    for (std::size_t node = 0; node < pose.size(); ++node) {
        posed.nodes[node].rest_local.rotation = pose[node];
    }
    TRY(auto found, rig_of(posed, own, rig::humanoid::RigUse::source));
    return stands_at_rest(posed, found) ? std::move(found) : std::move(at_rest);
}

Result<ArmatureMotion> motion_of_armature(const SceneRetarget& request, const RigText& own) {
    const rig::armature::ArmatureSkeleton made = rig::armature::skeleton_of(*request.source);
    if (made.skeleton.nodes.empty() || (request.samples.frames.empty() && request.frames.empty())) {
        return fail(ErrorCode::invalid_argument,
                    "the source has no bones, or neither samples nor frames are given");
    }
    TRY(auto pose, local_pose(made, request.source_pose));
    TRY(auto found, standing_rig(made.skeleton, pose, own));
    TRY(auto motion, clip_of_armature(request, made));
    found.warnings.insert(found.warnings.end(), motion.left_out.begin(), motion.left_out.end());
    return ArmatureMotion{{std::move(motion.clip), std::move(found)}, std::move(pose)};
}

Result<ArmatureMotion> motion_of(const SceneRetarget& request, const Json& to_clip, const RigText& own) {
    if (request.document == nullptr) {
        return motion_of_armature(request, own);
    }
    return motion_with_rig(*request.document, to_clip, own, rig::humanoid::RigUse::source)
        .map([](RigMotion motion) { return ArmatureMotion{std::move(motion)}; });
}

/// The report of an import to an armature.
Json report_of(const rig::retarget::Retargeted& done, const rig::curves::CurvesFromClip& curves,
               const rig::curves::Timing& timing) {
    Json matched = Json::array();
    for (const rig::retarget::SlotReport& slot : done.report.slots) {
        matched.push_back({{"joint", json_text(slot.source_joints.front())},
                           {"bone", json_text(slot.target_joints.front())}});
    }
    std::vector<std::string> warnings = done.report.warnings;
    warnings.insert(warnings.end(), curves.warnings.begin(), curves.warnings.end());
    return {{"retarget", rig::retarget::retarget_json(done.report)},
            {"duration_seconds", done.clip.duration_seconds},
            {"frame_end", timing.frame_at(done.clip.duration_seconds)},
            {"matched", std::move(matched)},
            {"unmatched_joints", texts_json(done.report.only_in_source)},
            {"warnings", texts_json(warnings)}};
}

/// Curves of what planting the source's own feet changes.
Result<CurvesMade> planted_curves(const SceneRetarget& request, const RigMotion& source,
                                  const rig::armature::ArmatureSkeleton& made) {
    if (source.clip.skeleton.nodes.size() != made.skeleton.nodes.size()) {
        Error error{ErrorCode::invalid_argument, "needs one armature as source and target"};
        error.field = "only_feet";
        return fail(in_request(std::move(error)));
    }
    TRY(const auto planted, rig::retarget::plant_feet(source.clip, source.rig, request.job));
    auto curves = rig::curves::curves_from_clip(planted.changed, made.armature, made.map, request.timing);
    const double duration = planted.changed.duration_seconds;
    Json report = {{"planted", rig::retarget::planted_json(planted)},
                   {"duration_seconds", duration},
                   {"frame_end", request.timing.frame_at(duration)},
                   {"warnings", texts_json(curves.warnings)}};
    return CurvesMade{std::move(curves), std::move(report)};
}

}  // namespace

Result<CurvesMade> retargeted_curves(const SceneRetarget& request) {
    const SplitOptions options = split_options(request.options);
    TRY_VOID(require_no_stop(options.retarget));
    TRY(const auto rigs, given_rigs(options.retarget));
    TRY(auto source, motion_of(request, options.document, rigs.source).map_error([&](Error error) {
        return in_rig_text(std::move(error), rigs.source, "source_rig");
    }));
    if (rigs.swap_sides) {
        rig::humanoid::swap_sides(source.motion.rig);
    }
    const rig::armature::ArmatureSkeleton made = rig::armature::skeleton_of(request.target);
    if (options.retarget.value("only_feet", Json(false)) == true) {
        return planted_curves(request, source.motion, made);
    }
    TRY_VOID(require_person(source.motion, options.retarget));
    TRY(auto target_pose, local_pose(made, request.target_pose));
    TRY(auto found,
        rig_of(made.skeleton, rigs.target, rig::humanoid::RigUse::target).map_error([&](Error error) {
            return in_rig_text(std::move(error), rigs.target, "target_rig");
        }));
    const RigTarget target{made.skeleton, std::move(found)};
    TRY(const auto done, retargeted(source.motion, target, options.retarget, request.job,
                                    {std::move(source.pose), std::move(target_pose), axes_of_bones(made)}));
    auto curves = rig::curves::curves_from_clip(done.clip, made.armature, made.map, request.timing);
    Json report = report_of(done, curves, request.timing);
    return CurvesMade{std::move(curves), std::move(report)};
}

}  // namespace animbridge
