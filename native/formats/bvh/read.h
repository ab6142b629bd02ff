// SPDX-License-Identifier: MIT
#pragma once

#include "base/bytes.h"
#include "base/reading.h"
#include "formats/bvh/document.h"

namespace animbridge::bvh {

/// Whether the text begins like a BVH, after a byte order mark and blanks.
[[nodiscard]] bool sniff(ByteView bytes);

/// Parses a BVH in any of the dialects of docs/bvh.md. Errors give the line and column, what was found and
/// what is allowed. Nothing recurses, and memory is at most 10 times the input. Strict reading refuses
/// decimal commas and a wrong number of frames; lenient reading keeps the complete frames and adds notes.
/// Numbers equal strtod's in the C locale, bit for bit; numbers that are not finite are errors.
[[nodiscard]] Result<Document> read(ByteView bytes, Reading reading);

}  // namespace animbridge::bvh
