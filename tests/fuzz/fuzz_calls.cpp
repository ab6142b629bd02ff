// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>

#include <stdlib.h>

#include "fuzz_inputs.h"

/// Starts no animbridge-scene: that takes a hundred times as long as all else, and fuzzes none of it.
extern "C" int LLVMFuzzerInitialize(int* /*count*/, char*** /*words*/) {
    return setenv("ANIMBRIDGE_SCENE", "/nowhere", 1);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    animbridge::test::try_calls({data, size});
    return 0;
}
