// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "formats/oban/container.h"
#include "formats/oban/document.h"
#include "model/finding.h"

namespace animbridge::oban {

/// How much is looked for; each includes the one before it.
enum class CheckLevel : std::uint8_t {
    playback,  ///< what the game or OniSplit refuses, or plays otherwise than meant
    strict,    ///< and what changes nothing that is seen
};

/// In the order of the levels.
inline constexpr std::array<std::string_view, 2> level_names = {"playback", "strict"};

/// Where a record stands and what it is called, for findings of a level.
struct RecordPlace {
    std::int64_t start = 0;  ///< in the file; -1: the file is text
    std::string name{};      ///< Finding::joint
};

/// What breaks the rules of docs/oban-format.md: each rule once, for the first key that does, in the order of
/// the table; Finding::found tells how many more do. What leaves the animation undefined is not held against
/// its InitialTransform nor the symmetry of a door.
[[nodiscard]] std::vector<Finding> check_record(const Record& record, CheckLevel level,
                                                const RecordPlace& place = {});

/// The same of what is around the records: header and names of OBANs with data.
[[nodiscard]] std::vector<Finding> check_container(const ContainerTables& tables, ByteView file,
                                                   CheckLevel level);

/// The record's findings, then those of its .oni.
[[nodiscard]] std::vector<Finding> check(const Document& document, CheckLevel level);

/// The table of rules.
[[nodiscard]] std::span<const Rule> rules();

}  // namespace animbridge::oban
