// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/base.h"
#include "base/json/json.h"
#include "base/options/options.h"
#include "formats/bvh/file/file.h"
#include "formats/sl_anim/check/check.h"
#include "formats/sl_anim/file/file.h"
#include "formats/sl_anim/loader/loader.h"
#include "model/findings/findings.h"
#include "model/format/format.h"

/// From BVH to .anim as Second Life's upload makes it (docs/second-life-bvh.md, "Second Life's upload").
namespace animbridge::bvh_to_sl_anim {

/// Options: upload_from_json. Report: {"frames", "joints", "keys", "duration_seconds", "dropped", "clamped",
/// "unknown_joints": names, "warnings": sentences, "tolerated": what lenient reading tolerated, as findings
/// of ab_document_check, "broken_rule": null, or, if lenient reading was needed, {"line", "field", "reason"}
/// of what the loader refuses}. ErrorCode::rejected if the loader refuses the file and the reading is strict.
extern const Bridge bridge;

struct Upload {
    sl_anim::loader::BvhLoad load{};
    sl_anim::check::Grid target = sl_anim::check::Grid::second_life;
};

/// The grid, the fields of the upload dialog, and the anim.ini beside the BVH.
[[nodiscard]] std::span<const Option> options();

/// ErrorCode::bad_value with the member's name and what is allowed.
[[nodiscard]] Result<Upload> upload_from_json(const Json& options);

/// A BVH from the lenient reader, as the loader's input: values become floats, and positions are matched by
/// their channels' names. If several channels rotate about one axis, the last one is used, with a warning.
[[nodiscard]] sl_anim::loader::BvhMotion motion_for_loader(const bvh::file::Document& document,
                                                           std::vector<std::string>& warnings);

/// The report as text: what was dropped, clamped or warned about, and why an upload would be refused.
[[nodiscard]] std::string describe(const Json& report, const Json& give_back);

// ---- findings of Second Life about a BVH that is chosen for upload ----

/// Why an upload of this .anim, made by the loader, would be refused.
[[nodiscard]] std::vector<Finding> upload_refusals(const sl_anim::file::Document& document);

/// Adds what only the loader itself finds in the BVH: that it refuses the text, or without `text` the file as
/// it would be written, unless `findings` already says so; and why an upload of its .anim would be refused.
void add_upload_findings(const AnyDocument& document, ByteView text, std::vector<Finding>& findings);

}  // namespace animbridge::bvh_to_sl_anim
