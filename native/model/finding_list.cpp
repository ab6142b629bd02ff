// SPDX-License-Identifier: MIT
#include "model/finding_list.h"

#include <algorithm>
#include <utility>

namespace animbridge {

namespace {

constexpr std::size_t most_per_rule = 100;

}  // namespace

void FindingList::add(std::string_view rule_id, std::string found, std::string_view joint, std::int64_t key,
                      std::int64_t byte_offset, std::int64_t line) {
    const auto rule =
        std::find_if(rules_.begin(), rules_.end(), [&](const Rule& row) { return row.id == rule_id; });
    const bool is_wanted =
        rule != rules_.end() && std::find(levels_.begin(), levels_.end(), rule->level) != levels_.end();
    if (!is_wanted || ++counts_[rule->id] > most_per_rule) {
        return;
    }
    findings_.push_back({&*rule, std::move(found), std::string(joint), key, byte_offset, line});
}

bool FindingList::any_rejected(std::string_view level) const {
    return std::any_of(findings_.begin(), findings_.end(), [&](const Finding& finding) {
        return finding.rule->finding_class == FindingClass::rejected && finding.rule->level == level;
    });
}

std::vector<Finding> FindingList::take() {
    for (const auto& [id, count] : counts_) {
        if (count > most_per_rule) {
            const auto last =
                std::find_if(findings_.rbegin(), findings_.rend(),
                             [&, wanted = id](const Finding& f) { return f.rule->id == wanted; });
            last->found += " (and " + std::to_string(count - most_per_rule) + " more of this kind)";
        }
    }
    return std::move(findings_);
}

}  // namespace animbridge
