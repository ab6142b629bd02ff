// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace animbridge {

/// Makes new and malloc of this whole program keep freed memory for the next request, and asks for huge pages
/// behind the first `bytes` of it. For programs that do one large job and end: filling fresh small pages
/// takes longer than most of what is done with them. No memory is taken before it is used. Only a hint, and
/// nothing at all where the C library has no such switch. Call it before the program starts a thread.
void keep_freed_memory(std::size_t bytes);

}  // namespace animbridge
