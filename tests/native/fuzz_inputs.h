// SPDX-License-Identifier: MIT
#pragma once

#include "base/bytes.h"

/// What the fuzz targets do with their bytes; the tests replay old findings through the same. All throw
/// BrokenInvariant.
namespace animbridge::test {

/// A .anim file, and everything that works with the document.
void try_sl_anim_read(ByteView bytes);

/// A BVH, read both ways, and everything that works with the document.
void try_bvh_read(ByteView bytes);

/// A raw OBAN, a .oni or its XML, and everything that works with the document.
void try_oban_read(ByteView bytes);

/// A level, and everything that works with it.
void try_oban_level(ByteView bytes);

/// OniSplit's XML, and numbers as it has them, against strtof.
void try_oban_xml(ByteView bytes);

/// Numbers between blanks, and any doubles, against strtod and snprintf.
void try_numbers(ByteView bytes);

/// A JSON document of any format; what can be read is kept by a round trip.
void try_json(ByteView bytes);

/// Arrays as the C interface takes them, out of arbitrary bytes: an armature, curves, options.
void try_curves(ByteView bytes);

/// The same with sampled poses, and then a reduction of what came of them.
void try_samples(ByteView bytes);

/// A sequence of calls of the C interface: read, edit, curves, export, write, read.
void try_calls(ByteView bytes);

}  // namespace animbridge::test
