// SPDX-License-Identifier: MIT
#include "cli/help/help.h"

#include <algorithm>

#include "cli/arguments/arguments.h"

namespace animbridge::cli::help {

namespace {

/// The names of the commands, separated by spaces.
std::string names_in(const std::vector<const CLI::App*>& commands) {
    std::vector<std::string> names(commands.size());
    std::ranges::transform(commands, names.begin(),
                           [](const CLI::App* command) { return command->get_name(); });
    return joined_words(names);
}

std::string option_words(const CLI::App& command) {
    std::vector<std::string> words;
    for (const CLI::Option* option : options_of(command, false)) {
        for (const std::string& name : names_of(*option)) {
            words.push_back(name);
        }
    }
    return joined_words(words);
}

// ---- bash ----

std::string bash_words(const std::string& words) {
    return "mapfile -t COMPREPLY < <(compgen -W '" + words + "' -- \"$current\")";
}

/// The bash code that completes a value; "true", which does nothing, if it cannot be completed.
std::string bash_value(const CLI::Option& option) {
    switch (what_takes(option)) {
        case Takes::choice:
            return bash_words(joined_words(arguments::choices_of(option)));
        case Takes::file:
            return "mapfile -t COMPREPLY < <(compgen -f -- \"$current\")";
        case Takes::folder:
            return "mapfile -t COMPREPLY < <(compgen -d -- \"$current\")";
        default:
            return "true";
    }
}

/// The cases in which the previous word is an option that takes a value.
std::string bash_value_cases(const CLI::App& program) {
    std::string cases;
    for (const CLI::App* command : working_commands_of(program)) {
        for (const CLI::Option* option : options_of(*command, false)) {
            if (what_takes(*option) == Takes::nothing) {
                continue;
            }
            for (const std::string& name : names_of(*option)) {
                cases += "        '" + full_name(program, *command) + " " + name + "') " +
                         bash_value(*option) + "; return ;;\n";
            }
        }
    }
    return cases;
}

/// The other cases: options after a dash, else the last argument's values.
std::string bash_word_cases(const CLI::App& program) {
    std::string cases;
    for (const CLI::App* command : working_commands_of(program)) {
        const std::string name = full_name(program, *command);
        cases += "        '" + name + " -'*) " + bash_words(option_words(*command)) + " ;;\n";
        const auto arguments = options_of(*command, true);
        if (!arguments.empty()) {
            cases += "        '" + name + " '*) " + bash_value(*arguments.back()) + " ;;\n";
        }
    }
    return cases;
}

// ---- zsh ----

/// Escaped for single quotes and for the brackets and colons of _arguments.
std::string zsh_quoted(const std::string& text) {
    std::string safe;
    for (const char c : text) {
        safe += c == '\'' ? "'\\''" : std::string("[]:\\").find(c) == std::string::npos ? "" : "\\";
        safe += c == '\'' ? "" : std::string(1, c);
    }
    return safe;
}

/// The description of a value for _arguments, such as ":LEVEL:(playback upload strict)".
std::string zsh_value(const CLI::Option& option) {
    const std::string type = zsh_quoted(option.get_type_name());
    switch (what_takes(option)) {
        case Takes::nothing:
            return "";
        case Takes::choice:
            return ":value:(" + joined_words(arguments::choices_of(option)) + ")";
        case Takes::file:
            return ":" + type + ":_files";
        case Takes::folder:
            return ":" + type + ":_files -/";
        case Takes::text:
            return ":" + type + ": ";
    }
    return "";
}

std::string zsh_arguments(const CLI::App& command) {
    std::string text = "_arguments";
    for (const CLI::Option* option : options_of(command, false)) {
        for (const std::string& name : names_of(*option)) {
            const bool has_value = what_takes(*option) != Takes::nothing;
            text += " \\\n            '" + name + (has_value ? "=[" : "[") + zsh_quoted(about(*option)) +
                    "]" + zsh_value(*option) + "'";
        }
    }
    for (const CLI::Option* argument : options_of(command, true)) {
        const bool many = argument->get_expected_max() > 1;
        text += std::string(" \\\n            '") + (many ? "*" : "") + ":" +
                zsh_quoted(argument->get_name(true)) +
                zsh_value(*argument).substr(zsh_value(*argument).find(':', 1)) + "'";
    }
    return text;
}

/// The commands with their descriptions: "((info\:\"Tell ...\" ...))".
std::string zsh_commands(const CLI::App& program) {
    std::string text = "((";
    for (const CLI::App* command : commands_of(program)) {
        std::string about;
        for (const char c : command->get_description()) {
            about += c == '\''                                               ? "'\\''"
                     : std::string("\\\"`$:()").find(c) == std::string::npos ? std::string(1, c)
                                                                             : std::string("\\") + c;
        }
        text += (text.size() > 2 ? " " : "") + command->get_name() + "\\:\"" + about + "\"";
    }
    return text + "))";
}

std::string zsh_case(const CLI::App& command) {
    const auto inner = commands_of(command);
    std::string text = "        " + command.get_name() + ") ";
    if (inner.empty()) {
        return text + zsh_arguments(command) + " ;;\n";
    }
    text += "_arguments -C '1:command:" + zsh_commands(command) +
            "' '*::argument:->arguments'\n            case $words[1] in\n";
    for (const CLI::App* each : inner) {
        text += "        " + each->get_name() + ") " + zsh_arguments(*each) + " ;;\n";
    }
    return text + "            esac ;;\n";
}

// ---- fish ----

std::string fish_quoted(const std::string& text) {
    std::string safe;
    for (const char c : text) {
        safe += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    }
    return "'" + safe + "'";
}

/// -f: no files; -r: requires a value; -x: both; -F: files again.
std::string fish_value(const CLI::Option& option) {
    switch (what_takes(option)) {
        case Takes::nothing:
            return "";
        case Takes::choice:
            return " -x -a " + fish_quoted(joined_words(arguments::choices_of(option)));
        case Takes::file:
            return " -r -F";
        case Takes::folder:
            return " -x -a '(__fish_complete_directories)'";
        case Takes::text:
            return " -x";
    }
    return "";
}

std::string fish_options(const std::string& begin, const CLI::App& command) {
    std::string script;
    for (const CLI::Option* option : options_of(command, false)) {
        script += begin;
        for (const std::string& name : option->get_snames()) {
            script += " -s " + name;
        }
        for (const std::string& name : option->get_lnames()) {
            script += " -l " + name;
        }
        script += fish_value(*option) + " -d " + fish_quoted(about(*option)) + "\n";
    }
    return script;
}

/// Completes a command's options and its last argument.
std::string fish_command(const CLI::App& program, const CLI::App& command) {
    const std::string begin =
        "complete -c animbridge -n '__animbridge_is " + full_name(program, command) + "'";
    const auto arguments = options_of(command, true);
    std::string script = fish_options(begin, command);
    if (!arguments.empty() && what_takes(*arguments.back()) == Takes::file) {
        script += begin + " -F\n";
    } else if (!arguments.empty() && what_takes(*arguments.back()) == Takes::choice) {
        script += begin + " -a " + fish_quoted(joined_words(arguments::choices_of(*arguments.back()))) + "\n";
    }
    return script;
}

std::string fish_names(const CLI::App& parent, const std::string& condition) {
    std::string script;
    for (const CLI::App* command : commands_of(parent)) {
        script += "complete -c animbridge -n '" + condition + "' -a " + command->get_name() + " -d " +
                  fish_quoted(command->get_description()) + "\n";
    }
    return script;
}

}  // namespace

std::string bash_completion(const CLI::App& program) {
    std::string groups;
    for (const CLI::App* command : commands_of(program)) {
        if (const auto inner = commands_of(*command); !inner.empty()) {
            groups += "        " + command->get_name() + ")\n            if ((COMP_CWORD == 2)); then " +
                      bash_words(names_in(inner)) +
                      "; return; fi\n            command+=\" ${COMP_WORDS[2]}\" ;;\n";
        }
    }
    return "_animbridge() {\n"
           "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
           "    local command=${COMP_WORDS[1]}\n"
           "    COMPREPLY=()\n"
           "    if ((COMP_CWORD == 1)); then\n        " +
           bash_words(names_in(commands_of(program)) + " " + option_words(program)) +
           "\n        return\n    fi\n"
           "    # --option=value comes as three words\n"
           "    if [[ $current == '=' ]]; then\n        current=''\n"
           "    elif [[ $previous == '=' ]]; then\n        previous=${COMP_WORDS[COMP_CWORD - 2]}\n    fi\n"
           "    case $command in\n" +
           groups + "    esac\n    case \"$command $previous\" in\n" + bash_value_cases(program) +
           "    esac\n    case \"$command $current\" in\n" + bash_word_cases(program) +
           "    esac\n}\ncomplete -o filenames -F _animbridge animbridge\n";
}

std::string zsh_completion(const CLI::App& program) {
    std::string script =
        "#compdef animbridge\n_animbridge() {\n    local context state state_descr line\n    typeset -A "
        "opt_args\n"
        "    _arguments -C";
    for (const CLI::Option* option : options_of(program, false)) {
        for (const std::string& name : names_of(*option)) {
            script += " '" + name + "[" + zsh_quoted(option->get_description()) + "]'";
        }
    }
    script += " \\\n        '1:command:" + zsh_commands(program) +
              "' '*::argument:->arguments' && return\n    [[ $state == arguments ]] || return\n"
              "    case $words[1] in\n";
    for (const CLI::App* command : commands_of(program)) {
        script += zsh_case(*command);
    }
    // Loaded from fpath, the file is the function itself; sourced, it registers the function.
    return script +
           "    esac\n}\nif [[ $funcstack[1] == _animbridge ]]; then\n    _animbridge \"$@\"\nelse\n"
           "    compdef _animbridge animbridge\nfi\n";
}

std::string fish_completion(const CLI::App& program) {
    std::string script =
        "# The words after the program's name begin with these.\n"
        "function __animbridge_is\n    set -l words (commandline -opc)\n"
        "    set -l last (math 1 + (count $argv))\n"
        "    test (count $words) -ge $last; and test \"$words[2..$last]\" = \"$argv\"\nend\n"
        "complete -c animbridge -f\n" +
        fish_options("complete -c animbridge -n __fish_is_first_token", program) +
        fish_names(program, "__fish_is_first_token");
    for (const CLI::App* command : commands_of(program)) {
        script += fish_names(*command, "__animbridge_is " + command->get_name() +
                                           "; and test (count (commandline -opc)) -eq 2");
    }
    for (const CLI::App* command : working_commands_of(program)) {
        script += fish_command(program, *command);
    }
    return script;
}

}  // namespace animbridge::cli::help
