// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/options/options.h"

/// The values that options take. They are checked before any file is read, so that an invalid value is a
/// wrong call. The type's name serves help, the man page and the completions: "a|b|c" lists all values,
/// "FILE" and "DIR" are paths.
namespace animbridge::cli {

/// A range. Messages describe it with `text`.
struct NumberRange {
    double low;
    double high;
    std::string_view text;
};

/// Whether the text is a decimal number, or a whole one, within the range.
[[nodiscard]] bool is_number(std::string_view text, double low, double high);
[[nodiscard]] bool is_integer(std::string_view text, std::int64_t low, std::int64_t high);

/// Larger than any meaningful length, angle or time.
inline constexpr double largest_number = largest_scene_number;

/// A finite decimal number within the range.
CLI::Option* takes_number(CLI::Option* option, const char* type_name, NumberRange range);

/// A whole number.
CLI::Option* takes_integer(CLI::Option* option, const char* type_name, std::int64_t low, std::int64_t high);

/// One of several words.
CLI::Option* takes_choice(CLI::Option* option, const std::vector<std::string>& choices);

/// The class of the findings from which a command fails, or "never".
CLI::Option* takes_fail_on(CLI::Option* option);

/// A format id.
CLI::Option* takes_format(CLI::Option* option);

/// Any text that `problem_of` accepts: it returns "", or what is allowed.
CLI::Option* takes_text(CLI::Option* option, const char* type_name,
                        std::function<std::string(const std::string& text)> problem_of);

CLI::Option* takes_file(CLI::Option* option);
CLI::Option* takes_folder(CLI::Option* option);

/// A switch, which takes no value.
CLI::Option* is_switch(CLI::Option* option);

/// The words of the type name "a|b|c"; empty if it has no choices.
[[nodiscard]] std::vector<std::string> choices_of(const CLI::Option& option);

}  // namespace animbridge::cli
