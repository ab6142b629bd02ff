// SPDX-License-Identifier: MIT
#include "api/give_curves.h"
#include "api/take_curves.h"
#include "api/take_export.h"
#include "convert/oban_curves.h"
#include "convert/oban_document.h"
#include "convert/oban_export.h"

using namespace animbridge;
using api::guarded;
using api::misuse;

namespace {

/// `options` with the template in it, which may be NULL.
Result<ObanExportOptions> take_oban_options(const char* options_json, const ab_document* template_document) {
    const oban::Document* const base =
        template_document == nullptr ? nullptr : as_oban(*template_document->document);
    if (template_document != nullptr && base == nullptr) {
        return misuse("template_document is no OBAN");
    }
    return oban_export_options_from(options_json).map([&](ObanExportOptions options) {
        options.base = base;
        return options;
    });
}

struct TakenObanCurves {
    std::vector<rig::CurveView> views;
    KeptChannels kept;
};

Result<void> take_oban_curve(const ab_curve& given, TakenObanCurves& taken) {
    const bool is_location = given.channel == AB_CHANNEL_LOCATION;
    if (given.bone != -1 || (!is_location && given.channel != AB_CHANNEL_ROTATION_QUATERNION)) {
        return misuse("curve.bone is " + std::to_string(given.bone) + " and curve.channel " +
                      std::to_string(given.channel) +
                      "; allowed are location and quaternion of -1, the object: sample it instead");
    }
    if (given.component < 0 || given.component >= (is_location ? 3 : 4)) {
        return misuse("curve.component is " + std::to_string(given.component));
    }
    if (given.unchanged != 0) {
        (is_location ? taken.kept.location : taken.kept.rotation) = true;
        return {};
    }
    const std::size_t keys = given.key_count;
    if (keys == 0 || given.co == nullptr) {
        return misuse("curve.co is NULL or curve.key_count 0");
    }
    rig::CurveView& view = taken.views.emplace_back();
    view.bone = rig::no_bone;
    view.channel = is_location ? rig::BoneChannel::location : rig::BoneChannel::quaternion;
    view.component = static_cast<std::size_t>(given.component);
    view.points = {given.co, 2 * keys};
    if (given.interpolation != nullptr) {
        view.interpolation = {given.interpolation, keys};
    }
    return {};
}

Result<TakenObanCurves> take_oban_curves(const ab_curve* curves, std::size_t count) {
    if (curves == nullptr && count > 0) {
        return misuse("curves is NULL");
    }
    TakenObanCurves taken;
    api::GivenCurves seen;
    // The array's stride is the caller's own struct size.
    const auto* place = reinterpret_cast<const unsigned char*>(curves);
    for (std::size_t i = 0; i < count; ++i) {
        const auto* const pointer = reinterpret_cast<const ab_curve*>(place);
        const auto given = api::take_struct(pointer, ab_curve{}, "curve");
        if (!given) {
            return tl::unexpected<Error>(given.error());
        }
        const auto one =
            take_oban_curve(*given, taken).and_then([&] { return seen.add(*given, "the object"); });
        if (!one) {
            return tl::unexpected<Error>(one.error());
        }
        place += pointer->struct_size;
    }
    return taken;
}

void give_oban(ObanExport exported, ab_document** out, ab_buffer** report) {
    std::unique_ptr<ab_buffer> told(report == nullptr ? nullptr : api::new_json_buffer(exported.report));
    *out = api::new_document(make_document(std::move(exported.document)), "");
    if (report != nullptr) {
        *report = told.release();
    }
}

}  // namespace

extern "C" {

ab_status ab_curves_from_oban(const ab_document* document, const ab_timing* timing, const char* options_json,
                              ab_curves** out, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        if (document == nullptr || out == nullptr) {
            return misuse("document or out is NULL");
        }
        const oban::Document* const oban = as_oban(*document->document);
        if (oban == nullptr) {
            return misuse("document is no OBAN; one out of a level is ab_oban_from_level's");
        }
        const auto times = api::take_timing(timing);
        const auto space = oban_space_from(options_json);
        if (!times || !space) {
            return tl::unexpected<Error>(!times ? times.error() : space.error());
        }
        auto made = curves_from_oban(*oban, *times, *space);
        if (!made) {
            return tl::unexpected<Error>(in_file(std::move(made.error()), document->name));
        }
        rig::CurvesFromClip result;
        result.curves = std::move(made->curves);
        return api::give_curves(std::move(result), print_json(made->report), out);
    });
}

ab_status ab_oban_document_from_curves(const ab_timing* timing, const ab_curve* curves, size_t count,
                                       const char* options_json, const ab_document* template_document,
                                       ab_document** out, ab_buffer** report, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        if (out == nullptr) {
            return misuse("out is NULL");
        }
        const auto times = api::take_timing(timing);
        const auto options = take_oban_options(options_json, template_document);
        const auto taken = take_oban_curves(curves, count);
        if (!times || !options || !taken) {
            return tl::unexpected<Error>(!times ? times.error() : !options ? options.error() : taken.error());
        }
        return export_oban(*times, taken->views, taken->kept, *options).map([&](ObanExport exported) {
            give_oban(std::move(exported), out, report);
        });
    });
}

ab_status ab_oban_document_from_samples(const float* world_matrices, size_t count, const char* options_json,
                                        const ab_document* template_document, const ab_job* job,
                                        ab_document** out, ab_buffer** report, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        if (out == nullptr || (world_matrices == nullptr && count > 0)) {
            return misuse("out or world_matrices is NULL");
        }
        const auto options = take_oban_options(options_json, template_document);
        const auto work = api::take_job(job);
        if (!options || !work) {
            return tl::unexpected<Error>(!options ? options.error() : work.error());
        }
        constexpr std::size_t width = 16;
        return export_sampled_oban({world_matrices, width * count}, *options, *work)
            .map([&](ObanExport exported) { give_oban(std::move(exported), out, report); });
    });
}

}  // extern "C"
