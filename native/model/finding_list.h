// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/finding.h"

namespace animbridge {

/// Collects the findings of one check. Keeps the first 100 of each rule and counts the rest, so that hostile
/// files stay cheap.
class FindingList {
public:
    /// `rules`: the format's table. `levels`: the names of the levels to check. Both must outlive the list,
    /// and `rules` its findings.
    FindingList(std::span<const Rule> rules, std::span<const std::string_view> levels)
        : rules_(rules), levels_(levels) {}

    /// Adds a finding unless its rule belongs to another level. A note in a JSON document can name any rule;
    /// a rule that the format does not have is ignored.
    void add(std::string_view rule_id, std::string found, std::string_view joint = {}, std::int64_t key = -1,
             std::int64_t byte_offset = -1, std::int64_t line = -1);

    /// Whether any finding so far rejects the file, by a rule of this level.
    [[nodiscard]] bool any_rejected(std::string_view level) const;

    [[nodiscard]] std::vector<Finding> take();

private:
    std::span<const Rule> rules_;
    std::span<const std::string_view> levels_;
    std::vector<Finding> findings_;
    std::map<std::string_view, std::size_t> counts_;
};

}  // namespace animbridge
