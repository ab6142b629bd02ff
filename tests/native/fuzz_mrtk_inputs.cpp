// SPDX-License-Identifier: MIT
#include "fuzz_inputs.h"
#include "mrtk_invariants.h"

namespace animbridge::test {

void try_mrtk_read(ByteView bytes) { check_mrtk_bytes(bytes, Effort::full); }

}  // namespace animbridge::test
