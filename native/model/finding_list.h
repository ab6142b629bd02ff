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

/// Gathers the findings of one check; of each rule the first 100 are kept and the rest counted, so that
/// hostile files stay cheap.
class FindingList {
public:
    /// `rules`: the format's. `levels`: the names of those levels that are looked for. Both outlive the list,
    /// and `rules` its findings.
    FindingList(std::span<const Rule> rules, std::span<const std::string_view> levels)
        : rules_(rules), levels_(levels) {}

    /// Adds a finding unless its rule belongs to another level. A note from a JSON document may name any
    /// rule: those that the format does not have are left out.
    void add(std::string_view rule_id, std::string found, std::string_view joint = {}, std::int64_t key = -1,
             std::int64_t byte_offset = -1, std::int64_t line = -1);

    /// Whether anything added so far rejects the file, by a rule of this level.
    [[nodiscard]] bool any_rejected(std::string_view level) const;

    [[nodiscard]] std::vector<Finding> take();

private:
    std::span<const Rule> rules_;
    std::span<const std::string_view> levels_;
    std::vector<Finding> findings_;
    std::map<std::string_view, std::size_t> counts_;
};

}  // namespace animbridge
