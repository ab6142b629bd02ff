// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>

#include "fuzz_inputs.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    animbridge::test::try_sl_pose_read({data, size});
    return 0;
}
