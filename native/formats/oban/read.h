// SPDX-License-Identifier: MIT
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "formats/oban/document.h"

namespace animbridge::oban {

/// Whether the content is that of a file with one OBAN: a container of version 32 (or the never seen 33,
/// which read() refuses), OniSplit's XML, or a raw record, which has no mark but its size: ask this last.
[[nodiscard]] bool sniff(ByteView file);

/// Reads a file with one animation: a raw record, a stand-alone .oni (of several OBANs the first one) or
/// OniSplit's XML, told apart by content. Errors name the field, as docs/oban-format.md has it, and where it
/// begins. A level (.dat, VR31) holds many and is refused here: ErrorCode::unsupported_version.
[[nodiscard]] Result<Document> read(ByteView file);

}  // namespace animbridge::oban
