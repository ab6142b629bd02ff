// SPDX-License-Identifier: MIT
// Any bytes as an .anim file: refused with a proper error, or read without loss into a document that
// everything else can work with.
#include <cstddef>
#include <cstdint>

#include "invariants.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    animbridge::test::check_bytes({data, size}, animbridge::test::Effort::full);
    return 0;
}
