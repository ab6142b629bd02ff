// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace animbridge {

/// How a reader of a text format treats errors in a file. Readers of binary formats make no difference.
enum class Reading : std::uint8_t {
    strict,   ///< a contradiction in the file is an error
    lenient,  ///< whatever makes sense is read, and each error becomes a finding
};

}  // namespace animbridge
