// SPDX-License-Identifier: MIT
#include "base/heap.h"

namespace animbridge {

// The heap of Windows already keeps freed memory.
void keep_freed_memory(std::size_t) {}

}  // namespace animbridge
