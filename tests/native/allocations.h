// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

/// The tests' operator new and pugixml's malloc, which count and can be made to fail.
namespace animbridge::test {

/// The fate of the allocations after the one that failed.
enum class Then { works, fails };

/// Counts this thread's allocations until it is destroyed; the one numbered `failing` (from 0) fails.
class Allocations {
public:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    explicit Allocations(std::size_t failing = none, Then then = Then::works);
    ~Allocations();
    Allocations(const Allocations&) = delete;
    Allocations& operator=(const Allocations&) = delete;
    Allocations(Allocations&&) = delete;
    Allocations& operator=(Allocations&&) = delete;

    /// The number of requested allocations.
    [[nodiscard]] static std::size_t count();
    /// Allocations that were not freed, minus older ones that were.
    [[nodiscard]] static std::ptrdiff_t live();
    /// The peak number of bytes in use.
    [[nodiscard]] static std::size_t peak_bytes();
};

}  // namespace animbridge::test
