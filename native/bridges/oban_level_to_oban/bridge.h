// SPDX-License-Identifier: MIT
#pragma once

#include "model/format/format.h"

namespace animbridge::oban_level_to_oban {

/// Extracts one OBAN from a level. Options: {"oban": name, as in find_oban}; report: {"oban": name,
/// "instance": number}.
extern const Bridge bridge;

}  // namespace animbridge::oban_level_to_oban
