// SPDX-License-Identifier: MIT
#include "base/huge_pages.h"

#include <sys/mman.h>

#include <cstdint>

namespace animbridge {

void prefer_huge_pages([[maybe_unused]] const void* begin, [[maybe_unused]] std::size_t size) {
#ifdef MADV_HUGEPAGE
    // Rounds outwards to whole pages, so that adjacent requests can share a huge page.
    constexpr std::uintptr_t page = 4096;
    constexpr std::size_t worth_it = 64 * page;
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    const std::uintptr_t first = address & ~(page - 1);
    const std::uintptr_t last = (address + size + page - 1) & ~(page - 1);
    if (size >= worth_it) {
        // If it fails, the memory has ordinary pages. NOLINTNEXTLINE(performance-no-int-to-ptr)
        (void)::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
    }
#endif
}

}  // namespace animbridge
