// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace animbridge::rig {

/// Blender's limit for a bone's name.
inline constexpr std::size_t most_name_bytes = 63;

/// One bone name per joint: valid UTF-8, without control characters, not empty, at most most_name_bytes long,
/// and made unique by ".001" and so on.
[[nodiscard]] std::vector<std::string> bone_names(std::span<const std::string> joint_names);

}  // namespace animbridge::rig
