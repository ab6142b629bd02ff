// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/finding.h"

namespace animbridge {

/// Collects the findings of one check. Each rule becomes one finding, which counts the places that break it:
/// a person reads "45 keys" faster than 45 lines, and hostile files stay cheap.
class FindingList {
public:
    /// `rules`: the format's; they must outlive the findings. `things`: what Finding::joint names, in the
    /// plural.
    FindingList(std::span<const Rule> rules, CheckLevel level, std::string_view things = "joints")
        : rules_(rules), level_(level), things_(things) {}

    /// Adds a place unless its rule belongs to a higher level. A note from a JSON document may name any rule;
    /// one that the format does not have is ignored. `count`: how many places of the joint this adds.
    void add(std::string_view rule_id, std::string found, std::string_view joint = {}, std::int64_t key = -1,
             std::int64_t byte_offset = -1, std::int64_t line = -1, std::optional<double> seconds = {},
             std::size_t count = 1);
    void add(Finding finding);

    /// Whether a finding so far rejects the file, by a rule of this level or a lower one.
    [[nodiscard]] bool any_rejected(CheckLevel level = CheckLevel::strict) const;

    /// In the order in which the rules were first broken.
    [[nodiscard]] std::vector<Finding> take();

private:
    std::span<const Rule> rules_;
    CheckLevel level_;
    std::string_view things_;
    std::vector<Finding> findings_{};
    std::map<const Rule*, std::size_t> places_{};  ///< in findings_
};

}  // namespace animbridge
