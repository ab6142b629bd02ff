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
    const std::optional<std::size_t> index = index_of_name(class_names, name);
    return index ? std::optional(static_cast<FindingClass>(*index)) : std::nullopt;
}

std::optional<std::size_t> index_of_name(std::span<const std::string_view> names, std::string_view name) {
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? std::nullopt
                                : std::optional(static_cast<std::size_t>(found - names.begin()));
}

bool any_rejected(const std::vector<Finding>& findings) {
    return std::any_of(findings.begin(), findings.end(), [](const Finding& finding) {
        return finding.rule->finding_class == FindingClass::rejected;
    });
}

}  // namespace animbridge
