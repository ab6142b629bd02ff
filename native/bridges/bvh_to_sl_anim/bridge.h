// SPDX-License-Identifier: MIT
#pragma once

#include "bridges/bridge.h"
#include "formats/bvh/document.h"
#include "formats/sl_anim/bvh_loader.h"

namespace animbridge::bvh_to_sl_anim {

/// BVH to .anim as Second Life's viewer loads it for an upload. Options: upload_from_json. Report:
/// {"frames", "joints", "keys", "duration_seconds", "dropped", "clamped", "unknown_joints": names,
/// "warnings": sentences, "tolerated": what lenient reading put up with, as ab_document_check writes
/// findings, "broken_rule": null, or, where a lenient reading was needed, {"line", "field", "reason"} of what
/// the loader refuses}. ErrorCode::rejected where the loader refuses the file and the reading is strict.
extern const Bridge bridge;

/// A BVH from the lenient reader, in the loader's terms: values become floats, and positions go by their
/// channels' names. If several channels rotate about one axis, the last one counts, with a warning.
[[nodiscard]] sl_anim::BvhMotion motion_for_loader(const bvh::Document& document,
                                                   std::vector<std::string>& warnings);

}  // namespace animbridge::bvh_to_sl_anim
