// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace animbridge {

/// Makes new and malloc of the whole program keep freed memory for later requests, and asks for huge pages
/// for the first `bytes` of it. For programs that do one large job and end: filling fresh small pages takes
/// longer than most of the work on them. No memory is taken before it is used. This is only a hint, and does
/// nothing if the C library has no such setting. Call it before the program starts a thread.
void keep_freed_memory(std::size_t bytes);

}  // namespace animbridge
