// SPDX-License-Identifier: MIT
#pragma once

#include "formats/bvh/file/file.h"
#include "formats/sl_anim/loader/loader.h"
#include "model/format/format.h"

namespace animbridge::bvh_to_sl_anim {

/// Converts BVH to .anim like Second Life's viewer for an upload. Options: upload_from_json. Report:
/// {"frames", "joints", "keys", "duration_seconds", "dropped", "clamped", "unknown_joints": names,
/// "warnings": sentences, "tolerated": what lenient reading tolerated, as findings of ab_document_check,
/// "broken_rule": null, or, if lenient reading was needed, {"line", "field", "reason"} of what the loader
/// refuses}. ErrorCode::rejected if the loader refuses the file and the reading is strict.
extern const Bridge bridge;

/// A BVH from the lenient reader, as the loader's input: values become floats, and positions are matched by
/// their channels' names. If several channels rotate about one axis, the last one is used, with a warning.
[[nodiscard]] sl_anim::BvhMotion motion_for_loader(const bvh::Document& document,
                                                   std::vector<std::string>& warnings);

}  // namespace animbridge::bvh_to_sl_anim
