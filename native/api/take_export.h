// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "api/handles.h"
#include "api/take_armature.h"
#include "base/job.h"
#include "convert/sl_export.h"

/// The structs about exports that several calls take, checked.
namespace animbridge::api {

[[nodiscard]] Result<rig::Timing> take_timing(const ab_timing* pointer);

/// All that exports to .anim take but for the motion itself.
struct TakenExport {
    std::unique_ptr<const TakenArmature> rig;
    rig::Timing timing;
    Job job;
    sl_anim::FromClip options;
    SlLimits limits;
};

[[nodiscard]] Result<TakenExport> take_export(const ab_armature* armature, const ab_timing* timing,
                                              const ab_sl_export* options, const ab_job* job);

/// Hands a finished export to the caller; `report` may be nullptr.
void give_export(SlExport exported, ab_document** out, ab_buffer** report);

}  // namespace animbridge::api
