// SPDX-License-Identifier: MIT
#include "base/huge_pages.h"

#include <sys/mman.h>

#include <cstdint>

namespace animbridge {

void prefer_huge_pages(const void* begin, std::size_t size) {
#ifdef MADV_HUGEPAGE
    constexpr std::uintptr_t huge = std::uintptr_t{2} << 20U;
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    const std::uintptr_t first = (address + huge - 1) & ~(huge - 1);
    const std::uintptr_t last = (address + size) & ~(huge - 1);
    if (first < last) {
        // Its failure means ordinary pages. NOLINTNEXTLINE(performance-no-int-to-ptr)
        (void)::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
    }
#endif
}

}  // namespace animbridge
