// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <span>

#include "base/job.h"
#include "base/json.h"
#include "formats/sl_anim/clip.h"
#include "formats/sl_anim/limits.h"
#include "model/comparison.h"
#include "reduce/reducer.h"
#include "rig/curves.h"
#include "rig/rig_map.h"
#include "rig/samples.h"

namespace animbridge::sl_anim {

struct Export {
    Document document;
    Json report;                        ///< as ab_document_from_curves describes it
    WorstDifference worst{};            ///< at times that the file can hold
    std::vector<std::string> causes{};  ///< of positions far off, in sentences
};

/// Exports an armature's curves to a .anim, and measures it with the viewer's player. `bound`: drop keys of
/// changed tracks while all joints stay within it; null keeps every key.
[[nodiscard]] Result<Export> export_curves(const rig::Armature& armature, const rig::BoneMap& map,
                                           const rig::Timing& timing, std::span<const rig::CurveView> curves,
                                           std::span<const rig::UnchangedCurve> unchanged,
                                           const FromClip& options, const Job& job, const Limits& limits = {},
                                           const reduce::Bound* bound = nullptr);

/// Exports evaluated poses to a .anim, and measures it at every sample. `bound`: drop keys while every sample
/// stays within it; null keeps every sample as a key. The template's records of joints without an exported
/// bone stay.
[[nodiscard]] Result<Export> export_samples(const rig::Armature& armature, const rig::BoneMap& map,
                                            const rig::Timing& timing, const rig::SampleView& samples,
                                            const reduce::Bound* bound, const FromClip& options,
                                            const Job& job, const Limits& limits = {});

}  // namespace animbridge::sl_anim
