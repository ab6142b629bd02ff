// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "model/compare/compare.h"

/// Findings: what a target program would refuse, change, or show differently than intended. Rules list them,
/// checks collect them, and every report writes them the same way.
namespace animbridge {

// ---- classes, levels and rules ----

/// What a finding means for the user, worst first.
enum class FindingClass : std::uint8_t {
    rejected,  ///< the target program refuses the file
    altered,   ///< it accepts the file and changes something
    risky,     ///< it plays, but probably not as meant
    advice,    ///< worth knowing
};

[[nodiscard]] std::string_view name_of(FindingClass finding_class);
[[nodiscard]] std::optional<FindingClass> finding_class_named(std::string_view name);

/// How much a check looks for. The levels mean the same for every format; each contains the previous one.
enum class CheckLevel : std::uint8_t {
    playback,  ///< what the target program refuses, changes, or shows differently than intended
    upload,    ///< also what an upload refuses, or changes visibly
    strict,    ///< also what is harmless or unusual
};

/// In the order of the levels.
inline constexpr std::array<std::string_view, 3> check_level_names = {"playback", "upload", "strict"};
[[nodiscard]] std::string_view name_of(CheckLevel level);
[[nodiscard]] std::optional<CheckLevel> check_level_named(std::string_view name);

/// One row of a format's table of rules: a possible finding of `check`. Its text does not depend on the file.
struct Rule {
    std::string_view id;  ///< stable: users filter by it
    FindingClass finding_class;
    CheckLevel level;         ///< the first level of check that looks for it
    std::string_view effect;  ///< what the target program does
    std::string_view advice;  ///< what to do about it
    /// What breaks the rule, in the singular, if retargeting removes it: "unknown joint".
    std::string_view gone_if_retargeted{};
    /// What an animation is for, "pose, dance": the check looks for it only if the caller says so. "":
    /// always.
    std::string_view purposes{};
};

/// The id of a rule of the table. One that the table lacks does not compile.
template <std::size_t count>
[[nodiscard]] consteval std::string_view id_in(const std::array<Rule, count>& table, std::string_view id) {
    for (const Rule& rule : table) {
        if (rule.id == id) {
            return rule.id;
        }
    }
    throw "no such rule";
}

// ---- findings ----

/// A rule that a file breaks: where it does so first, and how often.
struct Finding {
    const Rule* rule = nullptr;  ///< in the format's table, which outlives every finding
    std::string found;           ///< what the file has
    std::string joint{};         ///< "" if it is about the whole file
    std::int64_t key = -1;       ///< index in the joint's keys as stored, -1: none
    std::int64_t byte_offset = -1;
    std::int64_t line = -1;              ///< from 1, in text formats
    std::size_t count = 1;               ///< places that break the rule
    std::size_t joint_count = 0;         ///< joints that have such a place
    std::vector<std::string> joints{};   ///< the first 100 of them
    std::string_view things = "joints";  ///< what `joint` and `joints` name, in the plural
    std::optional<double> seconds{};     ///< the time of the key; null if there is none
    bool is_worst_first = false;         ///< the first place is the worst one
};

/// What the file has, for people: of one place `found`, of more "45 keys of 3 joints: a, b, c; first: ...".
[[nodiscard]] std::string summary_of(const Finding& finding);

[[nodiscard]] bool any_rejected(const std::vector<Finding>& findings);

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

// ---- reports: the same for the command, the C interface and the add-on ----

[[nodiscard]] Json findings_json(const std::vector<Finding>& findings);

/// The result of an edit: {"findings": those of the check after it that the check before it lacks}.
[[nodiscard]] Json edit_report(const std::vector<Finding>& before, const std::vector<Finding>& after);

/// What a finding as findings_json writes it says, and what to do: "EFFECT (found: mHead: 9). ADVICE"
[[nodiscard]] std::string judged_text(const Json& finding, std::string_view effect, std::string_view advice);

/// How every refusal by a target program begins: "refused by Second Life: ". "" is any program.
[[nodiscard]] std::string refused_by(std::string_view program);

/// ErrorCode::rejected with what the findings say for which the program refuses a file; at most three.
[[nodiscard]] Error refusal(std::string_view program, const std::vector<Finding>& findings);

/// The refusal, if one of the findings rejects the file.
[[nodiscard]] Result<void> require_accepted(std::string_view program, const std::vector<Finding>& findings);

[[nodiscard]] Json comparison_json(const Comparison& comparison);

[[nodiscard]] inline Json quaternion_json(const glm::dquat& q) { return Json::array({q.w, q.x, q.y, q.z}); }
[[nodiscard]] inline Json vector_json(const glm::dvec3& v) { return Json::array({v.x, v.y, v.z}); }

// ---- enumerations by name ----

/// The index of `name` in `names`; nullopt if it is not one of them.
[[nodiscard]] std::optional<std::size_t> index_of_name(std::span<const std::string_view> names,
                                                       std::string_view name);

/// The value of an enumeration by the names of its values, in their order.
template <typename Enum>
[[nodiscard]] std::optional<Enum> value_named(std::span<const std::string_view> names,
                                              std::string_view name) {
    const auto index = index_of_name(names, name);
    return index ? std::optional(static_cast<Enum>(*index)) : std::nullopt;
}

}  // namespace animbridge
