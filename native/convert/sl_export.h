// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <span>

#include "base/job.h"
#include "base/json.h"
#include "convert/sl_limits.h"
#include "formats/sl_anim/clip.h"
#include "reduce/reducer.h"
#include "rig/curves.h"
#include "rig/rig_map.h"
#include "rig/samples.h"

namespace animbridge {

/// A curve that stands as it was imported.
struct UnchangedCurve {
    std::size_t bone = 0;
    rig::BoneChannel channel = rig::BoneChannel::quaternion;
};

struct SlExport {
    sl_anim::Document document;
    Json report;  ///< as ab_sl_document_from_curves describes it
};

/// Curves of an armature to a .anim document, measured with the viewer's player.
[[nodiscard]] Result<SlExport> export_sl_anim(const rig::Armature& armature, const rig::BoneMap& map,
                                              const rig::Timing& timing,
                                              std::span<const rig::CurveView> curves,
                                              std::span<const UnchangedCurve> unchanged,
                                              const sl_anim::FromClip& options, const Job& job,
                                              const SlLimits& limits = {});

/// Evaluated poses to a .anim document, measured at every sample. `bound`: keys are dropped while every
/// sample stays within it; nullptr: every sample is a key. Of the base, records of joints without an exported
/// bone stay.
[[nodiscard]] Result<SlExport> export_sampled_sl_anim(const rig::Armature& armature, const rig::BoneMap& map,
                                                      const rig::Timing& timing,
                                                      const rig::SampleView& samples,
                                                      const reduce::Bound* bound,
                                                      const sl_anim::FromClip& options, const Job& job,
                                                      const SlLimits& limits = {});

}  // namespace animbridge
