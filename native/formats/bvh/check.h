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

/// How strictly to check; each level includes the ones before it.
enum class Level : std::uint8_t {
    playback,  ///< what readers refuse or read differently from what is written
    strict,    ///< also what probably looks wrong
    upload,    ///< also what Second Life's BVH upload refuses or changes
};

/// Indexed by Level.
inline constexpr std::array<std::string_view, 3> level_names = {"playback", "strict", "upload"};

/// The reader's notes by line, then the document's own findings. Each rule adds at most 100 findings; the
/// last one says how many more there are.
[[nodiscard]] std::vector<Finding> check(const Document& document, Level level);

[[nodiscard]] std::span<const Rule> rules();

}  // namespace animbridge::bvh
