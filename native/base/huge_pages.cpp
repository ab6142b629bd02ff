// SPDX-License-Identifier: MIT
#include "base/huge_pages.h"

#include <sys/mman.h>

#include <cstdint>

namespace animbridge {

void prefer_huge_pages(const void* begin, std::size_t size) {
#ifdef MADV_HUGEPAGE
    // Outwards to ordinary pages: neighbours that are asked for one after another then share large ones.
    constexpr std::uintptr_t page = 4096;
    constexpr std::size_t worth_it = 64 * page;
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    const std::uintptr_t first = address & ~(page - 1);
    const std::uintptr_t last = (address + size + page - 1) & ~(page - 1);
    if (size >= worth_it) {
        // Its failure means ordinary pages. NOLINTNEXTLINE(performance-no-int-to-ptr)
        (void)::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
    }
#endif
}

}  // namespace animbridge
