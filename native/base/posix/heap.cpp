// SPDX-License-Identifier: MIT
#include "base/heap.h"

#include <cstdlib>

#include "base/huge_pages.h"

#ifdef __GLIBC__
#include <malloc.h>

#include <limits>
#endif

namespace animbridge {

void keep_freed_memory([[maybe_unused]] std::size_t bytes) {
#ifdef __GLIBC__
    // By default, each large block is a separate mapping that goes back to the system when it is freed.
    // Called before any other thread exists. NOLINTBEGIN(concurrency-mt-unsafe)
    ::mallopt(M_MMAP_MAX, 0);
    ::mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
    // NOLINTEND(concurrency-mt-unsafe)
    // A block that is freed at once grows the heap: what comes next lies in its place.
    void* const block = std::malloc(bytes);  // NOLINT(*-no-malloc): the switch is malloc's
    if (block != nullptr) {
        prefer_huge_pages(block, bytes);
        std::free(block);  // NOLINT(*-no-malloc)
    }
#endif
}

}  // namespace animbridge
