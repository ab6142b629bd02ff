// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "catch.h"

/// Work as a number that is the same in every run on a machine: the entered blocks of the library's code, and
/// the bytes processed by the C library's loops.
namespace animbridge::test {

[[nodiscard]] std::uint64_t work_so_far();

template <typename Run>
[[nodiscard]] std::uint64_t work_of(Run&& run) {
    const std::uint64_t before = work_so_far();
    std::forward<Run>(run)();
    return work_so_far() - before;
}

/// The smaller of the two input sizes. Eight times as much is enough to detect quadratic work.
inline constexpr std::size_t some_bytes = 40'000;

/// Checks that eight times the input takes about eight times the work. At these sizes n log n takes less than
/// ten times as much, and quadratic work sixty-four times. `make(n)` makes an input of a size proportional to
/// n; `run` processes it.
template <typename Make, typename Run>
void check_linear(std::size_t n, Make&& make, Run&& run) {
    const auto small = make(n);
    const auto large = make(8 * n);
    run(small);  // builds what the process keeps, such as tables
    const std::uint64_t few = work_of([&] { run(small); });
    const std::uint64_t many = work_of([&] { run(large); });
    INFO("work at n: " << few << ", at 8 n: " << many);
    CHECK(few > 0);
    CHECK(static_cast<double>(many) <= 10.0 * static_cast<double>(few));
}

}  // namespace animbridge::test
