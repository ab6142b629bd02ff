// SPDX-License-Identifier: MIT
#include "model/reports.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>

#include "base/options/options.h"

namespace animbridge {

namespace {

/// JSON has no infinity and no NaN, which a damaged file may have.
Json seconds_json(std::optional<double> seconds) {
    return seconds && std::isfinite(*seconds) ? Json(*seconds) : Json(nullptr);
}

}  // namespace

Json findings_json(const std::vector<Finding>& findings) {
    std::array<std::size_t, 4> counts{};
    Json rows = Json::array();
    for (const Finding& finding : findings) {
        ++counts.at(static_cast<std::size_t>(finding.rule->finding_class));
        rows.push_back({{"id", finding.rule->id},
                        {"class", name_of(finding.rule->finding_class)},
                        {"level", name_of(finding.rule->level)},
                        {"count", finding.count},
                        {"joint", json_text(finding.joint)},
                        {"joint_count", finding.joint_count},
                        {"joints", texts_json(finding.joints)},
                        {"key", finding.key},
                        {"seconds", seconds_json(finding.seconds)},
                        {"byte_offset", finding.byte_offset},
                        {"line", finding.line},
                        {"found", json_text(summary_of(finding))},
                        {"effect", finding.rule->effect},
                        {"advice", finding.rule->advice}});
    }
    Json totals = Json::object();
    for (std::size_t i = 0; i < counts.size(); ++i) {
        totals[std::string(name_of(static_cast<FindingClass>(i)))] = counts.at(i);
    }
    return {{"counts", std::move(totals)}, {"findings", std::move(rows)}};
}

Json edit_report(const std::vector<Finding>& before, const std::vector<Finding>& after) {
    std::vector<Finding> brought;
    std::copy_if(after.begin(), after.end(), std::back_inserter(brought), [&](const Finding& finding) {
        return std::none_of(before.begin(), before.end(), [&](const Finding& other) {
            return other.rule == finding.rule && summary_of(other) == summary_of(finding);
        });
    });
    return {{"findings", findings_json(brought)["findings"]}};
}

std::string judged_text(const Json& finding, std::string_view effect, std::string_view advice) {
    const std::string joint = plain_text(finding["joint"]);
    const std::string found = plain_text(finding["found"]);
    const bool is_named = finding["joint_count"] != 1 || found.find(joint) != std::string::npos;
    effect.remove_suffix(1);  // its full stop
    return std::string(effect) + " (found: " + (is_named ? "" : joint + ": ") + found + "). " +
           std::string(advice);
}

std::string refused_by(std::string_view program) {
    return "refused by " + std::string(program.empty() ? "the target program" : program) + ": ";
}

Error refusal(std::string_view program, const std::vector<Finding>& findings) {
    constexpr std::size_t most = 3;
    std::size_t count = 0;
    std::string reason = refused_by(program);
    for (const Finding& finding : findings) {
        if (finding.rule->finding_class == FindingClass::rejected && ++count <= most) {
            reason += (count == 1 ? "" : " ") + judged_text(findings_json({finding})["findings"][0],
                                                            finding.rule->effect, finding.rule->advice);
        }
    }
    reason += count > most ? " And " + std::to_string(count - most) + " more." : "";
    return {ErrorCode::rejected, std::move(reason)};
}

Result<void> require_accepted(std::string_view program, const std::vector<Finding>& findings) {
    return any_rejected(findings) ? Result<void>(fail(refusal(program, findings))) : Result<void>();
}

Json comparison_json(const Comparison& comparison) {
    Json rows = Json::array();
    for (const auto& joint : comparison.joints) {
        rows.push_back({{"joint", json_text(joint.joint)},
                        {"position_mm", joint.position_mm},
                        {"position_at_seconds", joint.position_at_seconds},
                        {"rotation_degrees", joint.rotation_degrees},
                        {"rotation_at_seconds", joint.rotation_at_seconds}});
    }
    const auto worst = comparison.worst();
    return {{"times", comparison.times},
            {"max_position_mm", worst.position_mm},
            {"max_position_at_seconds", worst.position_at_seconds},
            {"max_rotation_degrees", worst.rotation_degrees},
            {"max_rotation_at_seconds", worst.rotation_at_seconds},
            {"only_in_a", texts_json(comparison.only_in_a)},
            {"only_in_b", texts_json(comparison.only_in_b)},
            {"joints", std::move(rows)}};
}

}  // namespace animbridge
