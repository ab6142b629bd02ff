// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace animbridge {

/// A float as stored in a file. Compared and copied by its bits, so that NaN payloads and -0 survive every
/// round trip.
struct RawFloat {
    std::uint32_t bits = 0;

    RawFloat() = default;
    explicit RawFloat(float value) : bits(std::bit_cast<std::uint32_t>(value)) {}

    [[nodiscard]] float value() const { return std::bit_cast<float>(bits); }
    [[nodiscard]] bool is_finite() const { return std::isfinite(value()); }

    bool operator==(const RawFloat&) const = default;
};

}  // namespace animbridge
