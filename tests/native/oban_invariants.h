// SPDX-License-Identifier: MIT
#pragma once

#include "formats/oban/file/file.h"
#include "invariants.h"

/// Invariants of every OBAN, without Catch; failures throw BrokenInvariant.
namespace animbridge::test {

/// Gives bytes to the reader. They must be refused with a proper error, or read into a document that
/// everything else can work with; a raw record and a .oni are written again bit for bit. Returns whether they
/// were read.
bool check_oban_bytes(ByteView bytes, Effort effort);

/// A document that its reader could have made: its file reads back to it, its JSON and the checks work, it
/// plays unless a finding forbids that, and every container accepts it.
void check_oban_document(const oban::file::Document& document, Effort effort);

}  // namespace animbridge::test
