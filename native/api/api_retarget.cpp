// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "api/give_curves.h"
#include "api/handles.h"
#include "api/take_armature.h"
#include "api/take_curves.h"
#include "api/take_samples.h"
#include "base/options/options.h"
#include "convert/retarget_scene.h"

using namespace animbridge;
using api::guarded;
using api::misuse;

namespace {

/// The caller's request, with its armatures copied.
struct TakenRetarget {
    const AnyDocument* document = nullptr;
    std::optional<rig::Armature> source{};
    rig::SampleView samples{};
    std::vector<rig::CurveView> curves{};
    std::span<const double> frames{};
    std::span<const float> source_pose{};
    rig::Armature target{};
    std::span<const float> target_pose{};
};

std::span<const float> matrices_at(const float* numbers, const rig::Armature& armature) {
    return numbers == nullptr ? std::span<const float>() : std::span(numbers, 16 * armature.bones.size());
}

/// The source's motion: its samples, or else its curves at frames.
Result<void> take_motion(const ab_retarget& given, TakenRetarget& taken) {
    if (given.samples != nullptr) {
        return api::take_samples(given.samples, &*taken.source).map([&](const rig::SampleView& samples) {
            taken.samples = samples;
        });
    }
    if (given.frames == nullptr && given.frame_count > 0) {
        return misuse("retarget.frames is NULL");
    }
    TRY(auto curves, api::take_curves(given.curves, given.curve_count, &*taken.source));
    const bool is_of_bones =
        curves.unchanged.empty() && std::all_of(curves.views.begin(), curves.views.end(),
                                                [](const auto& view) { return view.bone != rig::no_bone; });
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
        if (out == nullptr) {
            return misuse("out is NULL");
        }
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
