// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace animbridge {

/// Asks the system to back new memory with huge pages, which avoids most page faults when tens of megabytes
/// are filled. This is only a hint: nothing depends on it.
void prefer_huge_pages(const void* begin, std::size_t size);

}  // namespace animbridge
