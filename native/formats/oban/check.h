// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "formats/oban/container.h"
#include "formats/oban/document.h"
#include "model/finding.h"

namespace animbridge::oban {

/// Where a record stands and what it is called, for findings of a level.
struct RecordPlace {
    std::int64_t start = 0;  ///< offset in the file; -1: the file is text
    std::string name{};      ///< Finding::joint
};

/// What breaks the rules of docs/oban-format.md: each rule once, for the first key that does, in the order of
/// the table; Finding::count says how many do. What leaves the animation undefined is not held against
/// its InitialTransform nor the symmetry of a door.
[[nodiscard]] std::vector<Finding> check_record(const Record& record, CheckLevel level,
                                                const RecordPlace& place = {});

/// The same for the bytes around the records: the header, and the names of OBANs with data.
[[nodiscard]] std::vector<Finding> check_container(const ContainerTables& tables, ByteView file,
                                                   CheckLevel level);

/// The record's findings, then those of its .oni.
[[nodiscard]] std::vector<Finding> check(const Document& document, CheckLevel level);

/// The table of rules.
[[nodiscard]] std::span<const Rule> rules();

}  // namespace animbridge::oban
