// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "base/bytes.h"
#include "formats/bvh/document.h"

namespace animbridge::bvh {

inline constexpr int most_decimals = 17;

struct WriteOptions {
    /// Digits after the point of offsets and motion, 0..most_decimals. Null: as few as read back to the same
    /// double; the frame time always has those.
    std::optional<int> decimals{};
};

/// Canonical text: tabs, line feeds, one frame per line. Without `decimals`, reading it gives the same
/// values, and writing those again gives the same bytes.
[[nodiscard]] Bytes write(const Document& document, const WriteOptions& options = {});

}  // namespace animbridge::bvh
