// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace animbridge {

/// How much a reader tolerates. Readers are lenient unless they are asked to be strict. Of the binary
/// formats, only MRTK recordings know a difference.
enum class Reading : std::uint8_t {
    strict,   ///< what contradicts itself is an error
    lenient,  ///< whatever can be made sense of is read, and reported as a finding
};

}  // namespace animbridge
