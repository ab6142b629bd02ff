// SPDX-License-Identifier: MIT
#include "base/heap.h"

namespace animbridge {

// The heap of Windows keeps what it gets as it is.
void keep_freed_memory(std::size_t) {}

}  // namespace animbridge
