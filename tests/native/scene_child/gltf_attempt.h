// SPDX-License-Identifier: MIT
#pragma once

#include "base/bytes.h"

namespace animbridge::test {

/// Reads any bytes as glTF 2. Throws if what is read breaks a promise of scene::Document.
void try_gltf_read(ByteView bytes);

}  // namespace animbridge::test
