// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace animbridge::rig {

/// Blender's limit for a bone's name.
inline constexpr std::size_t most_name_bytes = 63;

/// A bone's name for each joint's: as UTF-8, without control characters, not empty, at most most_name_bytes
/// long, and made unique by ".001" and so on.
[[nodiscard]] std::vector<std::string> bone_names(std::span<const std::string> joint_names);

}  // namespace animbridge::rig
