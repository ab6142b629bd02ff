// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

/// The tests' own operator new and malloc (as the linked code calls it): they count, and fail when told to.
namespace animbridge::test {

/// What becomes of the allocations behind the one that failed.
enum class Then { works, fails };

/// While it lives, this thread's allocations are counted, and the one numbered `failing` (from 0) fails.
class Allocations {
public:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    explicit Allocations(std::size_t failing = none, Then then = Then::works);
    ~Allocations();
    Allocations(const Allocations&) = delete;
    Allocations& operator=(const Allocations&) = delete;
    Allocations(Allocations&&) = delete;
    Allocations& operator=(Allocations&&) = delete;

    /// How many were asked for.
    [[nodiscard]] static std::size_t count();
    /// Those that were not given back, less those given back that are older.
    [[nodiscard]] static std::ptrdiff_t live();
    /// The most bytes in use at a time.
    [[nodiscard]] static std::size_t peak_bytes();
};

}  // namespace animbridge::test
