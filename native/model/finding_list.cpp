// SPDX-License-Identifier: MIT
#include "model/finding_list.h"

#include <algorithm>
#include <utility>

namespace animbridge {

namespace {

constexpr std::size_t most_joints = 100;

/// Findings about one joint come one after another.
void add_joints(Finding& to, const Finding& from) {
    const bool is_same = from.joints.size() == 1 && !to.joints.empty() && to.joints.back() == from.joints[0];
    if (is_same) {
        return;
    }
    const std::size_t room = most_joints - to.joints.size();
    const std::size_t taken = std::min(room, from.joints.size());
    to.joints.insert(to.joints.end(), from.joints.begin(),
                     from.joints.begin() + static_cast<std::ptrdiff_t>(taken));
    to.joint_count += from.joint_count;
}

}  // namespace

void FindingList::add(std::string_view rule_id, std::string found, std::string_view joint, std::int64_t key,
                      std::int64_t byte_offset, std::int64_t line, std::optional<double> seconds,
                      std::size_t count) {
    const auto rule =
        std::find_if(rules_.begin(), rules_.end(), [&](const Rule& row) { return row.id == rule_id; });
    if (rule == rules_.end() || rule->level > level_) {
        return;
    }
    Finding finding{&*rule, std::move(found), std::string(joint), key, byte_offset, line};
    finding.count = count;
    finding.things = things_;
    finding.seconds = seconds;
    if (!joint.empty()) {
        finding.joints.emplace_back(joint);
        finding.joint_count = 1;
    }
    add(std::move(finding));
}

void FindingList::add(Finding finding) {
    const auto [place, is_new] = places_.try_emplace(finding.rule, findings_.size());
    if (is_new) {
        findings_.push_back(std::move(finding));
        return;
    }
    Finding& first = findings_[place->second];
    first.count += finding.count;
    add_joints(first, finding);
}

bool FindingList::any_rejected(CheckLevel level) const {
    return std::any_of(findings_.begin(), findings_.end(), [&](const Finding& finding) {
        return finding.rule->finding_class == FindingClass::rejected && finding.rule->level <= level;
    });
}

std::vector<Finding> FindingList::take() {
    places_.clear();
    return std::exchange(findings_, {});
}

}  // namespace animbridge
