// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/bytes.h"

/// Files of the binary formats, and OniSplit's XML, that a careless reader takes the square of their size
/// for.
namespace animbridge::test {

struct HostileFile {
    const char* what;
    Bytes (*make)(std::size_t n);
};

/// .anim of about n bytes.
[[nodiscard]] const std::vector<HostileFile>& hostile_anims();
/// XML of about n bytes; not all can be read.
[[nodiscard]] const std::vector<HostileFile>& hostile_xmls();

/// What a level is made of; instances come in this order.
struct LevelParts {
    struct Slot {
        std::uint32_t data_offset = 0;  ///< as in the descriptor; 0: a placeholder
        std::uint32_t data_size = 0;
        std::uint32_t name_offset = 0;
    };
    std::vector<Slot> slots{};
    Bytes data{};
    std::string names{};  ///< with their NULs
};
[[nodiscard]] Bytes level_of(const LevelParts& parts);

/// A record as it lies in a file: so many keys, of which the last is at frame_count - 1 and `place` away.
[[nodiscard]] Bytes stored_record(std::size_t keys, std::uint16_t frame_count, float place);

}  // namespace animbridge::test
