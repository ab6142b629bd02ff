// SPDX-License-Identifier: MIT
#include "cli/man_page.h"

#include "cli/command_tree.h"

namespace animbridge::cli {

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

}  // namespace animbridge::cli
