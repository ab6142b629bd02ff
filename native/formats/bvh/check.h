// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "formats/bvh/document.h"
#include "model/finding.h"

namespace animbridge::bvh {

/// How much is looked for; each level includes the ones before it.
enum class Level : std::uint8_t {
    playback,  ///< what readers refuse, or take otherwise than written
    strict,    ///< and what will probably look wrong
    upload,    ///< and what Second Life's upload of a BVH makes of it, which asks for more than others
};

/// In the order of the levels.
inline constexpr std::array<std::string_view, 3> level_names = {"playback", "strict", "upload"};

/// The reader's notes by line, then what the rules say about the document; of each rule at
/// most 100 findings, the last of which tells how many more there are.
[[nodiscard]] std::vector<Finding> check(const Document& document, Level level);

/// The table of rules.
[[nodiscard]] std::span<const Rule> rules();

}  // namespace animbridge::bvh
