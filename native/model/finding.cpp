// SPDX-License-Identifier: MIT
#include "model/finding.h"

#include <algorithm>
#include <array>

#include "base/base.h"

namespace animbridge {

namespace {

constexpr std::array<std::string_view, 4> class_names = {"rejected", "altered", "risky", "advice"};

/// "23 joints: a, b, c and 20 more"
std::string joints_text(const Finding& finding) {
    constexpr std::size_t most_shown = 8;
    std::vector<std::string> shown(
        finding.joints.begin(),
        finding.joints.begin() + static_cast<std::ptrdiff_t>(std::min(most_shown, finding.joints.size())));
    std::transform(shown.begin(), shown.end(), shown.begin(),
                   [](const std::string& name) { return to_utf8(name); });
    const std::size_t rest = finding.joint_count - shown.size();
    return std::to_string(finding.joint_count) + " " + std::string(finding.things) + ": " +
           some_of(shown, most_shown) + (rest > 0 ? " and " + std::to_string(rest) + " more" : "");
}

}  // namespace

std::string_view name_of(FindingClass finding_class) {
    return class_names.at(static_cast<std::size_t>(finding_class));
}

std::optional<FindingClass> finding_class_named(std::string_view name) {
    return value_named<FindingClass>(class_names, name);
}

std::optional<std::size_t> index_of_name(std::span<const std::string_view> names, std::string_view name) {
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? std::nullopt
                                : std::optional(static_cast<std::size_t>(found - names.begin()));
}

std::string_view name_of(CheckLevel level) { return check_level_names.at(static_cast<std::size_t>(level)); }

std::optional<CheckLevel> check_level_named(std::string_view name) {
    return value_named<CheckLevel>(check_level_names, name);
}

bool any_rejected(const std::vector<Finding>& findings) {
    return std::any_of(findings.begin(), findings.end(), [](const Finding& finding) {
        return finding.rule->finding_class == FindingClass::rejected;
    });
}

std::string summary_of(const Finding& finding) {
    if (finding.count <= 1) {
        return finding.found;
    }
    const bool has_many_joints = finding.joint_count > 1;
    std::string text;
    if (!has_many_joints || finding.count != finding.joint_count) {
        text = std::to_string(finding.count) + (finding.key >= 0 ? " keys" : " places");
    }
    if (has_many_joints) {
        text += (text.empty() ? "" : " of ") + joints_text(finding);
    }
    // The first of a list of names adds nothing.
    const bool is_name = has_many_joints && finding.found == "\"" + finding.joint + "\"";
    return is_name ? text : text + "; first: " + to_utf8(finding.found);
}

}  // namespace animbridge
