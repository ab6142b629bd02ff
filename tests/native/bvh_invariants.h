// SPDX-License-Identifier: MIT
#pragma once

#include "formats/bvh/document.h"
#include "formats/bvh/placement.h"
#include "invariants.h"

/// What must hold of every BVH whatever, without Catch; what does not is thrown as a BrokenInvariant.
namespace animbridge::test {

/// +Y up and looking along +Z, as most files have it, become +Z up and looking along +X.
inline constexpr bvh::Placement usual_placement{{{2, 0, 1}, {1.0, 1.0, 1.0}}, 1.0};

/// Equal, down to the sign of zeros; notes aside.
[[nodiscard]] bool same_values(const bvh::Document& a, const bvh::Document& b);

/// Bytes given to the reader, strictly and leniently: refused with a proper error, or read into a document
/// that everything else can work with. Whether they were read leniently.
bool check_bvh_bytes(ByteView bytes, Effort effort);

/// A document from anywhere: its text reads back to it and is a fixed point; its JSON and the checks behave.
void check_bvh_document(const bvh::Document& document, Effort effort);

}  // namespace animbridge::test
