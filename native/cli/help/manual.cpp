// SPDX-License-Identifier: MIT
#include "cli/help/help.h"

#include <algorithm>
#include <memory>
#include <sstream>
#include <utility>

#include "cli/arguments/arguments.h"
#include "formats/registry.h"

namespace animbridge::cli::help {

namespace {

constexpr std::string_view findings_introduction = R"(# What `animbridge check` may find

Printed by `animbridge manual findings`. If a file breaks a rule in several places, that is one finding, with the number of places.

| class | meaning |
|---|---|
| rejected | the target program refuses the file, or cannot show it |
| altered | the target program changes something |
| risky | the file plays, but probably not as you want |
| advice | good to know |

Levels mean the same for every format. Each contains the one before.

| level | reports |
|---|---|
| playback | what the target program refuses, changes, or shows differently than you want; the default, except for `.anim` |
| upload | also what an upload to Second Life refuses or visibly changes; the default for `.anim` |
| strict | also what is harmless or unusual |
)";

std::string findings_page() {
    std::string page(findings_introduction);
    for (const Format& format : formats()) {
        page += "\n## " + std::string(format.title) + "\n\n";
        const auto all = formats();
        const auto first = std::ranges::find_if(
            all, [&](const Format& row) { return row.check.rules == format.check.rules; });
        if (first->get().id != format.id) {
            page +=
                "The same as for " + std::string(first->get().title) + ", for each animation in the level.\n";
            continue;
        }
        page += "| id | class | level | what happens | what to do |\n|---|---|---|---|---|\n";
        for (const Rule& rule : format.check.rules()) {
            page +=
                "| `" + std::string(rule.id) + "` | " + std::string(name_of(rule.finding_class)) + " | " +
                std::string(name_of(rule.level)) +
                (rule.purposes.empty() ? "" : ", only with `--purpose " + std::string(rule.purposes) + "`") +
                " | " + std::string(rule.effect) + " | " + std::string(rule.advice) + " |\n";
        }
    }
    return page;
}

std::string page_of(const CLI::App& program, const std::string& kind) {
    if (kind == "man") {
        return man_page(program);
    }
    if (kind == "findings") {
        return findings_page();
    }
    return kind == "bash"  ? bash_completion(program)
           : kind == "zsh" ? zsh_completion(program)
                           : fish_completion(program);
}

}  // namespace

void add_manual_command(CLI::App& program) {
    CLI::App* manual = program.add_subcommand(
        "manual", "Print the man page, a shell's completions, or the page of all findings");
    const auto kind = std::make_shared<std::string>();
    arguments::takes_choice(manual->add_option("kind", *kind, "What to print"),
                            {"man", "bash", "zsh", "fish", "findings"})
        ->required();
    manual->callback([&program, kind] { arguments::print(page_of(program, *kind)); });
}

namespace {

/// roff reads a leading dot or quote as a request, and a backslash as an escape.
std::string roff(const std::string& text) {
    std::string safe;
    for (const char c : text) {
        safe += c == '\\' ? "\\e" : c == '-' ? "\\-" : c == '\'' ? "\\(aq" : std::string(1, c);
    }
    return safe.starts_with('.') ? "\\&" + safe : safe;
}

std::string bold(const std::string& text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + roff(text) + "\\fR"; }

/// "FILE...", "[NAME...]", "FILE FILE", or the choices.
std::string argument_usage(const CLI::Option& argument) {
    const std::string name = argument.get_type_name();
    const int most = argument.get_expected_max();
    std::string usage = italic(name);
    if (most >= CLI::detail::expected_max_vector_size) {
        usage += "...";
    } else {
        for (int i = 1; i < most; ++i) {
            usage += " " + italic(name);
        }
    }
    return argument.get_required() ? usage : "[" + usage + "]";
}

/// Required options in the synopsis: "--mm MM, --out DIR".
std::string option_usage(const CLI::Option& option) {
    std::string usage;
    for (const std::string& name : names_of(option)) {
        usage += (usage.empty() ? "" : ", ") + bold(name);
    }
    return what_takes(option) == Takes::nothing ? usage : usage + " " + italic(option.get_type_name());
}

std::string option_entry(const CLI::Option& option) {
    const std::string by_default = option.get_default_str();
    return ".TP\n" + option_usage(option) + "\n" + roff(option.get_description()) +
           (by_default.empty() ? "" : " (" + roff(by_default) + " by default)") + "\n";
}

std::string argument_entry(const CLI::Option& argument) {
    return ".TP\n" + italic(argument.get_name(true)) + "\n" + roff(argument.get_description()) + "\n";
}

std::string command_section(const CLI::App& program, const CLI::App& command) {
    const std::string name = full_name(program, command);
    std::string section = ".SS " + roff(name) + "\n" + bold("animbridge " + name);
    for (const CLI::Option* option : options_of(command, false)) {
        section += option->get_required() ? " " + option_usage(*option) : "";
    }
    section += " [" + italic("OPTIONS") + "]";
    for (const CLI::Option* argument : options_of(command, true)) {
        section += " " + argument_usage(*argument);
    }
    section += "\n.PP\n" + roff(command.get_description()) + ".\n";
    for (const CLI::Option* argument : options_of(command, true)) {
        section += argument_entry(*argument);
    }
    std::string heading;
    for (const CLI::Option* option : options_of(command, false)) {
        if (heading_of(*option) != heading) {
            heading = heading_of(*option);
            section += ".PP\n" + bold(heading) + "\n";
        }
        section += option_entry(*option);
    }
    return section;
}

}  // namespace

std::string man_page(const CLI::App& program) {
    std::string page =
        ".TH ANIMBRIDGE 1 \"\" \"AnimBridge " ANIMBRIDGE_VERSION
        "\" \"User Commands\"\n"
        ".SH NAME\nanimbridge \\- " +
        roff(program.get_description()) +
        "\n.SH SYNOPSIS\n.B animbridge\n.I COMMAND\n[\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]\n.SH COMMANDS\n";
    for (const CLI::App* command : working_commands_of(program)) {
        page += command_section(program, *command);
    }
    return page +
           ".SH EXIT STATUS\n.TP\n0\nEverything is fine.\n"
           ".TP\n1\nA file is bad or can't be written, or there are findings of the class in \\-\\-fail\\-on "
           "or differences beyond the tolerance. Of a batch: something failed, or everything was skipped.\n"
           ".TP\n2\nThe command line is wrong: an option, a value or a name.\n"
           ".TP\n3\nThe output is written, but its target program refuses it.\n"
           ".TP\n130, 143\nA signal stopped a batch after the files in hand: SIGINT, SIGTERM.\n"
           ".SH ENVIRONMENT\n.TP\nNO_COLOR\nIf it is set: no colours, even on a terminal.\n";
}

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
        const auto heading = std::ranges::find(headings, heading_of(*option));
        return std::pair(heading - headings.begin(), option == command.get_help_ptr());
    };
    std::ranges::stable_sort(options,
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
    return !arguments::choices_of(option).empty() ? Takes::choice
           : type_name == "FILE"                  ? Takes::file
           : type_name == "DIR"                   ? Takes::folder
                                                  : Takes::text;
}

std::string joined_words(const std::vector<std::string>& words, const std::string& between) {
    std::string text;
    for (const std::string& word : words) {
        text += (text.empty() ? "" : between) + word;
    }
    return text;
}

namespace {

class ShortHelp : public CLI::Formatter {
public:
    explicit ShortHelp(std::vector<std::string> names) : names_(std::move(names)) {}

    std::string make_help(const CLI::App* command, std::string name, CLI::AppFormatMode mode) const override {
        if (mode != CLI::AppFormatMode::Normal) {
            return CLI::Formatter::make_help(command, std::move(name), mode);
        }
        std::ostringstream text;
        text << make_description(command) << make_usage(command, std::move(name)) << make_positionals(command)
             << "\nOptions:\n";
        for (const std::string& shown : names_) {
            const CLI::Option* const option = command->get_option(shown);
            CLI::detail::format_help(text, make_option_name(option, false) + make_option_opts(option),
                                     about(*option), get_column_width());
        }
        text << "\nanimbridge " << command->get_name() << " --help-all lists all "
             << options_of(*command, false).size() << " options.\n";
        return text.str();
    }

private:
    std::vector<std::string> names_;
};

}  // namespace

void show_first(CLI::App* command, std::vector<std::string> names) {
    arguments::is_switch(command->set_help_all_flag("--help-all", "Print help with all options and exit"));
    command->formatter(std::make_shared<ShortHelp>(std::move(names)));
}

}  // namespace animbridge::cli::help
