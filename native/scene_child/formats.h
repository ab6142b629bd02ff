// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace animbridge::scene_child {

/// The formats that this program reads and writes, and its libraries' versions, as JSON:
/// scene_file::file::contract.
[[nodiscard]] std::string formats_json();

}  // namespace animbridge::scene_child
