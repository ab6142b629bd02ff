// SPDX-License-Identifier: MIT
#pragma once

#include "base/base.h"
#include "formats/sl_anim/loader/loader.h"

namespace animbridge::test {

/// Options in the first eight bytes, then a BVH file. It must be refused with a reason and a line, or loaded
/// into a document that its file holds without loss. Throws BrokenInvariant.
void try_bvh_loader(ByteView bytes);

/// As above, with given options; the file may be read leniently. Returns whether the loader accepted it.
bool try_bvh_loader(ByteView file, const sl_anim::loader::BvhLoad& options);

}  // namespace animbridge::test
