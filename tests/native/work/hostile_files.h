// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/base.h"

/// Binary files, and OniSplit's XML, that cost a careless reader quadratic time.
namespace animbridge::test {

struct HostileFile {
    const char* what;
    Bytes (*make)(std::size_t n);
};

/// .anim of about n bytes.
[[nodiscard]] const std::vector<HostileFile>& hostile_anims();
/// XML of about n bytes; not all can be read.
[[nodiscard]] const std::vector<HostileFile>& hostile_xmls();

/// The parts of a level, with the instances in this order.
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

/// A record in a file with this many keys. The last key is at frame_count - 1, at the position `place`.
[[nodiscard]] Bytes stored_record(std::size_t keys, std::uint16_t frame_count, float place);

}  // namespace animbridge::test
