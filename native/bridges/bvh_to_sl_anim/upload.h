// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "base/base.h"
#include "formats/sl_anim/file/file.h"
#include "model/findings/findings.h"
#include "model/format/format.h"

/// Findings of Second Life about a BVH that is chosen for upload.
namespace animbridge::bvh_to_sl_anim {

/// Why an upload of this .anim, made by the loader, would be refused.
[[nodiscard]] std::vector<Finding> upload_refusals(const sl_anim::Document& document);

/// Adds what only the loader itself finds in the BVH: that it refuses the text, or without `text` the file as
/// it would be written, unless `findings` already says so; and why an upload of its .anim would be refused.
void add_upload_findings(const AnyDocument& document, ByteView text, std::vector<Finding>& findings);

}  // namespace animbridge::bvh_to_sl_anim
