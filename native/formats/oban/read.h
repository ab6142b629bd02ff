// SPDX-License-Identifier: MIT
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "formats/oban/document.h"

namespace animbridge::oban {

/// Whether the bytes look like a file with one OBAN: a container of version 32 (or 33, never seen, which
/// read() refuses), OniSplit's XML, or a raw record. A raw record is recognised only by its size, so ask this
/// format last.
[[nodiscard]] bool sniff(ByteView file);

/// Reads a file with one animation: a raw record, a stand-alone .oni (the first OBAN of several), or
/// OniSplit's XML; the content decides which. Errors name the field as in docs/oban-format.md, and the byte
/// where it begins. ErrorCode::unsupported_version: a level (.dat, VR31), which holds many.
[[nodiscard]] Result<Document> read(ByteView file);

}  // namespace animbridge::oban
