// SPDX-License-Identifier: MIT
#pragma once

#include "base/bytes.h"

namespace animbridge::test {

/// Reads any bytes as COLLADA that AnimBridge wrote. Throws if what is read breaks a promise of
/// scene::Document.
void try_dae_read(ByteView bytes);

}  // namespace animbridge::test
