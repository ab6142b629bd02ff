// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/base.h"
#include "base/options/options.h"

namespace animbridge::scene {

/// A limit for the memory that reading a glTF file takes: many channels may use the same numbers, so that a
/// small file can ask for gigabytes.
class GltfRoom {
public:
    explicit GltfRoom(std::uint32_t mebibytes)
        : mebibytes_(mebibytes), left_bytes_(std::uint64_t{mebibytes} << 20U) {}

    /// ErrorCode::bad_value: less is left.
    [[nodiscard]] Result<void> take(std::uint64_t bytes) {
        if (bytes > left_bytes_) {
            return fail(over_memory(mebibytes_));
        }
        left_bytes_ -= bytes;
        return {};
    }

private:
    std::uint32_t mebibytes_;
    std::uint64_t left_bytes_;
};

}  // namespace animbridge::scene
