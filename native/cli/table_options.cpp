// SPDX-License-Identifier: MIT
#include "cli/table_options.h"

#include <algorithm>
#include <cmath>

#include "base/file.h"
#include "base/text.h"
#include "bridges/bridge.h"
#include "cli/options.h"
#include "convert/retargeting.h"
#include "formats/registry.h"

namespace animbridge::cli {

namespace {

/// Conversions have an option of their own by this name.
constexpr std::string_view animation_option = "animation";

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

Json number_or_names(const std::string& text) {
    Json number = number_or_text(text);
    if (!number.is_string()) {
        return number;
    }
    Json names = Json::array();
    for (const std::string& name : CLI::detail::split(text, ',')) {
        names.push_back(json_text(name));
    }
    return names;
}

std::string bits_text(const Option& option) {
    std::string names;
    for (const std::string_view name : choices_of(option)) {
        names += names.empty() ? "" : ",";
        names += name;
    }
    return "a whole number from 0, or names with commas between them, of " + names;
}

std::size_t number_at(const std::string& text) { return text.rfind('=') + 1; }

std::string integer_range(const Option& option) {
    return std::to_string(static_cast<std::int64_t>(option.low)) + " to " +
           std::to_string(static_cast<std::int64_t>(option.high));
}

/// [x, y, z] of "NAME=X,Y,Z"; what is no number stays text.
Json vector_of(const std::string& text) {
    Json vector = Json::array();
    for (const std::string& number : CLI::detail::split(text.substr(number_at(text)), ',')) {
        vector.push_back(number_or_text(number));
    }
    return vector;
}

/// The options of one table, each with a text that becomes a member of its JSON.
class Adder {
public:
    /// `group` is the help's heading; "": the command's own.
    Adder(CLI::App* command, const SharedArguments& arguments, Arguments::Values Arguments::*values,
          std::string group)
        : command_(command), arguments_(arguments), values_(values), group_(std::move(group)) {}

    void add(const Option& option) {
        arguments_->flags.try_emplace(std::string(option.name), option.command_name);
        const std::size_t before = command_->get_options().size();
        add_to_command(option);
        const auto all = command_->get_options();
        for (std::size_t i = before; i < all.size() && !group_.empty(); ++i) {
            all[i]->group(group_);
        }
    }

private:
    void add_to_command(const Option& option) {
        switch (option.type) {
            case OptionType::flag:
                add_flag(option);
                break;
            case OptionType::integer:
                takes_integer(add_value(option), value_name(option).c_str(),
                              static_cast<std::int64_t>(option.low), static_cast<std::int64_t>(option.high));
                break;
            case OptionType::number:
            case OptionType::any_seconds:
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
            case OptionType::vectors_by_name:
                add_named_vectors(option);
                break;
            case OptionType::file_text:
                add_file(option);
                break;
            case OptionType::bits:
                add_bits(option);
                break;
            case OptionType::seconds:
            case OptionType::texts:
            case OptionType::texts_by_name:
            case OptionType::numbers:
            case OptionType::points:
            case OptionType::matrix:
            case OptionType::object:
                break;  // for calls only: no such row has a command_name
        }
    }

    static std::string value_name(const Option& option) { return std::string(option.value_name); }
    CLI::Option* add_value(const Option& option) {
        return command_
            ->add_option_function<std::string>(
                std::string(option.command_name),
                [arguments = arguments_, values = values_, name = std::string(option.name),
                 is_choice = option.type == OptionType::choice](const std::string& text) {
                    (arguments.get()->*values).given[name] =
                        is_choice ? json_text(text) : number_or_text(text);
                },
                help_of(option))
            ->default_str(std::string(option.standard));
    }

    /// One number, or two with a comma between them.
    void add_numbers(const Option& option) {
        const auto second_of = [](const std::string& text) {
            const std::size_t comma = text.find(',');
            return comma == std::string::npos ? std::string() : text.substr(comma + 1);
        };
        takes_text(
            command_
                ->add_option_function<std::string>(
                    std::string(option.command_name),
                    [arguments = arguments_, values = values_, option, second_of](const std::string& text) {
                        Json& given = (arguments.get()->*values).given;
                        given[std::string(option.name)] = number_or_text(text.substr(0, text.find(',')));
                        if (const std::string second = second_of(text); !second.empty()) {
                            given[std::string(option.after_comma)] = number_or_text(second);
                        }
                    },
                    help_of(option))
                ->default_str(std::string(option.standard)),
            value_name(option).c_str(), [option, second_of](const std::string& text) {
                const bool has_second = text.find(',') != std::string::npos;
                const bool is_fine =
                    check_option(option, number_or_text(text.substr(0, text.find(','))), "") &&
                    (!has_second || check_option(option, number_or_text(second_of(text)), ""));
                return is_fine ? std::string()
                               : allowed_values(option) + ", and after a comma another one of these";
            });
    }

    void add_number(const Option& option) {
        if (!option.after_comma.empty()) {
            add_numbers(option);
            return;
        }
        Option typed = option;
        typed.high = std::min(option.high, largest_number);
        takes_text(add_value(option), value_name(option).c_str(), [typed](const std::string& text) {
            const bool is_fine = check_option(typed, number_or_text(text), "").has_value();
            return is_fine                                 ? std::string()
                   : typed.type == OptionType::any_seconds ? "a number of seconds"
                                                           : allowed_values(typed);
        });
    }

    void add_flag(const Option& option) {
        add_switch(option, option.command_name, option.switch_value, help_of(option));
        if (!option.clear_name.empty()) {
            add_switch(option, option.clear_name, !option.switch_value, std::string(option.clear_help));
        }
    }

    void add_switch(const Option& option, std::string_view flag, bool value, const std::string& help) {
        is_switch(command_->add_flag_callback(
            std::string(flag),
            [arguments = arguments_, values = values_, name = std::string(option.name), value] {
                (arguments.get()->*values).given[name] = value;
            },
            help));
    }

    /// A number, or names between commas.
    void add_bits(const Option& option) {
        takes_text(command_->add_option_function<std::string>(
                       std::string(option.command_name),
                       [arguments = arguments_, values = values_,
                        name = std::string(option.name)](const std::string& text) {
                           (arguments.get()->*values).given[name] = number_or_names(text);
                       },
                       help_of(option)),
                   value_name(option).c_str(), [option](const std::string& text) {
                       return check_option(option, number_or_names(text), "") ? std::string()
                                                                              : bits_text(option);
                   });
    }

    void add_text(const Option& option) {
        CLI::Option* added = command_->add_option_function<std::string>(
            std::string(option.command_name),
            [arguments = arguments_, values = values_, name = std::string(option.name)](
                const std::string& text) { (arguments.get()->*values).given[name] = json_text(text); },
            help_of(option));
        if (option.is_fine == nullptr) {
            added->type_name(value_name(option));
            return;
        }
        takes_text(added, value_name(option).c_str(), [option](const std::string& text) {
            return check_option(option, json_text(text), "") ? std::string() : allowed_values(option);
        });
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
                       [arguments = arguments_, values = values_,
                        name = std::string(option.name)](const std::vector<std::string>& texts) {
                           for (const std::string& text : texts) {
                               const std::size_t at = number_at(text);
                               (arguments.get()->*values).given[name][text.substr(0, at - 1)] =
                                   number_or_text(text.substr(at));
                           }
                       },
                       help_of(option)),
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

    void add_named_vectors(const Option& option) {
        takes_text(command_->add_option_function<std::vector<std::string>>(
                       std::string(option.command_name),
                       [arguments = arguments_, values = values_,
                        name = std::string(option.name)](const std::vector<std::string>& texts) {
                           for (const std::string& text : texts) {
                               (arguments.get()->*values).given[name][text.substr(0, number_at(text) - 1)] =
                                   vector_of(text);
                           }
                       },
                       help_of(option)),
                   value_name(option).c_str(),
                   [option](const std::string& text) {
                       const std::size_t at = number_at(text);
                       Json named = Json::object();
                       named["name"] = vector_of(text);
                       return at > 1 && check_option(option, named, "")
                                  ? std::string()
                                  : value_name(option) + ", each number from " + integer_range(option);
                   })
            ->expected(1)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    }

    void add_file(const Option& option) {
        takes_file(command_->add_option_function<std::string>(
            std::string(option.command_name),
            [arguments = arguments_, values = values_, name = std::string(option.name)](
                const std::string& path) { (arguments.get()->*values).files[name] = path; },
            help_of(option)));
    }

    CLI::App* command_;
    const SharedArguments& arguments_;
    Arguments::Values Arguments::*values_;
    std::string group_;
};

/// An option of a command, and the heading over it: each table that has it.
struct GroupedOption {
    Option option;
    std::string group;
};

void add_once(std::span<const Option> table, const std::string& group, std::vector<GroupedOption>& options) {
    for (const Option& option : table) {
        const auto same = std::find_if(options.begin(), options.end(), [&](const GroupedOption& other) {
            return other.option.command_name == option.command_name;
        });
        if (option.command_name.empty()) {
            continue;
        }
        if (same == options.end()) {
            options.push_back({option, group});
        } else {
            same->group += ", " + group;
        }
    }
}

/// Those of the bridges, and of the formats' ways through a clip. An option that several ways have appears
/// once: it has one name in JSON then, and takes the same values.
std::vector<GroupedOption> options_of_all_ways() {
    std::vector<GroupedOption> options;
    for (const Bridge* bridge : bridges()) {
        add_once(bridge->options(), std::string(bridge->way), options);
    }
    for (const Format& format : formats()) {
        add_once(options_of_call(format, "to_clip"), "from " + std::string(format.noun), options);
        add_once(options_of_call(format, "from_clip"), "to " + std::string(format.noun), options);
    }
    return options;
}

/// Options of one heading together, and headings with a capital letter.
void add_grouped(CLI::App* command, const SharedArguments& arguments,
                 const std::vector<GroupedOption>& options) {
    for (const GroupedOption& each : options) {
        std::string heading = each.group;
        if (!heading.empty() && heading.front() >= 'a' && heading.front() <= 'z') {
            heading.front() = static_cast<char>(heading.front() - 'a' + 'A');
        }
        Adder(command, arguments, &Arguments::conversion, heading).add(each.option);
    }
}

}  // namespace

std::string help_of(const Option& option) {
    const std::string text(option.switch_help.empty() ? option.help : option.switch_help);
    Option typed = option;
    typed.may_be_null = false;  // the command has no null
    const bool is_number = option.type == OptionType::integer || option.type == OptionType::number;
    const std::string ranged = is_number                         ? text + " (" + allowed_values(typed) + ")"
                               : option.type == OptionType::bits ? text + " (" + bits_text(option) + ")"
                                                                 : text;
    return option.without.empty() ? ranged : ranged + ". Without it: " + std::string(option.without);
}

void add_reading_options(CLI::App* command, const SharedArguments& arguments) {
    for (const Option& option : reading_options()) {
        if (option.name != animation_option) {
            Adder(command, arguments, &Arguments::reading, "").add(option);
        }
    }
}

void add_animation_option(CLI::App* command, const SharedArguments& arguments) {
    for (const Option& option : reading_options()) {
        if (option.name == animation_option) {
            Adder(command, arguments, &Arguments::reading, "").add(option);
        }
    }
}

void add_bridge_options(CLI::App* convert, const SharedArguments& arguments) {
    add_grouped(convert, arguments, options_of_all_ways());
}

void add_call_options(CLI::App* command, const SharedArguments& arguments, std::string_view call) {
    std::vector<GroupedOption> options;
    std::size_t tables = 0;
    for (const Format& format : formats()) {
        const auto table = options_of_call(format, call);
        tables += table.empty() ? 0 : 1;
        add_once(table, std::string(format.title), options);
    }
    for (GroupedOption& option : options) {
        option.group = tables > 1 ? option.group : "";
    }
    add_grouped(command, arguments, options);
}

void add_retarget_options(CLI::App* convert, const SharedArguments& arguments) {
    for (const Option& option : retarget_options()) {
        if (!option.command_name.empty()) {
            Adder(convert, arguments, &Arguments::retarget, "Onto another skeleton").add(option);
        }
    }
}

Result<Json> given_options(const Arguments::Values& values) {
    Json options = values.given;
    for (const auto& [name, path] : values.files) {
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
