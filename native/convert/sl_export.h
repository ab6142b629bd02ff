// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <span>

#include "base/job.h"
#include "base/json.h"
#include "formats/sl_anim/clip.h"
#include "rig/curves.h"

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
                                              const sl_anim::FromClip& options, const Job& job);

}  // namespace animbridge
