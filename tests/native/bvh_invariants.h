// SPDX-License-Identifier: MIT
#pragma once

#include "formats/bvh/clip/clip.h"
#include "formats/bvh/file/file.h"
#include "invariants.h"

/// Invariants of every BVH, without Catch; failures throw BrokenInvariant.
namespace animbridge::test {

/// +Y up and facing +Z, as in most files, become +Z up and facing +X.
inline constexpr bvh::clip::Placement usual_placement{{{2, 0, 1}, {1.0, 1.0, 1.0}}, 1.0};

/// Equal down to the sign of zeros, except for notes.
[[nodiscard]] bool same_values(const bvh::file::Document& a, const bvh::file::Document& b);

/// Gives bytes to the reader, strictly and leniently. They must be refused with a proper error, or read into
/// a document that everything else can work with. Returns whether they were read leniently.
bool check_bvh_bytes(ByteView bytes, Effort effort);

/// A document from any source: its text reads back to it and is a fixed point; its JSON and the checks work.
void check_bvh_document(const bvh::file::Document& document, Effort effort);

}  // namespace animbridge::test
