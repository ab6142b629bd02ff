// SPDX-License-Identifier: MIT
#include "fuzz_inputs.h"
#include "oban_invariants.h"

namespace animbridge::test {

void try_oban_read(ByteView bytes) { check_oban_bytes(bytes, Effort::full); }

}  // namespace animbridge::test
