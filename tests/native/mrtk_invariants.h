// SPDX-License-Identifier: MIT
#pragma once

#include "formats/mrtk/file/file.h"
#include "invariants.h"

/// Invariants of every MRTK recording, without Catch; failures throw BrokenInvariant.
namespace animbridge::test {

/// Gives bytes to the reader, strict and lenient. They must be refused with a proper error, or read into a
/// document that is written again bit for bit and that everything else can work with. Returns whether lenient
/// reading accepted them.
bool check_mrtk_bytes(ByteView bytes, Effort effort);

/// A document that its reader could have made: its file and its JSON read back to it, and it plays unless a
/// finding forbids that.
void check_mrtk_document(const mrtk::file::Document& document, Effort effort);

}  // namespace animbridge::test
