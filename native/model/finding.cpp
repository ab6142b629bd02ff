// SPDX-License-Identifier: MIT
#include "model/finding.h"

#include <algorithm>
#include <array>

namespace animbridge {

namespace {

constexpr std::array<std::string_view, 4> class_names = {"rejected", "altered", "risky", "advice"};

}  // namespace

std::string_view name_of(FindingClass finding_class) {
    return class_names.at(static_cast<std::size_t>(finding_class));
}

std::optional<FindingClass> finding_class_named(std::string_view name) {
    const auto* const found = std::find(class_names.begin(), class_names.end(), name);
    if (found == class_names.end()) {
        return std::nullopt;
    }
    return static_cast<FindingClass>(found - class_names.begin());
}

bool any_rejected(const std::vector<Finding>& findings) {
    return std::any_of(findings.begin(), findings.end(), [](const Finding& finding) {
        return finding.rule->finding_class == FindingClass::rejected;
    });
}

}  // namespace animbridge
