// SPDX-License-Identifier: MIT
#pragma once

#include "base/json.h"
#include "formats/mrtk/document.h"

namespace animbridge::mrtk {

/// The whole document; from_json(to_json(d)) == d. Floats that are not finite are written as their bits.
[[nodiscard]] Json to_json(const Document& document);
/// ErrorCode::bad_value names the member and what is allowed.
[[nodiscard]] Result<Document> from_json(const Json& json);

/// A summary: version, duration, and which parts exist with how many keys.
[[nodiscard]] Json info(const Document& document);

}  // namespace animbridge::mrtk
