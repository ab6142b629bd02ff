// SPDX-License-Identifier: MIT
#pragma once

#include "base/bytes.h"
#include "base/reading.h"
#include "formats/bvh/document.h"

namespace animbridge::bvh {

/// Whether the text begins as a BVH does (byte order mark and blanks aside), whatever follows.
[[nodiscard]] bool sniff(ByteView bytes);

/// Parses a BVH in any of the dialects of docs/bvh.md. Errors name line, column, what was found and what is
/// allowed; nothing recurses; memory is at most 10 times the input. Strict: frames that do not fit their
/// declared number and decimal commas are errors; lenient: whole frames are kept and notes tell. Numbers are
/// those of strtod in the C locale, bit for bit; anything not finite is an error.
[[nodiscard]] Result<Document> read(ByteView bytes, Reading reading);

}  // namespace animbridge::bvh
