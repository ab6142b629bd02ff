// SPDX-License-Identifier: MIT
#pragma once

#include "api/handles.h"
#include "convert/sl_export.h"

/// The structs about exports that several calls take, checked.
namespace animbridge::api {

[[nodiscard]] Result<rig::Timing> take_timing(const ab_timing* pointer);

struct TakenExport {
    sl_anim::FromClip options;
    SlLimits limits;
};

[[nodiscard]] Result<TakenExport> take_export(const ab_sl_export* pointer, const rig::Timing& timing);

/// Hands a finished export to the caller; `report` may be nullptr.
void give_export(SlExport exported, ab_document** out, ab_buffer** report);

}  // namespace animbridge::api
