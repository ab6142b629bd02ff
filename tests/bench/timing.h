// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <functional>
#include <vector>

/// Timing for benchmarks that compare several ways in one run.
namespace animbridge::bench {

/// The process's time so far: what one core alone would take, whatever else the machine does.
inline double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The median processor time of one call in seconds, from at least three rounds, then until two seconds are
/// over.
inline double seconds_of(const std::function<void()>& call) {
    std::vector<double> rounds;
    double total = 0;
    while (rounds.size() < 3 || (total < 2.0 && rounds.size() < 2000)) {
        const double start = processor_seconds();
        call();
        rounds.push_back(processor_seconds() - start);
        total += rounds.back();
    }
    std::nth_element(rounds.begin(), rounds.begin() + static_cast<std::ptrdiff_t>(rounds.size() / 2),
                     rounds.end());
    return rounds[rounds.size() / 2];
}

/// Makes the compiler assume that the value is used.
template <typename T>
void keep(const T& value) {
    asm volatile("" : : "g"(&value) : "memory");
}

}  // namespace animbridge::bench
