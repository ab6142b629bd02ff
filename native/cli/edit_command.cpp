// SPDX-License-Identifier: MIT
#include "cli/edit_command.h"

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/short_help.h"
#include "cli/table_options.h"
#include "convert/edit.h"
#include "formats/registry.h"

namespace animbridge::cli {

namespace {

std::string text_of(const Json& report) {
    const Format* format = find_format(report["format"].get<std::string_view>());
    return finding_lines(report["tolerated"], "read leniently: ") +
           (format->describe_naming == nullptr ? "" : format->describe_naming(report)) +
           edit_text(*format, report["edits"], report["refused"]) +
           finding_lines(report["refused"], "refused by the target program: ");
}

int run_edit(const Arguments& arguments) {
    auto edits = given_options(arguments.conversion);
    if (!edits) {
        return fail_with(edits.error());
    }
    if (edits->empty()) {
        return fail_with({ErrorCode::invalid_argument,
                          "no change was asked for: give an option, such as those that animbridge edit "
                          "--help lists"});
    }
    auto report = edit_file(arguments.file, arguments.output,
                            {arguments.format, reading_of(arguments), std::move(*edits)});
    if (!report) {
        return fail_with(report.error(), arguments);
    }
    const bool is_refused = !report->at("refused").empty();
    show(arguments, std::move(*report), text_of);
    return is_refused ? complain_of_refusal(arguments) : fine;
}

}  // namespace

void define_edit(CLI::App& program, const SharedArguments& arguments, int& exit_code) {
    CLI::App* edit =
        add(program, "edit", "Change values of a file, and nothing else", arguments, exit_code, run_edit);
    takes_file(edit->add_option("input", arguments->file, "The file to read"))->required();
    takes_file(
        edit->add_option("output", arguments->output,
                         "The file to write, of the same format; an existing file is replaced when the new "
                         "one is complete"))
        ->required();
    add_format(edit, arguments);
    add_reading_options(edit, arguments);
    add_call_options(edit, arguments, "edited");
    show_first(edit, {"--base-priority", "--joint-priority", "--loop", "--no-loop", "--decimals", "--flags",
                      "--half-stop-frame", "--trim-start", "--trim-end", "--json"});
}

}  // namespace animbridge::cli
