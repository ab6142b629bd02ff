// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "base/bytes.h"
#include "formats/format.h"
#include "formats/sl_anim/document.h"
#include "model/finding.h"

/// What Second Life reports about a BVH that is chosen for upload.
namespace animbridge::bvh_to_sl_anim {

/// Why an upload of this .anim, made by the loader, would be refused.
[[nodiscard]] std::vector<Finding> upload_refusals(const sl_anim::Document& document);

/// Adds what only the loader itself knows of the BVH: that it refuses the text, or without `text` the file as
/// it would be written, where nothing in `findings` says so yet; and why the upload of the .anim that it
/// makes would be refused.
void add_upload_findings(const AnyDocument& document, ByteView text, std::vector<Finding>& findings);

}  // namespace animbridge::bvh_to_sl_anim
