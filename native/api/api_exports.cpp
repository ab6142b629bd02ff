// SPDX-License-Identifier: MIT
#include <algorithm>

#include "api/handles.h"
#include "api/take_armature.h"
#include "api/take_curves.h"
#include "api/take_samples.h"
#include "base/options/options.h"
#include "formats/registry.h"
#include "rig/exchange/exchange.h"

using namespace animbridge;
using api::guarded;
using api::misuse;

namespace {

/// The arguments that exports of curves and of samples share.
struct Scene {
    const Format* format;
    std::optional<rig::SceneRig> rig;
    rig::Timing timing;
    const AnyDocument* template_document;
    Json options;
    Job job;

    [[nodiscard]] const rig::SceneRig* rig_or_null() const { return rig ? &*rig : nullptr; }
    [[nodiscard]] const rig::Armature* armature_or_null() const { return rig ? &rig->armature : nullptr; }
};

Result<const Format*> take_format(const char* id) {
    const Format* format = id == nullptr ? nullptr : find_format(id);
    if (format == nullptr) {
        return misuse(id == nullptr ? "format is NULL" : "unknown format \"" + std::string(id) + "\"");
    }
    if (format->from_curves == nullptr) {
        return misuse(std::string(format->reasons.no_motion));
    }
    return format;
}

Result<Scene> take_scene(const char* format_id, const ab_armature* armature, const ab_timing* timing,
                         const ab_document* template_document, const char* options_json, const ab_job* job) {
    TRY(const Format* const format, take_format(format_id));
    TRY(auto rig, api::take_armature_or_object(armature));
    TRY(const auto times, api::take_timing(timing));
    TRY(auto options, options_from(options_json));
    TRY(auto work, api::take_job(job));
    return Scene{format,
                 std::move(rig),
                 times,
                 template_document == nullptr ? nullptr : template_document->document.get(),
                 std::move(options),
                 std::move(work)};
}

/// Most formats cannot hold properties.
Result<void> require_known_channels(const Format& format, const api::TakenCurves& taken) {
    const auto is_property = [](const auto& curve) { return curve.channel == rig::BoneChannel::property; };
    if (!format.has_properties &&
        (std::any_of(taken.views.begin(), taken.views.end(), is_property) ||
         std::any_of(taken.unchanged.begin(), taken.unchanged.end(), is_property))) {
        return misuse("curve.channel is AB_CHANNEL_PROPERTY; " + std::string(format.noun) +
                      " has no place for a property");
    }
    return {};
}

void give(Made made, ab_document** out, ab_buffer** report) {
    api::give_report(made.report, report, [&] { *out = api::new_document(std::move(made.document), ""); });
}

}  // namespace

extern "C" {

ab_status ab_document_from_curves(const char* format, const ab_armature* armature, const ab_timing* timing,
                                  const ab_curve* curves, size_t count, const ab_document* template_document,
                                  const char* options_json, const ab_job* job, ab_document** out,
                                  ab_buffer** report, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        if (out == nullptr) {
            return misuse("out is NULL");
        }
        TRY(const auto scene, take_scene(format, armature, timing, template_document, options_json, job));
        TRY(const auto taken, api::take_curves(curves, count, scene.armature_or_null()));
        TRY_VOID(require_known_channels(*scene.format, taken));
        return scene.format
            ->from_curves({scene.rig_or_null(), scene.timing, taken.views, taken.unchanged,
                           scene.template_document, scene.options, scene.job})
            .map([&](Made made) { give(std::move(made), out, report); });
    });
}

ab_status ab_document_from_samples(const char* format, const ab_armature* armature, const ab_timing* timing,
                                   const ab_samples* samples, const ab_document* template_document,
                                   const char* options_json, const ab_job* job, ab_document** out,
                                   ab_buffer** report, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        if (out == nullptr) {
            return misuse("out is NULL");
        }
        TRY(const auto scene, take_scene(format, armature, timing, template_document, options_json, job));
        TRY(const auto taken, api::take_samples(samples, scene.armature_or_null()));
        return scene.format
            ->from_samples(
                {scene.rig_or_null(), scene.timing, taken, scene.template_document, scene.options, scene.job})
            .map([&](Made made) { give(std::move(made), out, report); });
    });
}

}  // extern "C"
