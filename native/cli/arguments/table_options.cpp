// SPDX-License-Identifier: MIT
#include "cli/arguments/arguments.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/base.h"
#include "base/files/files.h"
#include "convert/retarget/retarget.h"
#include "editing/editing.h"
#include "formats/registry.h"

namespace animbridge::cli::arguments {

namespace {

/// Conversions have a separate option with this name.
constexpr std::string_view animation_option = "animation";

/// Sets what was typed for an option.
void set_typed(const Option& option, const std::string& text, Json& given) {
    const OptionTypeRow& type = row_of(option.type);
    Json& value = given[std::string(option.name)];
    if (option.type == OptionType::texts) {
        value = value.is_array() ? std::move(value) : Json::array();
        value.push_back(json_text(text));
        return;
    }
    if (type.is_typed_by_name) {
        const std::size_t equals = text.rfind('=');
        value[text.substr(0, equals)] = type.typed(std::string_view(text).substr(equals + 1));
        return;
    }
    const std::size_t comma = option.after_comma.empty() ? std::string::npos : text.find(',');
    value = type.typed(text.substr(0, comma));
    if (comma != std::string::npos) {
        given[std::string(option.after_comma)] = type.typed(text.substr(comma + 1));
    }
}

/// What is allowed, if the typed text is not.
std::string problem_with(Option option, const std::string& text) {
    option.high = std::min(option.high, largest_number);
    const OptionTypeRow& type = row_of(option.type);
    Json given;
    set_typed(option, text, given);
    const bool is_fine = std::ranges::all_of(
        given, [&](const Json& value) { return check_option(option, value, "").has_value(); });
    if (is_fine && (!type.is_typed_by_name || (text.rfind('=') + 1 > 1))) {
        return {};
    }
    return type.typed_words != nullptr  ? type.typed_words(option)
           : option.after_comma.empty() ? allowed_values(option)
                                        : allowed_values(option) + ", and after a comma another one of these";
}

/// The options of one table, each with a text that becomes a member of its JSON.
class Adder {
public:
    /// `group` is the help's heading; "": the command's own.
    Adder(CLI::App* command, const SharedArguments& arguments, Arguments::Values Arguments::*values,
          std::string group)
        : command_(command), arguments_(arguments), values_(values), group_(std::move(group)) {}

    void add(const Option& option) {
        if (option.command_name.empty()) {
            return;  // for calls only
        }
        arguments_->flags.try_emplace(std::string(option.name), option.command_name);
        if (!option.after_comma.empty()) {
            arguments_->flags.try_emplace(std::string(option.after_comma), option.command_name);
        }
        const std::size_t before = command_->get_options().size();
        add_to_command(option);
        const auto all = command_->get_options();
        for (std::size_t i = before; i < all.size() && !group_.empty(); ++i) {
            all[i]->group(group_);
        }
    }

private:
    void add_to_command(const Option& option) {
        if (option.type == OptionType::flag) {
            add_flag(option);
        } else if (option.type == OptionType::file_text) {
            add_file(option);
        } else {
            add_value(option);
        }
    }

    void add_value(const Option& option) {
        const std::string name(option.command_name);
        const auto set = [arguments = arguments_, values = values_, option](const std::string& text) {
            set_typed(option, text, (arguments.get()->*values).given);
        };
        CLI::Option* const added =
            row_of(option.type).is_typed_by_name || option.type == OptionType::texts
                ? command_
                      ->add_option_function<std::vector<std::string>>(
                          name,
                          [set](const std::vector<std::string>& texts) { std::ranges::for_each(texts, set); },
                          help_of(option))
                      ->expected(1)
                      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
                : command_
                      ->add_option_function<std::string>(name, set, help_of(option))
                      // What says "automatic" describes that itself.
                      ->default_str(option.type == OptionType::text ? "" : std::string(option.standard));
        if (option.type == OptionType::choice) {
            takes_choice(added, {choices_of(option).begin(), choices_of(option).end()});
            return;
        }
        const std::string value_name =
            (option.type == OptionType::integers_by_name ? "NAME=" : "") + std::string(option.value_name);
        takes_text(added, value_name.c_str(),
                   [option](const std::string& text) { return problem_with(option, text); });
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
        const auto same = std::ranges::find_if(options, [&](const GroupedOption& other) {
            return other.option.command_name == option.command_name;
        });
        if (option.command_name.empty()) {
            continue;
        }
        if (same == options.end()) {
            options.push_back({option, group});
        } else {
            // Two ways may have one name.
            same->group += same->group.ends_with(group) ? "" : ", " + group;
            if (same->option.standard != option.standard) {
                same->option.standard = {};  // docs/options.md says which way does what without it
            }
        }
    }
}

/// The options of the bridges, and of the formats' conversions through a clip. An option that several of them
/// have appears once: it has one name in JSON, and takes the same values.
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

/// The old form of --max-error: a flag for each number.
void add_old_bounds(CLI::App* command, Adder& adder, Option option) {
    option.after_comma = {};
    for (const auto& [flag, name] : {std::pair("--position-mm", "max_position_mm"),
                                     std::pair("--rotation-degrees", "max_rotation_degrees")}) {
        option.command_name = flag;
        option.name = name;
        adder.add(option);
        command->get_option(flag)->group("");  // hidden
    }
}

/// Adds options with the same heading together, and headings with a capital letter.
void add_grouped(CLI::App* command, const SharedArguments& arguments,
                 const std::vector<GroupedOption>& options) {
    for (const GroupedOption& each : options) {
        std::string heading = each.group;
        if (!heading.empty() && heading.front() >= 'a' && heading.front() <= 'z') {
            heading.front() = static_cast<char>(heading.front() - 'a' + 'A');
        }
        Adder adder(command, arguments, &Arguments::conversion, heading);
        adder.add(each.option);
        if (each.option.command_name == "--max-error") {
            add_old_bounds(command, adder, each.option);
        }
    }
}

}  // namespace

std::string help_of(const Option& option) {
    const std::string text(option.switch_help.empty() ? option.help : option.switch_help);
    Option typed = option;
    typed.may_be_null = false;  // the command has no null
    const bool is_number = option.type == OptionType::integer || option.type == OptionType::number;
    const std::string ranged = is_number ? text + " (" + allowed_values(typed) + ")"
                               : option.type == OptionType::bits
                                   ? text + " (" + row_of(option.type).typed_words(option) + ")"
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
    Adder adder(convert, arguments, &Arguments::retarget, "Onto another skeleton");
    const auto add_hidden = [&](Option option, const char* old_name) {
        option.command_name = old_name;
        option.switch_value = true;
        adder.add(option);
        convert->get_option(old_name)->group("");
    };
    for (const Option& option : retarget_options()) {
        adder.add(option);
        if (option.name == "plant_feet") {
            add_hidden(option, "--pin-feet");
        } else if (option.name == "keep_touch") {
            add_hidden(option, "--keep-touch");  // from when it was off
        }
    }
}

void add_planting_options(CLI::App* edit, const SharedArguments& arguments) {
    for (const Option& option : retarget_options()) {
        if (option.name == "plant_feet" || option.name == "source_rig") {
            Adder(edit, arguments, &Arguments::retarget, "").add(option);
        }
    }
}

void add_clip_tools(CLI::App* command, const SharedArguments& arguments) {
    for (const Option& option : editing::tool_options()) {
        const std::string flag(option.command_name);
        if (flag.empty() || command->get_option_no_throw(flag) == nullptr) {
            Adder(command, arguments, &Arguments::tools, "Clip tools").add(option);
        }
    }
}

void add_split(CLI::App* command, const SharedArguments& arguments) {
    takes_text(command->add_option(
                   "--split", arguments->split,
                   "Write several files, OUTPUT-1, OUTPUT-2 and so on: the fewest of at most so many "
                   "seconds (60s) or bytes (250000b), or one for each marker (markers)"),
               "LIMIT",
               [](const std::string& text) {
                   return split_from(text) ? std::string()
                                           : std::string(
                                                 "at least 1 second such as 60s, bytes such as "
                                                 "250000b, or markers");
               })
        ->group("Clip tools");
}

Result<Json> given_options(const Arguments::Values& values) {
    Json options = values.given;
    for (const auto& [name, path] : values.files) {
        if (path.empty()) {
            continue;
        }
        if (name == "source_rig" || name == "target_rig") {
            TRY(options[name], rig_text_of(path));
            continue;
        }
        TRY(const auto bytes, read_file(path));
        // Only names in the file can be non-ASCII.
        options[name] = to_utf8(text_of(bytes));
    }
    return options;
}

Result<std::string> rig_text_of(const std::string& file_or_id) {
    std::error_code none;
    if (std::filesystem::exists(path_of(file_or_id), none)) {
        return read_file(file_or_id).map([](const auto& bytes) { return to_utf8(text_of(bytes)); });
    }
    return rig::humanoid::built_in_rig_text(file_or_id)
        .map([](std::string_view text) { return std::string(text); })
        .map_error([&](Error error) {
            error.file = file_or_id;
            return error;
        });
}

}  // namespace animbridge::cli::arguments
