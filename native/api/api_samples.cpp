// SPDX-License-Identifier: MIT
#include "api/take_armature.h"
#include "api/take_export.h"
#include "api/take_samples.h"
#include "convert/sl_document.h"
#include "convert/sl_export.h"
#include "convert/sl_reduce.h"

using namespace animbridge;
using api::guarded;
using api::misuse;

extern "C" {

ab_status ab_sl_document_from_samples(const ab_armature* armature, const ab_timing* timing,
                                      const ab_sl_samples* samples, const ab_sl_export* options,
                                      const ab_job* job, ab_document** out, ab_buffer** report,
                                      ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        if (out == nullptr) {
            return misuse("out is NULL");
        }
        const auto target = api::take_export(armature, timing, options, job);
        if (!target) {
            return tl::unexpected<Error>(target.error());
        }
        const rig::Armature& rig = target->rig->armature;
        const auto taken = api::take_samples(samples, rig.bones.size());
        if (!taken) {
            return tl::unexpected<Error>(taken.error());
        }
        auto exported = export_sampled_sl_anim(rig, target->rig->map, target->timing, taken->view,
                                               taken->bound ? &*taken->bound : nullptr, target->options,
                                               target->job, target->limits);
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
