// SPDX-License-Identifier: MIT
#pragma once

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

/// One row of a format's table of rules. Its text does not depend on the file.
struct Rule {
    std::string_view id;  ///< stable: users filter by it
    FindingClass finding_class;
    std::string_view level;   ///< the first level of check that looks for it
    std::string_view effect;  ///< what the target program does
    std::string_view advice;  ///< what to do about it
};

/// One occurrence of a rule in a file.
struct Finding {
    const Rule* rule = nullptr;  ///< a row of the format's table, which outlives every finding
    std::string found;           ///< what the file contains
    std::string joint{};         ///< "" if it is about the whole file
    std::int64_t key = -1;       ///< index among the joint's keys as stored; -1: none
    std::int64_t byte_offset = -1;
    std::int64_t line = -1;  ///< from 1, in text formats
};

/// The index of `name` in `names`; nullopt if it is not one of them.
[[nodiscard]] std::optional<std::size_t> index_of_name(std::span<const std::string_view> names,
                                                       std::string_view name);

/// The level of check with this name; nullopt if the format has no such level. `Level` is the format's enum,
/// and `level_names` lists its names in the same order.
template <typename Level>
[[nodiscard]] std::optional<Level> level_named(std::span<const std::string_view> level_names,
                                               std::string_view name) {
    const std::optional<std::size_t> index = index_of_name(level_names, name);
    return index ? std::optional(static_cast<Level>(*index)) : std::nullopt;
}

[[nodiscard]] bool any_rejected(const std::vector<Finding>& findings);

}  // namespace animbridge
