// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace animbridge {

/// Asks the system to back fresh memory by large pages where it has any: filling tens of megabytes then costs
/// a fraction of the page faults. A hint; nothing depends on it.
void prefer_huge_pages(const void* begin, std::size_t size);

}  // namespace animbridge
