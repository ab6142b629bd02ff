// SPDX-License-Identifier: MIT
#include "cli/options.h"

#include <algorithm>
#include <functional>

#include "base/base.h"
#include "formats/registry.h"

namespace animbridge::cli {

namespace {

constexpr std::size_t longest_shown_value = 60;

std::string wrong_value(const std::string& text, const std::string& allowed) {
    const std::string_view begin = shortened(text, longest_shown_value);
    return "found \"" + without_controls(begin) + (begin.size() < text.size() ? "..." : "") +
           "\", allowed is " + allowed;
}

CLI::Option* check(CLI::Option* option, const std::string& type_name,
                   std::function<std::string(const std::string&)> allowed_unless_fine) {
    option->type_name(type_name);
    const auto problem = [allowed = std::move(allowed_unless_fine)](std::string& text) {
        const std::string is_allowed = allowed(text);
        return is_allowed.empty() ? std::string() : wrong_value(text, is_allowed);
    };
    return option->check(CLI::Validator(problem, ""));
}

}  // namespace

bool is_number(std::string_view text, double low, double high) {
    const auto number = decimal_number(text);
    return number && *number >= low && *number <= high;
}

bool is_integer(std::string_view text, std::int64_t low, std::int64_t high) {
    const auto number = whole_number(text);
    return number && *number >= low && *number <= high;
}

CLI::Option* takes_number(CLI::Option* option, const char* type_name, NumberRange range) {
    return check(option, type_name, [range](const std::string& text) -> std::string {
        return is_number(text, range.low, range.high) ? std::string() : std::string(range.text);
    });
}

CLI::Option* takes_integer(CLI::Option* option, const char* type_name, std::int64_t low, std::int64_t high) {
    return check(option, type_name, [low, high](const std::string& text) -> std::string {
        return is_integer(text, low, high)
                   ? ""
                   : "a whole number from " + std::to_string(low) + " to " + std::to_string(high);
    });
}

CLI::Option* takes_choice(CLI::Option* option, const std::vector<std::string>& choices) {
    const auto joined = [&](const char* between) {
        std::string text;
        for (const std::string& choice : choices) {
            text += (text.empty() ? "" : between) + choice;
        }
        return text;
    };
    return check(option, joined("|"),
                 [choices, listed = "one of " + joined(", ")](const std::string& text) -> std::string {
                     return std::find(choices.begin(), choices.end(), text) == choices.end() ? listed : "";
                 });
}

CLI::Option* takes_fail_on(CLI::Option* option) {
    return takes_choice(option, {"rejected", "altered", "risky", "advice", "never"})->capture_default_str();
}

CLI::Option* takes_format(CLI::Option* option) {
    std::vector<std::string> ids;
    for (const Format& format : formats()) {
        ids.emplace_back(format.id);
    }
    return takes_choice(option, ids);
}

CLI::Option* takes_text(CLI::Option* option, const char* type_name,
                        std::function<std::string(const std::string& text)> problem_of) {
    return check(option, type_name, std::move(problem_of));
}

CLI::Option* takes_file(CLI::Option* option) { return option->type_name("FILE"); }

CLI::Option* takes_folder(CLI::Option* option) { return option->type_name("DIR"); }

CLI::Option* is_switch(CLI::Option* option) { return option->disable_flag_override(); }

std::vector<std::string> choices_of(const CLI::Option& option) {
    const std::string type_name = option.get_type_name();
    return type_name.find('|') == std::string::npos ? std::vector<std::string>()
                                                    : CLI::detail::split(type_name, '|');
}

}  // namespace animbridge::cli
