// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace animbridge::scene_child {

/// What this program reads and writes, and with which versions, as JSON (contract.h).
[[nodiscard]] std::string formats_json();

}  // namespace animbridge::scene_child
