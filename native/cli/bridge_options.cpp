// SPDX-License-Identifier: MIT
#include "cli/bridge_options.h"

#include <algorithm>

#include "base/file.h"
#include "base/text.h"
#include "bridges/bridge.h"
#include "cli/options.h"

namespace animbridge::cli {

namespace {

/// A number if the text is one, else text.
Json number_or_text(const std::string& text) {
    const auto number = decimal_number(text);
    if (!number) {
        return text;
    }
    // Integer options do not accept 1.0.
    const auto whole = static_cast<std::int64_t>(*number);
    return *number == static_cast<double>(whole) ? Json(whole) : Json(*number);
}

std::size_t number_at(const std::string& text) { return text.rfind('=') + 1; }

std::string integer_range(const Option& option) {
    return std::to_string(static_cast<std::int64_t>(option.low)) + " to " +
           std::to_string(static_cast<std::int64_t>(option.high));
}

/// Adds the options of one bridge. Each takes text, which becomes a JSON member.
class Adder {
public:
    Adder(CLI::App* convert, const SharedArguments& arguments, const Bridge& bridge)
        : convert_(convert), arguments_(arguments), way_(std::string(bridge.way) + ": ") {}

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
                takes_number(add_value(option), value_name(option).c_str(),
                             {option.low, option.high, option.allowed});
                break;
            case OptionType::choice:
                takes_choice(add_value(option),
                             {std::string(option.choices[0]), std::string(option.choices[1])});
                break;
            case OptionType::text:
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
        }
    }

private:
    static std::string value_name(const Option& option) { return std::string(option.value_name); }
    [[nodiscard]] std::string help(const Option& option) const { return way_ + std::string(option.help); }

    CLI::Option* add_value(const Option& option) {
        return convert_->add_option_function<std::string>(
            std::string(option.command_name),
            [arguments = arguments_, name = std::string(option.name)](const std::string& text) {
                arguments->conversion[name] = number_or_text(text);
            },
            help(option));
    }

    void add_flag(const Option& option) {
        is_switch(convert_->add_flag_callback(
            std::string(option.command_name),
            [arguments = arguments_, name = std::string(option.name), value = option.switch_value] {
                arguments->conversion[name] = value;
            },
            help(option)));
    }

    void add_text(const Option& option) {
        convert_
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
        takes_text(convert_->add_option_function<std::vector<std::string>>(
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
        takes_file(convert_->add_option_function<std::string>(
            std::string(option.command_name),
            [arguments = arguments_, name = std::string(option.name)](const std::string& path) {
                arguments->conversion_files[name] = path;
            },
            help(option)));
    }

    CLI::App* convert_;
    const SharedArguments& arguments_;
    std::string way_;
};

}  // namespace

void add_bridge_options(CLI::App* convert, const SharedArguments& arguments) {
    for (const Bridge* bridge : bridges()) {
        Adder adder(convert, arguments, *bridge);
        for (const Option& option : bridge->options()) {
            adder.add(option);
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
