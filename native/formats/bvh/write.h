// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "base/bytes.h"
#include "formats/bvh/document.h"

namespace animbridge::bvh {

struct WriteOptions {
    /// Digits behind the point of offsets and motion, 0..17; none, and for the frame time: as few as read
    /// back to the same double.
    std::optional<int> decimals{};
};

/// Canonical text: tabs, one line feed each, a frame a line. Without `decimals`, reading it gives the same
/// values, and writing them again the same bytes.
[[nodiscard]] Bytes write(const Document& document, const WriteOptions& options = {});

}  // namespace animbridge::bvh
