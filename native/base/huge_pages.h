// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace animbridge {

/// Asks the system to back new memory with huge pages, which saves most of the page faults of filling tens of
/// megabytes. Only a hint: nothing depends on it.
void prefer_huge_pages(const void* begin, std::size_t size);

}  // namespace animbridge
