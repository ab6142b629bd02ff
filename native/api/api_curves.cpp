// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include "api/give_curves.h"
#include "api/take_armature.h"
#include "api/take_samples.h"
#include "base/options/options.h"
#include "rig/exchange/exchange.h"

using namespace animbridge;
using api::guarded;
using api::misuse;

namespace {

/// Fills in the F-curve at an index over all channels.
Result<void> fill_curve(const ab_curves& curves, std::size_t index, ab_curve& filled) {
    const auto& ends = curves.channel_ends;
    const auto end = std::upper_bound(ends.begin(), ends.end(), index);
    if (end == ends.end()) {
        return misuse("index is not below ab_curves_count");
    }
    const rig::BoneCurves& channel = curves.result.curves[static_cast<std::size_t>(end - ends.begin())];
    const std::size_t component = index - (*end - channel.points.size());
    filled.bone = channel.bone == rig::no_bone ? -1 : static_cast<std::int32_t>(channel.bone);
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
    filled.property = channel.channel == rig::BoneChannel::property ? channel.property.c_str() : nullptr;
    return {};
}

}  // namespace

extern "C" {

ab_status ab_curves_from_document(const ab_document* document, const ab_armature* armature,
                                  const ab_timing* timing, const char* options_json, const ab_job* job,
                                  ab_curves** out, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        if (document == nullptr || out == nullptr) {
            return misuse("document or out is NULL");
        }
        const Format& format = document->document->format();
        if (format.to_curves == nullptr) {
            return misuse(std::string(format.reasons.no_motion));
        }
        TRY(const auto rig, api::take_armature_or_object(armature));
        TRY(const auto times, api::take_timing(timing));
        TRY(const auto options, options_from(options_json));
        TRY(const auto work, api::take_job(job));
        TRY_VOID(work.report(0.0));
        auto made = format.to_curves(*document->document, {rig ? &*rig : nullptr, times, options, work});
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
        if (curves == nullptr || out == nullptr) {
            return misuse("curves or out is NULL");
        }
        *out = api::new_buffer(curves->report);
        return {};
    });
}

void ab_curves_free(ab_curves* curves) { delete curves; }

}  // extern "C"
