// SPDX-License-Identifier: MIT
#include "formats/bvh/motion.h"

#include "formats/bvh/clip.h"
#include "formats/bvh/curves.h"
#include "formats/bvh/export.h"
#include "formats/bvh/options.h"
#include "formats/bvh/skeleton.h"
#include "formats/bvh/turn.h"
#include "formats/clip_pose.h"

namespace animbridge::bvh {

namespace {

rig::JointMatch match_joints(const Document& document, const rig::SceneRig& rig, bool by_rig_map) {
    const std::vector<rig::NamedJoint> joints = named_joints(document);
    return by_rig_map ? rig::match_by_rig_map(joints, rig.armature, *rig.avatar, rig.map())
                      : rig::match_by_names(joints, rig.armature);
}

/// The direction in which the character faces: the caller's, or else the one that the rig map finds. If it
/// finds none, -Y, the direction of Blender's front view.
rig::Facing facing_of(const rig::SceneRig& rig) {
    if (!rig.finds_facing) {
        return rig.armature.facing;
    }
    return rig::find_facing(*rig.avatar, rig.armature,
                            rig::map_clear_bones(*rig.avatar, rig.armature, rig.map()))
        .value_or(rig::Facing::negative_y);
}

/// Quarter turns from -Y to the direction in which the character faces.
std::size_t quarters_to(rig::Facing facing) {
    switch (facing) {
        case rig::Facing::x:
            return 1;
        case rig::Facing::y:
            return 2;
        case rig::Facing::negative_x:
            return 3;
        case rig::Facing::negative_y:
            break;
    }
    return 0;
}

/// What both kinds of export need.
struct ExportInput {
    rig::Armature armature;
    ExportOptions options;
};

template <typename Request>
Result<ExportInput> export_input(const Request& request) {
    const auto rig = require_rig(request.rig);
    const auto template_document = template_of(request.template_document, as_bvh, format);
    if (!rig || !template_document) {
        return tl::unexpected<Error>(!rig ? rig.error() : template_document.error());
    }
    return export_options_from(request.options, request.timing).map([&](ExportOptions options) {
        if (options.turns_to_facing) {
            options.placement.axes = options.placement.axes.rotated(quarters_to(facing_of(**rig)));
        }
        options.template_document = *template_document;
        ExportInput export_{(*rig)->armature, std::move(options)};
        export_.armature.facing = rig::Facing::x;  // the options' axes replace the armature's facing
        return export_;
    });
}

Result<Made> made_of(Export exported, const ExportOptions& options, const rig::Timing& timing) {
    return unless_far_off(
        {make_document(std::move(exported.document)), std::move(exported.report), std::move(exported.worst)},
        export_bound(options.stop_above_mm), timing);
}

}  // namespace

Result<CurvesMade> to_scene_curves(const File& file, const ToCurves& request) {
    const Document& document = file.document;
    const auto scene_rig = require_rig(request.rig);
    const auto options = import_options_from(request.options);
    if (!scene_rig || !options) {
        return tl::unexpected<Error>(!scene_rig ? scene_rig.error() : options.error());
    }
    const rig::SceneRig& rig = **scene_rig;
    const rig::JointMatch match = match_joints(document, rig, options->by_rig_map);
    Placement placement = options->placement;
    if (options->by_rig_map) {
        placement.axes = rotated_like(rig.armature, document, placement.axes, match);
    }
    return to_curves(document, placement, options->fit_height, rig.armature, match, request.timing)
        .map([&](Curves made) {
            Json report = curves_report(document, rig.armature, placement.axes, match, request.timing, made);
            return CurvesMade{std::move(made.result), std::move(report)};
        });
}

Result<Made> from_curves(const FromCurves& request) {
    return export_input(request).and_then([&](const ExportInput& input) {
        return export_curves(input.armature, request.timing, request.curves, request.unchanged, input.options,
                             request.job)
            .and_then(
                [&](Export exported) { return made_of(std::move(exported), input.options, request.timing); });
    });
}

Result<Made> from_samples(const FromSamples& request) {
    return export_input(request).and_then([&](const ExportInput& input) {
        return export_samples(input.armature, request.timing, request.samples, input.options, request.job)
            .and_then(
                [&](Export exported) { return made_of(std::move(exported), input.options, request.timing); });
    });
}

Result<std::vector<std::string>> played_joints(const File& file) {
    std::vector<std::string> names;
    for (const Joint& joint : file.document.joints) {
        names.push_back(joint.name);
    }
    return names;
}

Result<void> play(const File& file, std::span<const double> times_seconds,
                  std::optional<double> /*stop_seconds*/, const PoseArrays& out) {
    const double frame_seconds =
        file.document.frame_time_seconds > 0.0 ? file.document.frame_time_seconds : 1.0;
    return to_clip(file.document, {}, frame_seconds).and_then([&](const Clip& clip) {
        return play_clip(clip, times_seconds, out);
    });
}

}  // namespace animbridge::bvh
