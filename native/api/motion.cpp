// SPDX-License-Identifier: MIT
#include "api/api.h"

#include <span>

#include "base/options/options.h"
#include "convert/retarget/retarget.h"
#include "editing/editing.h"
#include "formats/registry.h"
#include "playback/playback.h"

using namespace animbridge;
using api::guarded;
using api::misuse;

namespace {

/// Fills in the F-curve at an index over all channels.
Result<void> fill_curve(const ab_curves& curves, std::size_t index, ab_curve& filled) {
    const auto& ends = curves.channel_ends;
    const auto end = std::ranges::upper_bound(ends, index);
    if (end == ends.end()) {
        return misuse("index is not below ab_curves_count");
    }
    const rig::curves::BoneCurves& channel =
        curves.result.curves[static_cast<std::size_t>(end - ends.begin())];
    const std::size_t component = index - (*end - channel.points.size());
    filled.bone = channel.bone == rig::curves::no_bone ? -1 : static_cast<std::int32_t>(channel.bone);
    filled.channel = static_cast<std::int32_t>(channel.channel);
    filled.component = static_cast<std::int32_t>(component);
    filled.key_count = static_cast<std::uint32_t>(channel.points[component].size() / 2);
    filled.co = channel.points[component].data();
    if (!channel.interpolation.empty()) {
        filled.interpolation = channel.interpolation[component].data();
    }
    if (!channel.handles_left.empty()) {
        filled.handle_left = channel.handles_left[component].data();
        filled.handle_right = channel.handles_right[component].data();
    }
    filled.inserted = channel.inserted.empty() ? nullptr : channel.inserted.data();
    filled.sources = channel.sources.empty() ? nullptr : channel.sources[component].data();
    filled.property =
        channel.channel == rig::armature::BoneChannel::property ? channel.property.c_str() : nullptr;
    return {};
}

}  // namespace

extern "C" {

ab_status ab_curves_from_document(const ab_document* document, const ab_armature* armature,
                                  const ab_timing* timing, const char* options_json, const ab_job* job,
                                  ab_curves** out, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        TRY_VOID(api::require("document or out", document, out));
        const Format& format = document->document->format();
        if (format.scene.to_curves == nullptr) {
            return misuse(std::string(format.reasons.no_motion));
        }
        TRY(const auto rig, api::take_armature_or_object(armature));
        TRY(const auto times, api::take_timing(timing));
        TRY(const auto options, options_from(options_json));
        TRY(const auto work, api::take_job(job));
        TRY_VOID(work.report(0.0));
        auto made = playback::curves_of(*document->document, {rig ? &*rig : nullptr, times, options, work});
        if (!made) {
            return fail(in_file(std::move(made.error()), document->name));
        }
        return api::give_curves(std::move(made->result), print_json(made->report), out);
    });
}

size_t ab_curves_count(const ab_curves* curves) {
    return curves == nullptr || curves->channel_ends.empty() ? 0 : curves->channel_ends.back();
}

ab_status ab_curves_get(const ab_curves* curves, size_t index, ab_curve* out, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        if (curves == nullptr || out == nullptr || out->struct_size < sizeof(out->struct_size)) {
            return misuse("curves or out is NULL, or out->struct_size is not set");
        }
        ab_curve filled{};
        TRY_VOID(fill_curve(*curves, index, filled));
        filled.struct_size = out->struct_size;
        std::memcpy(out, &filled, std::min<std::size_t>(filled.struct_size, sizeof(filled)));
        return {};
    });
}

ab_status ab_curves_report(const ab_curves* curves, ab_buffer** out, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        TRY_VOID(api::require("curves or out", curves, out));
        *out = api::new_buffer(curves->report);
        return {};
    });
}

void ab_curves_free(ab_curves* curves) { delete curves; }

ab_status ab_curves_edit(const ab_armature* armature, const ab_timing* timing, const ab_curve* curves,
                         size_t count, const char* options_json, const ab_job* job, ab_curves** out,
                         ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        TRY_VOID(api::require("out", out));
        TRY(const auto rig, api::take_armature(armature));
        TRY(const auto times, api::take_timing(timing));
        TRY(const auto taken, api::take_curves(curves, count, &rig.armature));
        TRY(const auto options, options_from(options_json));
        TRY(const auto work, api::take_job(job));
        TRY(auto made, editing::edited_curves({rig.armature, taken.views, times, options}, work));
        return api::give_curves(std::move(made.result), print_json(made.report), out);
    });
}

}  // extern "C"

namespace {

/// The arguments that exports of curves and of samples share.
struct Scene {
    const Format* format;
    std::optional<rig::armature::SceneRig> rig;
    rig::curves::Timing timing;
    const AnyDocument* template_document;
    Json options;
    Job job;

    [[nodiscard]] const rig::armature::SceneRig* rig_or_null() const { return rig ? &*rig : nullptr; }
    [[nodiscard]] const rig::armature::Armature* armature_or_null() const {
        return rig ? &rig->armature : nullptr;
    }
};

Result<const Format*> take_format(const char* id) {
    const Format* format = id == nullptr ? nullptr : find_format(id);
    if (format == nullptr) {
        return misuse(id == nullptr ? "format is NULL" : "unknown format \"" + std::string(id) + "\"");
    }
    if (!playback::takes_scenes(*format)) {
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
    const auto is_property = [](const auto& curve) {
        return curve.channel == rig::armature::BoneChannel::property;
    };
    if (!format.clip.has_properties && (std::ranges::any_of(taken.views, is_property) ||
                                        std::ranges::any_of(taken.unchanged, is_property))) {
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
        TRY_VOID(api::require("out", out));
        TRY(const auto scene, take_scene(format, armature, timing, template_document, options_json, job));
        TRY(const auto taken, api::take_curves(curves, count, scene.armature_or_null()));
        TRY_VOID(require_known_channels(*scene.format, taken));
        return playback::document_of(
                   *scene.format, {scene.rig_or_null(), scene.timing, taken.views, taken.unchanged, nullptr,
                                   scene.template_document, scene.options, scene.job})
            .map([&](Made made) { give(std::move(made), out, report); });
    });
}

ab_status ab_document_from_samples(const char* format, const ab_armature* armature, const ab_timing* timing,
                                   const ab_samples* samples, const ab_document* template_document,
                                   const char* options_json, const ab_job* job, ab_document** out,
                                   ab_buffer** report, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        TRY_VOID(api::require("out", out));
        TRY(const auto scene, take_scene(format, armature, timing, template_document, options_json, job));
        TRY(const auto taken, api::take_samples(samples, scene.armature_or_null()));
        return playback::document_of(*scene.format, {scene.rig_or_null(),
                                                     scene.timing,
                                                     {},
                                                     {},
                                                     &taken,
                                                     scene.template_document,
                                                     scene.options,
                                                     scene.job})
            .map([&](Made made) { give(std::move(made), out, report); });
    });
}

}  // extern "C"

namespace {

/// The caller's request, with its armatures copied.
struct TakenRetarget {
    const AnyDocument* document = nullptr;
    std::optional<rig::armature::Armature> source{};
    rig::curves::SampleView samples{};
    std::vector<rig::curves::CurveView> curves{};
    std::span<const double> frames{};
    std::span<const float> source_pose{};
    rig::armature::Armature target{};
    std::span<const float> target_pose{};
};

std::span<const float> matrices_at(const float* numbers, const rig::armature::Armature& armature) {
    return numbers == nullptr ? std::span<const float>() : std::span(numbers, 16 * armature.bones.size());
}

/// The source's motion: its samples, or else its curves at frames.
Result<void> take_motion(const ab_retarget& given, TakenRetarget& taken) {
    if (given.samples != nullptr) {
        return api::take_samples(given.samples, &*taken.source)
            .map([&](const rig::curves::SampleView& samples) { taken.samples = samples; });
    }
    if (given.frames == nullptr && given.frame_count > 0) {
        return misuse("retarget.frames is NULL");
    }
    TRY(auto curves, api::take_curves(given.curves, given.curve_count, &*taken.source));
    const bool is_of_bones =
        curves.unchanged.empty() &&
        std::ranges::all_of(curves.views, [](const auto& view) { return view.bone != rig::curves::no_bone; });
    if (!is_of_bones) {
        return misuse(
            "retarget.curves: a curve is marked unchanged, or is of a property; allowed are curves "
            "of bones");
    }
    taken.curves = std::move(curves.views);
    taken.frames = {given.frames, given.frame_count};
    return {};
}

Result<TakenRetarget> take_retarget(const ab_retarget* pointer) {
    TRY(const auto given, api::take_struct(pointer, ab_retarget{}, "retarget"));
    if ((given.document == nullptr) == (given.source == nullptr)) {
        return misuse("retarget: one of document and source must be NULL, and not the other");
    }
    TakenRetarget taken;
    TRY(auto target, api::take_armature(given.target));
    taken.target = std::move(target.armature);
    taken.target_pose = matrices_at(given.target_pose, taken.target);
    if (given.document != nullptr) {
        taken.document = given.document->document.get();
        return taken;
    }
    TRY(auto source, api::take_armature(given.source));
    taken.source = std::move(source.armature);
    TRY_VOID(take_motion(given, taken));
    taken.source_pose = matrices_at(given.source_pose, *taken.source);
    return taken;
}

}  // namespace

extern "C" {

ab_status ab_curves_from_retargeting(const ab_retarget* retarget, const ab_timing* timing,
                                     const char* options_json, const ab_job* job, ab_curves** out,
                                     ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        TRY_VOID(api::require("out", out));
        TRY(const auto taken, take_retarget(retarget));
        TRY(const auto times, api::take_timing(timing));
        TRY(const auto options, options_from(options_json));
        TRY(const auto work, api::take_job(job));
        TRY(auto made, retargeted_curves({taken.document, taken.source ? &*taken.source : nullptr,
                                          taken.samples, taken.curves, taken.frames, taken.source_pose,
                                          taken.target, taken.target_pose, times, options, work}));
        return api::give_curves(std::move(made.result), print_json(made.report), out);
    });
}

}  // extern "C"
