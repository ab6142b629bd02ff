// SPDX-License-Identifier: MIT
#pragma once

#include "base/json.h"
#include "formats/oban/level.h"

namespace animbridge::oban {

/// The level in the form of docs/schemas/oban_level.schema.json: the records, and the bytes around them in
/// hexadecimal. from_json(to_json(x)) == x.
[[nodiscard]] Json to_json(const Level& level);

/// ErrorCode::bad_value with the member's path. Records must keep their sizes and names; use replaced() to
/// change a size.
[[nodiscard]] Result<Level> level_from_json(const Json& json);

/// {"checksum": "pc", "mac", "ps2" or digits, "bytes", "instances", "obans": [{"name", "instance",
/// "placeholder", "keys", "frames", "bytes", "offset", "flags"}]}
[[nodiscard]] Json info(const Level& level);

}  // namespace animbridge::oban
