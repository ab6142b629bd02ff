// SPDX-License-Identifier: MIT
#pragma once

#include "formats/oban/document.h"
#include "invariants.h"

/// What must hold of every OBAN whatever, without Catch; what does not is thrown as a BrokenInvariant.
namespace animbridge::test {

/// Bytes given to the reader: refused with a proper error, or read into a document that everything else can
/// work with; a raw record and a .oni are written again to the bit. Whether they were read.
bool check_oban_bytes(ByteView bytes, Effort effort);

/// A document from anywhere that its reader could have made: its file reads back to it, its JSON and the
/// checks behave, it can be played unless a finding says no, and it goes into every container.
void check_oban_document(const oban::Document& document, Effort effort);

}  // namespace animbridge::test
