// SPDX-License-Identifier: MIT
#include "base/huge_pages.h"

namespace animbridge {

// Windows gives large pages only to programs with a privilege that users do not have.
void prefer_huge_pages(const void*, std::size_t) {}

}  // namespace animbridge
