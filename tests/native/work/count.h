// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "catch.h"

/// Work as a number that is the same in every run on one machine: the blocks of the library's code that were
/// entered, and the bytes that went through the C library's loops.
namespace animbridge::test {

[[nodiscard]] std::uint64_t work_so_far();

template <typename Run>
[[nodiscard]] std::uint64_t work_of(Run&& run) {
    const std::uint64_t before = work_so_far();
    std::forward<Run>(run)();
    return work_so_far() - before;
}

/// The smaller of the two sizes that inputs have: 8 times that is enough to see a square.
inline constexpr std::size_t some_bytes = 40'000;

/// Checks that eight times the input takes about eight times the work: what grows as n log n takes less than
/// ten times as much at these sizes, and what grows as the square takes sixty-four. `make(n)` makes an input
/// whose size goes with n; `run` works on it.
template <typename Make, typename Run>
void check_linear(std::size_t n, Make&& make, Run&& run) {
    const auto small = make(n);
    const auto large = make(8 * n);
    run(small);  // what is made once, tables for example, is there
    const std::uint64_t few = work_of([&] { run(small); });
    const std::uint64_t many = work_of([&] { run(large); });
    INFO("work at n: " << few << ", at 8 n: " << many);
    CHECK(few > 0);
    CHECK(static_cast<double>(many) <= 10.0 * static_cast<double>(few));
}

}  // namespace animbridge::test
