// SPDX-License-Identifier: MIT
#include "cli/short_help.h"

#include <memory>
#include <sstream>
#include <utility>

#include "cli/command_tree.h"
#include "cli/options.h"

namespace animbridge::cli {

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
    is_switch(command->set_help_all_flag("--help-all", "Print help with all options and exit"));
    command->formatter(std::make_shared<ShortHelp>(std::move(names)));
}

}  // namespace animbridge::cli
