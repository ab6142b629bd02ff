// SPDX-License-Identifier: MIT
#include <cmath>

#include "api/take_armature.h"
#include "api/take_export.h"
#include "convert/sl_document.h"
#include "convert/sl_export.h"
#include "convert/sl_reduce.h"

using namespace animbridge;
using api::guarded;
using api::misuse;

namespace {

/// The caller's samples, and the bound that they come with.
struct TakenSamples {
    rig::SampleView view;
    std::optional<reduce::Bound> bound{};
};

Result<TakenSamples> take_samples(const ab_sl_samples* pointer, std::size_t bones) {
    const auto given = api::take_struct(pointer, ab_sl_samples{}, "samples");
    if (!given) {
        return tl::unexpected<Error>(given.error());
    }
    const std::size_t count = given->sample_count;
    if (count > 0 && (given->frames == nullptr || (given->matrices == nullptr && bones > 0))) {
        return misuse("samples.frames or samples.matrices is NULL");
    }
    if (!std::isfinite(given->max_position_mm) || !std::isfinite(given->max_rotation_degrees)) {
        return misuse("samples.max_position_mm or samples.max_rotation_degrees is not a number");
    }
    TakenSamples taken;
    taken.view.frames = {given->frames, count};
    taken.view.matrices = {given->matrices, given->matrices == nullptr ? 0 : 16 * bones * count};
    if (given->object_matrices != nullptr) {
        taken.view.object_matrices = {given->object_matrices, 16 * count};
    }
    if (given->bones != nullptr) {
        taken.view.exported = {given->bones, bones};
    }
    if (given->max_position_mm > 0.0 && given->max_rotation_degrees > 0.0) {
        taken.bound = reduce::Bound{given->max_position_mm, given->max_rotation_degrees};
    }
    return taken;
}

}  // namespace

extern "C" {

ab_status ab_sl_document_from_samples(const ab_armature* armature, const ab_timing* timing,
                                      const ab_sl_samples* samples, const ab_sl_export* options,
                                      const ab_job* job, ab_document** out, ab_buffer** report,
                                      ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        if (out == nullptr) {
            return misuse("out is NULL");
        }
        const auto rig = api::take_armature(armature);
        const auto times = api::take_timing(timing);
        const auto work = api::take_job(job);
        if (!rig || !times || !work) {
            return tl::unexpected<Error>(!rig ? rig.error() : !times ? times.error() : work.error());
        }
        const auto taken = take_samples(samples, (*rig)->armature.bones.size());
        const auto wanted = api::take_export(options, *times);
        if (!taken || !wanted) {
            return tl::unexpected<Error>(!taken ? taken.error() : wanted.error());
        }
        auto exported = export_sampled_sl_anim((*rig)->armature, (*rig)->map, *times, taken->view,
                                               taken->bound ? &*taken->bound : nullptr, wanted->options,
                                               *work, wanted->limits);
        if (!exported) {
            return tl::unexpected<Error>(std::move(exported.error()));
        }
        api::give_export(std::move(*exported), out, report);
        return {};
    });
}

ab_status ab_sl_reduce(const ab_document* document, const char* options_json, const ab_job* job,
                       ab_document** out, ab_buffer** report, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        if (document == nullptr || out == nullptr) {
            return misuse("document or out is NULL");
        }
        const sl_anim::Document* given = as_sl_anim(*document->document);
        if (given == nullptr) {
            return misuse("document is no Second Life animation");
        }
        const auto options = reduce_options_from(options_json);
        const auto work = api::take_job(job);
        if (!options || !work) {
            return tl::unexpected<Error>(!options ? options.error() : work.error());
        }
        auto result = reduce_sl_anim(*given, *options, *work);
        if (!result) {
            return tl::unexpected<Error>(in_file(std::move(result.error()), document->name));
        }
        api::give_export({std::move(result->document), std::move(result->report)}, out, report);
        return {};
    });
}

}  // extern "C"
