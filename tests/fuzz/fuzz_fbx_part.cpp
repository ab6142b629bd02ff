// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>

#include "scene_child/attempts.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    animbridge::test::try_fbx_part({data, size});
    return 0;
}
