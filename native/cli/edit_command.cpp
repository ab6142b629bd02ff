// SPDX-License-Identifier: MIT
#include "cli/edit_command.h"

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
           edit_text(*format, report["edits"], report["refused"]) + refusal_lines(report, format);
}

int run_edit(const Arguments& arguments) {
    auto edits = given_options(arguments.conversion);
    if (!edits) {
        return fail_with(edits.error());
    }
    if (edits->empty() && !arguments.reading.given.contains("trim")) {
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

/// The old form of --trim, when only recordings had it: one flag for each side of "A:B".
void add_old_trim(CLI::App* edit, const SharedArguments& arguments, const char* flag, bool is_start) {
    takes_text(edit->add_option_function<std::string>(
                   flag,
                   [arguments, is_start](const std::string& seconds) {
                       Json& trim = arguments->reading.given["trim"];
                       const std::string both = trim.is_string() ? trim.get<std::string>() : ":";
                       const std::size_t colon = both.find(':');
                       trim = is_start ? seconds + both.substr(colon) : both.substr(0, colon + 1) + seconds;
                   }),
               "SECONDS",
               [](const std::string& seconds) {
                   return is_number(seconds, 0.0, largest_number) ? std::string() : "seconds from 0";
               })
        ->group("");  // hidden
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
    add_old_trim(edit, arguments, "--trim-start", true);
    add_old_trim(edit, arguments, "--trim-end", false);
    show_first(edit, {"--base-priority", "--joint-priority", "--loop", "--no-loop", "--decimals", "--flags",
                      "--half-stop-frame", "--trim", "--mrtk-version", "--json"});
}

}  // namespace animbridge::cli
