// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/base.h"
#include "base/json/json.h"
#include "base/options/options.h"
#include "formats/sl_anim/file/file.h"

/// Findings that mend themselves (docs/fixes.md): each is a row with the change that mends it and how far
/// that change may move a joint. A change is kept only if its finding is gone, also after an upload, no other
/// one has come, and nothing has moved that it does not name.
namespace animbridge::sl_anim::fix {

/// The options of `animbridge fix`.
[[nodiscard]] std::span<const Option> fix_options();

struct Fixed {
    file::Document document;  ///< the same, bit for bit, if nothing could be mended
    /// {"fixed": [{"rule", "what": a sentence, "joints", "max_degrees", "max_mm"}], "left": [{"rule",
    /// "reason"}], "findings_before", "findings_after": as findings_json lists them}
    Json report;
};

/// `asset_id`: as CheckOptions::asset_id. ErrorCode::bad_value names the member at fault.
[[nodiscard]] Result<Fixed> fixed(const file::Document& document, const Json& options,
                                  const std::string& asset_id);

/// A half second that puts back the joints whose positions stay after the animation: their places at rest,
/// with the same priorities. Nullopt: no position stays.
[[nodiscard]] std::optional<file::Document> undeforming(const file::Document& document);

}  // namespace animbridge::sl_anim::fix
