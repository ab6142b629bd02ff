// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What an option takes. All of it is checked before any file is read: a value that is not allowed is a wrong
/// call. The type's name is what help, the man page and the completions go by: "a|b|c" are all values that
/// there are, "FILE" and "DIR" are paths.
namespace animbridge::cli {

/// The ends of a range; what is allowed is said with `text`.
struct NumberRange {
    double low;
    double high;
    std::string_view text;
};

/// A decimal number that takes the whole text and is finite.
[[nodiscard]] std::optional<double> decimal_number(std::string_view text);
[[nodiscard]] bool is_number(std::string_view text, double low, double high);
[[nodiscard]] bool is_integer(std::string_view text, std::int64_t low, std::int64_t high);

/// Beyond every length, angle and time that means something.
inline constexpr double largest_number = 1e12;

/// A finite number within the range, written as a decimal one.
CLI::Option* takes_number(CLI::Option* option, const char* type_name, NumberRange range);

/// A whole number.
CLI::Option* takes_integer(CLI::Option* option, const char* type_name, std::int64_t low, std::int64_t high);

/// One of several words.
CLI::Option* takes_choice(CLI::Option* option, const std::vector<std::string>& choices);

/// One of the formats' ids.
CLI::Option* takes_format(CLI::Option* option);

/// Whatever `problem_of` finds no fault with; it says what is allowed, or "" when the text is.
CLI::Option* takes_text(CLI::Option* option, const char* type_name,
                        std::function<std::string(const std::string& text)> problem_of);

CLI::Option* takes_file(CLI::Option* option);
CLI::Option* takes_folder(CLI::Option* option);

/// A switch, which takes no value.
CLI::Option* is_switch(CLI::Option* option);

/// The words of a type name "a|b|c"; none where it is none.
[[nodiscard]] std::vector<std::string> choices_of(const CLI::Option& option);

}  // namespace animbridge::cli
