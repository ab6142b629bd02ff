// SPDX-License-Identifier: MIT
#pragma once

#include "base/bytes.h"
#include "formats/sl_anim/bvh_loader.h"

namespace animbridge::test {

/// Options in the first eight bytes, a BVH file behind them: refused with a reason and a line, or loaded into
/// a document of which nothing is lost in its file. Throws BrokenInvariant.
void try_bvh_loader(ByteView bytes);

/// The same with given options; the file may be read leniently. Whether the loader took it.
bool try_bvh_loader(ByteView file, const sl_anim::BvhLoad& options);

}  // namespace animbridge::test
