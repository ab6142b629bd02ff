// SPDX-License-Identifier: MIT
#include "model/findings/findings.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/base.h"
#include "base/options/options.h"

namespace animbridge {

namespace {

constexpr std::array<std::string_view, 4> class_names = {"rejected", "altered", "risky", "advice"};

/// "23 joints: a, b, c and 20 more"
std::string joints_text(const Finding& finding) {
    constexpr std::size_t most_shown = 8;
    std::vector<std::string> shown(
        finding.joints.begin(),
        finding.joints.begin() + static_cast<std::ptrdiff_t>(std::min(most_shown, finding.joints.size())));
    std::ranges::transform(shown, shown.begin(), [](const std::string& name) { return to_utf8(name); });
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
    const auto found = std::ranges::find(names, name);
    return found == names.end() ? std::nullopt
                                : std::optional(static_cast<std::size_t>(found - names.begin()));
}

std::string_view name_of(CheckLevel level) { return check_level_names.at(static_cast<std::size_t>(level)); }

std::optional<CheckLevel> check_level_named(std::string_view name) {
    return value_named<CheckLevel>(check_level_names, name);
}

bool any_rejected(const std::vector<Finding>& findings) {
    return std::ranges::any_of(findings, [](const Finding& finding) {
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
    return is_name ? text
                   : text + (finding.is_worst_first ? "; worst: " : "; first: ") + to_utf8(finding.found);
}

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
    const auto rule = std::ranges::find_if(rules_, [&](const Rule& row) { return row.id == rule_id; });
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
    return std::ranges::any_of(findings_, [&](const Finding& finding) {
        return finding.rule->finding_class == FindingClass::rejected && finding.rule->level <= level;
    });
}

std::vector<Finding> FindingList::take() {
    places_.clear();
    return std::exchange(findings_, {});
}

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
    std::ranges::copy_if(after, std::back_inserter(brought), [&](const Finding& finding) {
        return std::ranges::none_of(before, [&](const Finding& other) {
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
    Json rows = list_json(comparison.joints, [](const JointDifference& joint) -> Json {
        return {{"joint", json_text(joint.joint)},
                {"position_mm", joint.position_mm},
                {"position_at_seconds", joint.position_at_seconds},
                {"rotation_degrees", joint.rotation_degrees},
                {"rotation_at_seconds", joint.rotation_at_seconds}};
    });
    const auto worst = comparison.worst();
    return {{"times", comparison.times},
            {"errors", comparison.spread ? comparison.spread->to_json() : Json()},
            {"max_position_mm", worst.position_mm},
            {"max_position_at_seconds", worst.position_at_seconds},
            {"max_rotation_degrees", worst.rotation_degrees},
            {"max_rotation_at_seconds", worst.rotation_at_seconds},
            {"only_in_a", texts_json(comparison.only_in_a)},
            {"only_in_b", texts_json(comparison.only_in_b)},
            {"joints", std::move(rows)}};
}

}  // namespace animbridge
