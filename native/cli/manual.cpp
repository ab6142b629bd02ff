// SPDX-License-Identifier: MIT
#include "cli/manual.h"

#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "convert/formats.h"

namespace animbridge::cli {

namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& program) {
    return program.get_subcommands([](const CLI::App*) { return true; });
}

/// The commands that do something: those of groups, and the rest.
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

/// With its group's name in front.
std::string full_name(const CLI::App& program, const CLI::App& command) {
    const CLI::App* group = command.get_parent();
    return (group == &program ? "" : group->get_name() + " ") + command.get_name();
}

std::vector<const CLI::Option*> options_of(const CLI::App& command, bool positional) {
    std::vector<const CLI::Option*> options;
    for (const CLI::Option* option : command.get_options()) {
        if (option->get_positional() == positional) {
            options.push_back(option);
        }
    }
    return options;
}

/// roff reads a leading dot or quote as a request, and a backslash as an escape.
std::string roff(const std::string& text) {
    std::string safe;
    for (const char c : text) {
        safe += c == '\\' ? "\\\\" : c == '-' ? "\\-" : std::string(1, c);
    }
    return !safe.empty() && (safe.front() == '.' || safe.front() == '\'') ? "\\&" + safe : safe;
}

std::string man_page(const CLI::App& program) {
    std::string page =
        ".TH ANIMBRIDGE 1 \"\" \"AnimBridge\" \"User Commands\"\n.SH NAME\nanimbridge \\- " +
        roff(program.get_description()) +
        "\n.SH SYNOPSIS\n.B animbridge\n.I COMMAND\n[\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]\n.SH COMMANDS\n";
    for (const CLI::App* command : working_commands_of(program)) {
        page += ".SS " + roff(full_name(program, *command));
        for (const CLI::Option* positional : options_of(*command, true)) {
            page += " " + roff(positional->get_single_name());
        }
        page += "\n" + roff(command->get_description()) + ".\n";
        for (const bool positional : {true, false}) {
            for (const CLI::Option* option : options_of(*command, positional)) {
                page += ".TP\n\\fB" + roff(option->get_name(positional, true)) + "\\fR\n" +
                        roff(option->get_description()) + "\n";
            }
        }
    }
    return page +
           ".SH EXIT STATUS\n.TP\n0\neverything is fine\n.TP\n1\nfindings, differences beyond the tolerance, "
           "or the work failed\n"
           ".TP\n2\nthe call is wrong\n.SH ENVIRONMENT\n.TP\nNO_COLOR\nno colours, even on a terminal\n";
}

/// Those of a group's commands too, each name once.
std::vector<const CLI::Option*> all_options_of(const CLI::App& command) {
    std::vector<const CLI::Option*> options = options_of(command, false);
    for (const CLI::App* inner : commands_of(command)) {
        for (const CLI::Option* option : options_of(*inner, false)) {
            const bool known = std::any_of(options.begin(), options.end(), [&](const CLI::Option* other) {
                return other->get_name() == option->get_name();
            });
            if (!known) {
                options.push_back(option);
            }
        }
    }
    return options;
}

std::string words(const CLI::App& command) {
    std::string text;
    for (const CLI::Option* option : all_options_of(command)) {
        for (const std::string& name : option->get_lnames()) {
            text += (text.empty() ? "--" : " --") + name;
        }
    }
    return text;
}

std::string command_names(const CLI::App& program) {
    std::string text;
    for (const CLI::App* command : commands_of(program)) {
        text += (text.empty() ? "" : " ") + command->get_name();
    }
    return text;
}

std::string bash_completion(const CLI::App& program) {
    std::string script =
        "_animbridge() {\n    local current=${COMP_WORDS[COMP_CWORD]}\n    local options=\"--help "
        "--version\"\n"
        "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W \"" +
        command_names(program) +
        " $options\" -- \"$current\"))\n        return\n    fi\n    case ${COMP_WORDS[1]} in\n";
    for (const CLI::App* command : commands_of(program)) {
        script += "        " + command->get_name() + ") options=\"" + words(*command) + "\"";
        if (const std::string inner = command_names(*command); !inner.empty()) {
            script += "\n            if [ \"$COMP_CWORD\" -eq 2 ]; then COMPREPLY=($(compgen -W \"" + inner +
                      "\" -- \"$current\")); return; fi";
        }
        script += " ;;\n";
    }
    return script +
           "    esac\n    case $current in\n        -*) COMPREPLY=($(compgen -W \"$options\" -- "
           "\"$current\")) ;;\n"
           "        *) COMPREPLY=($(compgen -f -- \"$current\")) ;;\n    esac\n}\ncomplete -o filenames -F "
           "_animbridge animbridge\n";
}

std::string zsh_quoted(std::string text) {
    for (std::size_t i = 0; (i = text.find_first_of("'[]:", i)) != std::string::npos;
         i += text[i] == '\'' ? 4 : 2) {
        text.replace(i, 1, text[i] == '\'' ? "'\\''" : std::string("\\") + text[i]);
    }
    return text;
}

std::string zsh_completion(const CLI::App& program) {
    std::string script = "#compdef animbridge\n_arguments -C '1:command:(" + command_names(program) +
                         ")' '*::argument:->arguments'\ncase $words[1] in\n";
    for (const CLI::App* command : commands_of(program)) {
        const std::string inner = command_names(*command);
        script += "    " + command->get_name() + ") _arguments";
        script += inner.empty() ? "" : " '1:command:(" + inner + ")'";
        for (const CLI::Option* option : all_options_of(*command)) {
            for (const std::string& name : option->get_lnames()) {
                script += " '--" + name + "[" + zsh_quoted(option->get_description()) + "]" +
                          (option->get_type_size() > 0 ? ":value:" : "") + "'";
            }
        }
        script += " '*:file:_files' ;;\n";
    }
    return script + "esac\n";
}

std::string fish_quoted(std::string text) {
    for (std::size_t i = 0; (i = text.find_first_of("'\\", i)) != std::string::npos; i += 2) {
        text.insert(i, 1, '\\');
    }
    return "'" + text + "'";
}

std::string fish_completion(const CLI::App& program) {
    std::string script;
    for (const CLI::App* command : commands_of(program)) {
        script += "complete -c animbridge -n __fish_use_subcommand -a " + command->get_name() + " -d " +
                  fish_quoted(command->get_description()) + "\n";
        for (const CLI::App* inner : commands_of(*command)) {
            script += "complete -c animbridge -n '__fish_seen_subcommand_from " + command->get_name() +
                      "' -a " + inner->get_name() + " -d " + fish_quoted(inner->get_description()) + "\n";
        }
        for (const CLI::Option* option : all_options_of(*command)) {
            for (const std::string& name : option->get_lnames()) {
                script += "complete -c animbridge -n '__fish_seen_subcommand_from " + command->get_name() +
                          "' -l " + name + (option->get_type_size() > 0 ? " -r" : "") + " -d " +
                          fish_quoted(option->get_description()) + "\n";
            }
        }
    }
    return script;
}

std::string findings_page() {
    std::string page = "# What `animbridge check` may find\n\nPrinted by `animbridge manual findings`.\n";
    for (const Format& format : formats()) {
        page += "\n## " + std::string(format.title) + "\n\n";
        const auto all = formats();
        const auto first = std::find_if(all.begin(), all.end(),
                                        [&](const Format& row) { return row.rules == format.rules; });
        if (first->id != format.id) {
            page += "The same as of: " + std::string(first->title) + ", for each one in it.\n";
            continue;
        }
        page += "| id | class | level | what the target program does | what to do |\n|---|---|---|---|---|\n";
        for (const Rule& rule : format.rules()) {
            page += "| `" + std::string(rule.id) + "` | " + std::string(name_of(rule.finding_class)) + " | " +
                    std::string(rule.level) + " | " + std::string(rule.effect) + " | " +
                    std::string(rule.advice) + " |\n";
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
    manual->add_option("kind", *kind, "man, bash, zsh, fish or findings")
        ->required()
        ->check(CLI::IsMember({"man", "bash", "zsh", "fish", "findings"}));
    manual->callback([&program, kind] { std::cout << page_of(program, *kind); });
}

}  // namespace animbridge::cli
