// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace animbridge {

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
};

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
};

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

/// What the file has, for people: of one place `found`, of more "45 keys of 3 joints: a, b, c; first: ...".
[[nodiscard]] std::string summary_of(const Finding& finding);

[[nodiscard]] bool any_rejected(const std::vector<Finding>& findings);

}  // namespace animbridge
