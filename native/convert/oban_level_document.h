// SPDX-License-Identifier: MIT
#pragma once

#include "convert/bridges.h"
#include "convert/formats.h"
#include "formats/oban/level.h"

namespace animbridge {

[[nodiscard]] DocumentPtr make_document(oban::Level level);

/// The level inside, or nullptr when it is of another format.
[[nodiscard]] const oban::Level* as_oban_level(const AnyDocument& document);

/// One OBAN out of a level. Its options: {"oban": name}, as find_oban has it; the report: {"oban": name,
/// "instance": number}.
[[nodiscard]] Result<Bridged> oban_level_to_oban(const BridgeInput& input);

}  // namespace animbridge
