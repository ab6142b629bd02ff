// SPDX-License-Identifier: MIT
#pragma once

#include "formats/sl_pose/file/file.h"
#include "invariants.h"

/// Invariants of every viewer pose, without Catch; failures throw BrokenInvariant.
namespace animbridge::test {

/// Gives bytes to the reader. They must be refused with a proper error, or read into a document that is
/// written again byte for byte and that everything else can work with. Returns whether they were read.
bool check_pose_bytes(ByteView bytes, Effort effort);

/// A document that its reader could have made: its file and its JSON read back to it, and the player, the
/// checks and the summary work.
void check_pose_document(const sl_pose::file::Document& document, Effort effort);

}  // namespace animbridge::test
