// SPDX-License-Identifier: MIT
#pragma once

#include "formats/bvh/document.h"
#include "invariants.h"

/// What must hold of every BVH whatever, without Catch; what does not is thrown as a BrokenInvariant.
namespace animbridge::test {

/// Equal, down to the sign of zeros; notes aside.
[[nodiscard]] bool same_values(const bvh::Document& a, const bvh::Document& b);

/// Bytes given to the reader, strictly and leniently: refused with a proper error, or read into a document
/// that everything else can work with. Whether they were read leniently.
bool check_bvh_bytes(ByteView bytes, Effort effort);

/// A document from anywhere: its text reads back to it and is a fixed point; its JSON and the checks behave.
void check_bvh_document(const bvh::Document& document, Effort effort);

}  // namespace animbridge::test
