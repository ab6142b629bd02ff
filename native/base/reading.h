// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace animbridge {

/// How much a reader of a text format puts up with. Binary formats know no difference.
enum class Reading : std::uint8_t {
    strict,   ///< what contradicts itself is an error
    lenient,  ///< whatever can be made sense of is read, and told as a finding
};

}  // namespace animbridge
