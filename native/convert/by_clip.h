// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "formats/format.h"

/// The way between two formats that have no exact bridge: document, clip, document.
namespace animbridge {

/// `options`: an object of what the one format's to_clip and the other's from_clip take. The report is the
/// second one's, with "way": "clip" and all that either format leaves out in "left_out".
/// ErrorCode::invalid_argument: one of the formats has no such way. ErrorCode::bad_value names an option that
/// neither knows.
[[nodiscard]] Result<Made> by_clip(const AnyDocument& document, const Format& to, const Json& options,
                                   const Job& job);

/// The report for people.
[[nodiscard]] std::string describe_by_clip(const Json& report);

}  // namespace animbridge
