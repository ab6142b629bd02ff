// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "base/bytes.h"

namespace animbridge {

using Sha256 = std::array<std::uint8_t, 32>;

/// SHA-256 (FIPS 180-4) of the bytes.
[[nodiscard]] Sha256 sha256(ByteView bytes);

/// sha256 as 64 lower-case hexadecimal digits.
[[nodiscard]] std::string sha256_hex(ByteView bytes);

}  // namespace animbridge
