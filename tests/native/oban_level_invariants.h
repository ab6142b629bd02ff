// SPDX-License-Identifier: MIT
#pragma once

#include "invariants.h"

namespace animbridge::test {

/// Gives bytes to the reader of levels. They must be refused with a proper error, or listed so that every
/// animation can be read, written bit for bit and replaced. Returns whether they were read.
bool check_oban_level_bytes(ByteView bytes, Effort effort);

/// Gives bytes to the reader of XML, and its words to the reader of numbers. What is read must be written so
/// that it reads back. Returns whether they were read.
bool check_oban_xml_bytes(ByteView bytes);

}  // namespace animbridge::test
