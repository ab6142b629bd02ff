// SPDX-License-Identifier: MIT
#pragma once

#include "bridges/bridge.h"

namespace animbridge::oban_level_to_oban {

/// One OBAN out of a level. Options: {"oban": name, as for find_oban}; report: {"oban": name, "instance":
/// number}.
extern const Bridge bridge;

}  // namespace animbridge::oban_level_to_oban
