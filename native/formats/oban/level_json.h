// SPDX-License-Identifier: MIT
#pragma once

#include "base/json.h"
#include "formats/oban/level.h"

namespace animbridge::oban {

/// docs/schemas/oban_level.schema.json: the records, and the bytes around them as hexadecimal digits.
/// from_json(to_json(x)) == x.
[[nodiscard]] Json to_json(const Level& level);

/// ErrorCode::bad_value with the member's place. Records keep their sizes and names: replacing one by another
/// is replaced()'s work.
[[nodiscard]] Result<Level> level_from_json(const Json& json);

/// {"checksum": "pc", "mac", "ps2" or digits, "bytes", "instances", "obans": [{"name", "instance",
/// "placeholder", "keys", "frames", "bytes", "offset", "flags"}]}
[[nodiscard]] Json info(const Level& level);

}  // namespace animbridge::oban
