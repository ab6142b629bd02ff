// SPDX-License-Identifier: MIT
#include "cli/bridge_options.h"

#include <algorithm>
#include <cmath>

#include "base/file.h"
#include "base/text.h"
#include "bridges/bridge.h"
#include "cli/options.h"
#include "formats/registry.h"

namespace animbridge::cli {

namespace {

/// A number if the text is one, else text.
Json number_or_text(const std::string& text) {
    const auto number = decimal_number(text);
    if (!number) {
        return text;
    }
    // Integer options do not accept 1.0. Up to here, doubles hold every whole number and the cast is defined.
    constexpr double largest_whole = 9007199254740992.0;
    if (std::abs(*number) <= largest_whole && *number == std::trunc(*number)) {
        return static_cast<std::int64_t>(*number);
    }
    return *number;
}

std::size_t number_at(const std::string& text) { return text.rfind('=') + 1; }

std::string integer_range(const Option& option) {
    return std::to_string(static_cast<std::int64_t>(option.low)) + " to " +
           std::to_string(static_cast<std::int64_t>(option.high));
}

/// The options of one table, each with a text that becomes a member of its JSON.
class Adder {
public:
    /// `way` comes before each help.
    Adder(CLI::App* command, const SharedArguments& arguments, std::string way)
        : command_(command), arguments_(arguments), way_(std::move(way)) {}

    void add(const Option& option) {
        switch (option.type) {
            case OptionType::flag:
                add_flag(option);
                break;
            case OptionType::integer:
                takes_integer(add_value(option), value_name(option).c_str(),
                              static_cast<std::int64_t>(option.low), static_cast<std::int64_t>(option.high));
                break;
            case OptionType::number:
                add_number(option);
                break;
            case OptionType::choice:
                takes_choice(add_value(option), {choices_of(option).begin(), choices_of(option).end()});
                break;
            case OptionType::text:
            case OptionType::text_without_nul:
                add_text(option);
                break;
            case OptionType::seconds_or_share:
                add_time(option);
                break;
            case OptionType::integers_by_name:
                add_named_integers(option);
                break;
            case OptionType::file_text:
                add_file(option);
                break;
            case OptionType::seconds:
            case OptionType::texts:
            case OptionType::texts_by_name:
            case OptionType::points:
            case OptionType::matrix:
            case OptionType::object:
                break;  // for calls only: no such row has a command_name
        }
    }

private:
    static std::string value_name(const Option& option) { return std::string(option.value_name); }
    [[nodiscard]] std::string help(const Option& option) const {
        const std::string text =
            way_ + std::string(option.switch_help.empty() ? option.help : option.switch_help);
        const bool is_number = option.type == OptionType::integer || option.type == OptionType::number;
        const std::string ranged = is_number ? text + " (" + allowed_values(option) + ")" : text;
        return option.without.empty() ? ranged : ranged + ". Without it: " + std::string(option.without);
    }

    CLI::Option* add_value(const Option& option) {
        return command_
            ->add_option_function<std::string>(
                std::string(option.command_name),
                [arguments = arguments_, name = std::string(option.name)](const std::string& text) {
                    arguments->conversion[name] = number_or_text(text);
                },
                help(option))
            ->default_str(std::string(option.standard));
    }

    void add_number(const Option& option) {
        Option typed = option;
        typed.high = std::min(option.high, largest_number);
        takes_text(add_value(option), value_name(option).c_str(), [typed](const std::string& text) {
            const bool is_fine = check_option(typed, number_or_text(text), "").has_value();
            return is_fine ? std::string() : allowed_values(typed);
        });
    }

    void add_flag(const Option& option) {
        is_switch(command_->add_flag_callback(
            std::string(option.command_name),
            [arguments = arguments_, name = std::string(option.name), value = option.switch_value] {
                arguments->conversion[name] = value;
            },
            help(option)));
    }

    void add_text(const Option& option) {
        command_
            ->add_option_function<std::string>(
                std::string(option.command_name),
                [arguments = arguments_, name = std::string(option.name)](const std::string& text) {
                    arguments->conversion[name] = json_text(text);
                },
                help(option))
            ->type_name(value_name(option));
    }

    void add_time(const Option& option) {
        const double most = option.high;
        takes_text(add_value(option), value_name(option).c_str(), [most](const std::string& text) {
            const bool is_share = text.ends_with('%');
            const std::string number = is_share ? text.substr(0, text.size() - 1) : text;
            return is_number(number, 0.0, is_share ? 100.0 : most)
                       ? std::string()
                       : "seconds from 0 to " + std::to_string(static_cast<int>(most)) +
                             ", or a share from 0% to 100%";
        });
    }

    void add_named_integers(const Option& option) {
        takes_text(command_->add_option_function<std::vector<std::string>>(
                       std::string(option.command_name),
                       [arguments = arguments_,
                        name = std::string(option.name)](const std::vector<std::string>& texts) {
                           for (const std::string& text : texts) {
                               const std::size_t at = number_at(text);
                               arguments->conversion[name][text.substr(0, at - 1)] =
                                   number_or_text(text.substr(at));
                           }
                       },
                       help(option)),
                   ("NAME=" + value_name(option)).c_str(),
                   [option](const std::string& text) {
                       const std::size_t at = number_at(text);
                       const bool is_fine =
                           at > 1 && is_integer(text.substr(at), static_cast<std::int64_t>(option.low),
                                                static_cast<std::int64_t>(option.high));
                       std::string word(option.value_name);
                       std::transform(word.begin(), word.end(), word.begin(), [](char c) {
                           return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
                       });
                       return is_fine ? std::string()
                                      : "NAME=" + value_name(option) + ", a " + word +
                                            " being a whole number from " + integer_range(option);
                   })
            ->expected(1)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    }

    void add_file(const Option& option) {
        takes_file(command_->add_option_function<std::string>(
            std::string(option.command_name),
            [arguments = arguments_, name = std::string(option.name)](const std::string& path) {
                arguments->conversion_files[name] = path;
            },
            help(option)));
    }

    CLI::App* command_;
    const SharedArguments& arguments_;
    std::string way_;
};

void add_table(std::span<const Option> options, Adder adder) {
    for (const Option& option : options) {
        if (!option.command_name.empty()) {
            adder.add(option);
        }
    }
}

/// An option of `convert`, and the ways that have it.
struct WayOption {
    Option option;
    std::string way;
};

void add_once(std::span<const Option> table, const std::string& way, std::vector<WayOption>& options) {
    for (const Option& option : table) {
        const auto same = std::find_if(options.begin(), options.end(), [&](const WayOption& other) {
            return other.option.command_name == option.command_name;
        });
        if (option.command_name.empty()) {
            continue;
        }
        if (same == options.end()) {
            options.push_back({option, way});
        } else {
            same->way += ", " + way;
        }
    }
}

/// Those of the bridges, and of the formats' ways through a clip. An option that several ways have appears
/// once: it has one name in JSON then, and takes the same values.
std::vector<WayOption> options_of_all_ways() {
    std::vector<WayOption> options;
    for (const Bridge* bridge : bridges()) {
        add_once(bridge->options(), std::string(bridge->way), options);
    }
    for (const Format& format : formats()) {
        add_once(options_of_call(format, "to_clip"), "from " + std::string(format.noun), options);
        add_once(options_of_call(format, "from_clip"), "to " + std::string(format.noun), options);
    }
    return options;
}

}  // namespace

void add_bridge_options(CLI::App* convert, const SharedArguments& arguments) {
    for (const auto& [option, way] : options_of_all_ways()) {
        Adder(convert, arguments, way + ": ").add(option);
    }
}

void add_call_options(CLI::App* command, const SharedArguments& arguments, std::string_view call) {
    for (const Format& format : formats()) {
        for (const OptionTable& table : option_tables(format)) {
            if (table.call == call) {
                add_table(table.options, Adder(command, arguments, ""));
            }
        }
    }
}

Result<Json> given_bridge_options(const Arguments& arguments) {
    Json options = arguments.conversion;
    for (const auto& [name, path] : arguments.conversion_files) {
        if (path.empty()) {
            continue;
        }
        TRY(const auto bytes, read_file(path));
        // Only names in the file can be other than ASCII.
        options[name] = to_utf8(text_of(bytes));
    }
    return options;
}

}  // namespace animbridge::cli
