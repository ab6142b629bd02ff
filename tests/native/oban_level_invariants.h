// SPDX-License-Identifier: MIT
#pragma once

#include "invariants.h"

namespace animbridge::test {

/// Bytes given to the reader of levels: refused with a proper error, or listed so that every animation can be
/// read, written to the bit and replaced. Whether they were read.
bool check_oban_level_bytes(ByteView bytes, Effort effort);

/// Bytes given to the reader of XML, and its words to the reader of numbers: what is read is written so that
/// it reads back. Whether they were read.
bool check_oban_xml_bytes(ByteView bytes);

}  // namespace animbridge::test
