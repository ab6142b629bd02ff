// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "fuzz_inputs.h"
#include "fuzz_json_growth.h"

extern "C" {

std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

/// Sometimes makes a large input by repeating a value of a small one. That finds errors that only large
/// inputs cause, which chance would never make.
std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                    unsigned int seed) {
    constexpr unsigned int one_in = 64;
    constexpr std::size_t small = 4096;
    if (seed % one_in != 0 || size > small || max_size <= small) {
        return LLVMFuzzerMutate(data, size, max_size);
    }
    const unsigned int choice = seed / one_in;
    const std::string grown = animbridge::test::grown_json(animbridge::text_of({data, size}),
                                                           small + choice % (max_size - small), choice);
    std::copy(grown.begin(), grown.end(), data);
    return grown.size();
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    animbridge::test::try_json({data, size});
    return 0;
}
}
