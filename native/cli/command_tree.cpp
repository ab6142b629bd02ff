// SPDX-License-Identifier: MIT
#include "cli/command_tree.h"

#include <algorithm>
#include <utility>

#include "cli/options.h"

namespace animbridge::cli {

namespace {

/// An older name of another option.
bool is_hidden(const CLI::Option& option) { return option.get_group().empty(); }

}  // namespace

std::vector<const CLI::App*> commands_of(const CLI::App& program) {
    return program.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<const CLI::App*> working_commands_of(const CLI::App& program) {
    std::vector<const CLI::App*> commands;
    for (const CLI::App* command : commands_of(program)) {
        const auto inner = commands_of(*command);
        if (inner.empty()) {
            commands.push_back(command);
        }
        commands.insert(commands.end(), inner.begin(), inner.end());
    }
    return commands;
}

std::string full_name(const CLI::App& program, const CLI::App& command) {
    const CLI::App* group = command.get_parent();
    return (group == &program ? "" : group->get_name() + " ") + command.get_name();
}

std::vector<const CLI::Option*> options_of(const CLI::App& command, bool positional) {
    std::vector<const CLI::Option*> options;
    for (const CLI::Option* option : command.get_options()) {
        if (option->get_positional() == positional && !is_hidden(*option)) {
            options.push_back(option);
        }
    }
    std::vector<std::string> headings = {""};
    for (const CLI::Option* option : options) {
        headings.push_back(heading_of(*option));
    }
    const auto place = [&](const CLI::Option* option) {
        const auto heading = std::find(headings.begin(), headings.end(), heading_of(*option));
        return std::pair(heading - headings.begin(), option == command.get_help_ptr());
    };
    std::stable_sort(options.begin(), options.end(),
                     [&](const CLI::Option* a, const CLI::Option* b) { return place(a) < place(b); });
    return options;
}

std::string heading_of(const CLI::Option& option) {
    const std::string& group = option.get_group();
    return option.get_positional() || group == "Options" ? "" : group;
}

std::string about(const CLI::Option& option) {
    const std::string heading = heading_of(option);
    return (heading.empty() ? "" : heading + ": ") + option.get_description();
}

std::vector<std::string> names_of(const CLI::Option& option) {
    std::vector<std::string> names;
    for (const std::string& name : option.get_snames()) {
        names.push_back("-" + name);
    }
    for (const std::string& name : option.get_lnames()) {
        names.push_back("--" + name);
    }
    return names;
}

Takes what_takes(const CLI::Option& option) {
    if (option.get_expected_max() == 0) {
        return Takes::nothing;
    }
    const std::string type_name = option.get_type_name();
    return !choices_of(option).empty() ? Takes::choice
           : type_name == "FILE"       ? Takes::file
           : type_name == "DIR"        ? Takes::folder
                                       : Takes::text;
}

std::string joined_words(const std::vector<std::string>& words, const std::string& between) {
    std::string text;
    for (const std::string& word : words) {
        text += (text.empty() ? "" : between) + word;
    }
    return text;
}

}  // namespace animbridge::cli
