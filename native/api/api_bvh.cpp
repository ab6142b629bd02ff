// SPDX-License-Identifier: MIT
#include "api/take_armature.h"
#include "api/take_curves.h"
#include "api/take_export.h"
#include "api/take_samples.h"
#include "convert/bvh_document.h"
#include "convert/bvh_export.h"
#include "convert/bvh_options.h"
#include "convert/bvh_rig.h"
#include "formats/sl_anim/skeleton.h"
#include "rig/bvh_turn.h"

using namespace animbridge;
using api::guarded;
using api::misuse;

namespace {

Result<const bvh::Document*> take_bvh(const ab_document* document) {
    if (document == nullptr) {
        return misuse("document is NULL");
    }
    const bvh::Document* bvh = as_bvh(*document->document);
    if (bvh == nullptr) {
        return misuse("document is no BVH");
    }
    return bvh;
}

rig::JointMatch match_joints(const bvh::Document& document, const api::TakenArmature& taken,
                             bool by_rig_map) {
    const std::vector<rig::NamedJoint> joints = named_joints(document);
    return by_rig_map
               ? rig::match_by_rig_map(joints, taken.armature, sl_anim::playing_skeleton(), taken.rig_map())
               : rig::match_by_names(joints, taken.armature);
}

/// How the character looks, as the caller says or as the rig map tells; else along -Y, as Blender's front
/// view has it.
rig::Facing facing_of(const api::TakenArmature& taken) {
    if (!taken.finds_facing) {
        return taken.armature.facing;
    }
    const Skeleton avatar = sl_anim::playing_skeleton();
    return rig::find_facing(avatar, taken.armature,
                            rig::map_clear_bones(avatar, taken.armature, taken.rig_map()))
        .value_or(rig::Facing::negative_y);
}

/// From -Y to where the character looks.
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

/// What both ways of making a BVH take.
struct Target {
    rig::Armature armature;
    rig::Timing timing;
    BvhExportOptions options;
    Job job;
};

Result<Target> take_target(const ab_armature* armature, const ab_timing* timing,
                           const ab_document* template_document, const char* options_json,
                           const ab_job* job) {
    const bvh::Document* const base =
        template_document == nullptr ? nullptr : as_bvh(*template_document->document);
    if (template_document != nullptr && base == nullptr) {
        return misuse("template_document is no BVH");
    }
    auto taken = api::take_unmapped_armature(armature);
    const auto times = api::take_timing(timing);
    const auto work = api::take_job(job);
    if (!taken || !times || !work) {
        return tl::unexpected<Error>(!taken ? taken.error() : !times ? times.error() : work.error());
    }
    return bvh_export_options_from(options_json, *times).map([&](BvhExportOptions options) {
        if (options.turns_to_facing) {
            options.placement.axes = options.placement.axes.turned(quarters_to(facing_of(**taken)));
        }
        options.base = base;
        Target target{std::move((*taken)->armature), *times, std::move(options), *work};
        target.armature.facing = rig::Facing::x;  // the options' axes say where things are
        return target;
    });
}

void give(BvhExport exported, ab_document** out, ab_buffer** report) {
    std::unique_ptr<ab_buffer> told(report == nullptr ? nullptr : api::new_json_buffer(exported.report));
    *out = api::new_document(make_document(std::move(exported.document)), "");
    if (report != nullptr) {
        *report = told.release();
    }
}

}  // namespace

extern "C" {

ab_status ab_bvh_skeleton_json(const ab_document* document, const char* placement_json, ab_buffer** out,
                               ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        const auto bvh = take_bvh(document);
        if (!bvh || out == nullptr) {
            return bvh ? misuse("out is NULL") : tl::unexpected<Error>(bvh.error());
        }
        return bvh_placement_from(placement_json)
            .and_then([&](const bvh::Placement& placement) { return bvh_skeleton_json(**bvh, placement); })
            .map([&](const Json& json) { *out = api::new_json_buffer(json); })
            .map_error([&](Error problem) { return in_file(std::move(problem), document->name); });
    });
}

ab_status ab_curves_from_bvh(const ab_document* document, const ab_armature* armature,
                             const ab_timing* timing, const char* options_json, ab_curves** out,
                             ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        const auto bvh = take_bvh(document);
        if (!bvh || out == nullptr) {
            return bvh ? misuse("out is NULL") : tl::unexpected<Error>(bvh.error());
        }
        const auto taken = api::take_unmapped_armature(armature);
        const auto times = api::take_timing(timing);
        const auto options = bvh_import_options_from(options_json);
        if (!taken || !times || !options) {
            return tl::unexpected<Error>(!taken ? taken.error() : !times ? times.error() : options.error());
        }
        const rig::JointMatch match = match_joints(**bvh, **taken, options->by_rig_map);
        bvh::Placement placement = options->placement;
        if (options->by_rig_map) {
            placement.axes = rig::turned_like((*taken)->armature, **bvh, placement.axes, match);
        }
        auto made =
            rig::curves_from_bvh(**bvh, placement, options->fit_height, (*taken)->armature, match, *times);
        if (!made) {
            return tl::unexpected<Error>(in_file(std::move(made.error()), document->name));
        }
        auto curves = std::make_unique<ab_curves>();
        curves->report =
            print_json(bvh_curves_report(**bvh, (*taken)->armature, placement.axes, match, *times, *made));
        curves->result = std::move(made->result);
        *out = api::release_curves(std::move(curves));
        return {};
    });
}

ab_status ab_bvh_document_from_curves(const ab_armature* armature, const ab_timing* timing,
                                      const ab_curve* curves, size_t count,
                                      const ab_document* template_document, const char* options_json,
                                      const ab_job* job, ab_document** out, ab_buffer** report,
                                      ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        if (out == nullptr) {
            return misuse("out is NULL");
        }
        auto target = take_target(armature, timing, template_document, options_json, job);
        if (!target) {
            return tl::unexpected<Error>(std::move(target.error()));
        }
        const auto taken = api::take_curves(curves, count, target->armature);
        if (!taken) {
            return tl::unexpected<Error>(taken.error());
        }
        return export_bvh(target->armature, target->timing, taken->views, taken->unchanged, target->options,
                          target->job)
            .map([&](BvhExport exported) { give(std::move(exported), out, report); });
    });
}

ab_status ab_bvh_document_from_samples(const ab_armature* armature, const ab_timing* timing,
                                       const ab_sl_samples* samples, const ab_document* template_document,
                                       const char* options_json, const ab_job* job, ab_document** out,
                                       ab_buffer** report, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        if (out == nullptr) {
            return misuse("out is NULL");
        }
        const auto target = take_target(armature, timing, template_document, options_json, job);
        if (!target) {
            return tl::unexpected<Error>(target.error());
        }
        const auto taken = api::take_samples(samples, target->armature.bones.size());
        if (!taken) {
            return tl::unexpected<Error>(taken.error());
        }
        return export_sampled_bvh(target->armature, target->timing, taken->view, target->options, target->job)
            .map([&](BvhExport exported) { give(std::move(exported), out, report); });
    });
}

}  // extern "C"
