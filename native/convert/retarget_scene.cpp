// SPDX-License-Identifier: MIT
#include "convert/retarget_scene.h"

#include <utility>

#include "convert/retargeting.h"
#include "rig/armature_skeleton.h"

namespace animbridge {

namespace {

/// The options of the call, apart.
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

/// A motion on a skeleton, and what its makers left out.
struct SourceMotion {
    Clip clip;
    std::vector<glm::dquat> reference{};  ///< as in ReferencePoses
    std::vector<std::string> warnings{};
};

Result<std::vector<glm::dquat>> local_pose(const rig::ArmatureSkeleton& skeleton,
                                           std::span<const float> matrices) {
    return matrices.empty() ? std::vector<glm::dquat>() : rig::local_rotations(skeleton, matrices);
}

Result<SourceMotion> motion_of_document(const AnyDocument& document, const Json& options) {
    const Format& format = document.format();
    if (format.to_clip == nullptr) {
        return fail(ErrorCode::invalid_argument, std::string(format.noun) + " has no motion to retarget: " +
                                                     std::string(format.reasons.no_clip));
    }
    return format.to_clip(document, options).map([](ClipMade made) {
        return SourceMotion{std::move(made.clip)};
    });
}

Result<SourceMotion> motion_of_armature(const SceneRetarget& request) {
    const rig::ArmatureSkeleton made = rig::skeleton_of(*request.source);
    if (made.skeleton.nodes.empty() || request.samples.frames.empty()) {
        return fail(ErrorCode::invalid_argument, "the source has no bones, or no samples");
    }
    TRY(auto reference, local_pose(made, request.source_pose));
    const double duration_seconds = request.timing.seconds_at(request.samples.frames.back());
    return rig::clip_from_samples(request.samples, made.skeleton, 0, made.armature, made.map, request.timing,
                                  duration_seconds)
        .map([&](rig::ClipFromSamples sampled) {
            return SourceMotion{std::move(sampled.clip), std::move(reference), std::move(sampled.warnings)};
        });
}

Json texts_json(const std::vector<std::string>& texts) {
    Json list = Json::array();
    for (const std::string& text : texts) {
        list.push_back(json_text(text));
    }
    return list;
}

/// What an import onto an armature reports.
Json report_of(const rig::Retargeted& done, const rig::CurvesFromClip& curves, const rig::Timing& timing) {
    Json matched = Json::array();
    for (const rig::SlotReport& slot : done.report.slots) {
        matched.push_back({{"joint", json_text(slot.source_joints.front())},
                           {"bone", json_text(slot.target_joints.front())}});
    }
    std::vector<std::string> warnings = done.report.warnings;
    warnings.insert(warnings.end(), curves.warnings.begin(), curves.warnings.end());
    return {{"retarget", rig::retarget_json(done.report)},
            {"duration_seconds", done.clip.duration_seconds},
            {"frame_end", timing.frame_at(done.clip.duration_seconds)},
            {"matched", std::move(matched)},
            {"unmatched_joints", texts_json(done.report.only_in_source)},
            {"warnings", texts_json(warnings)}};
}

}  // namespace

Result<CurvesMade> retargeted_curves(const SceneRetarget& request) {
    const SplitOptions options = split_options(request.options);
    TRY(auto motion, request.document != nullptr ? motion_of_document(*request.document, options.document)
                                                 : motion_of_armature(request));
    const rig::ArmatureSkeleton made = rig::skeleton_of(request.target);
    TRY(auto target_pose, local_pose(made, request.target_pose));
    TRY(const auto source, motion_with_rig(std::move(motion.clip), options.retarget));
    TRY(const auto target, target_with_rig(made.skeleton, options.retarget));
    TRY(auto done, retargeted(source, target, options.retarget, request.job,
                              {std::move(motion.reference), std::move(target_pose)}));
    done.report.warnings.insert(done.report.warnings.end(), motion.warnings.begin(), motion.warnings.end());
    auto curves = rig::curves_from_clip(done.clip, made.armature, made.map, request.timing);
    Json report = report_of(done, curves, request.timing);
    return CurvesMade{std::move(curves), std::move(report)};
}

}  // namespace animbridge
