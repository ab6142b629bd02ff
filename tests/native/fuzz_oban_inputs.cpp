// SPDX-License-Identifier: MIT
#include "fuzz_inputs.h"
#include "oban_invariants.h"
#include "oban_level_invariants.h"

namespace animbridge::test {

void try_oban_read(ByteView bytes) { check_oban_bytes(bytes, Effort::full); }

void try_oban_level(ByteView bytes) { check_oban_level_bytes(bytes, Effort::full); }

void try_oban_xml(ByteView bytes) { check_oban_xml_bytes(bytes); }

}  // namespace animbridge::test
