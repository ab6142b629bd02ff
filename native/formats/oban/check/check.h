// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/base.h"
#include "formats/oban/file/file.h"
#include "model/findings/findings.h"

/// What Oni would refuse, change, or show differently than intended.
namespace animbridge::oban::check {

/// The position and the name of a record, for findings of a level.
struct RecordPlace {
    std::int64_t start = 0;  ///< offset in the file; -1: the file is text
    std::string name{};      ///< Finding::joint
};

/// Findings by the rules of docs/oban-format.md, in the order of the table: each rule once, for the first key
/// that breaks it; Finding::count says how many do. If the animation is undefined, InitialTransform and the
/// symmetry of a door are not checked.
[[nodiscard]] std::vector<Finding> check_record(const file::Record& record, CheckLevel level,
                                                const RecordPlace& place = {});

/// Checks the bytes around the records: the header, and the names of OBANs with data.
[[nodiscard]] std::vector<Finding> check_container(const file::ContainerTables& tables, ByteView file,
                                                   CheckLevel level);

/// The record's findings, then those of its .oni.
[[nodiscard]] std::vector<Finding> check(const file::Document& document, CheckLevel level);

/// The table of rules.
[[nodiscard]] std::span<const Rule> rules();

}  // namespace animbridge::oban::check
