// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>

#include "fuzz_bvh_loader_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    animbridge::test::try_bvh_loader({data, size});
    return 0;
}
