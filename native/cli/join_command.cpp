// SPDX-License-Identifier: MIT
#include "cli/join_command.h"

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/options/options.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/table_options.h"
#include "convert/join.h"

namespace animbridge::cli {

namespace {

/// ", 2 keys inserted at the seams"; empty if there are none.
std::string part(const Json& report, std::string_view member, const std::string& one,
                 const std::string& many) {
    const Json& count = report[member];
    return count == 0 ? "" : ", " + plain_text(count) + " " + (count == 1 ? one : many);
}

std::string join_text(const Json& report) {
    return plain_text(report["recordings"]) + " recordings, " + six_digits(report["duration_seconds"]) +
           " s, version " + plain_text(report["version"]) +
           part(report, "seam_keys", "key inserted at the seams", "keys inserted at the seams") +
           part(report, "held_curves", "curve that no longer repeats", "curves that no longer repeat") +
           part(report, "left_out_gaze_keys", "key of the gaze left out", "keys of the gaze left out") +
           part(report, "left_out_trailing_bytes", "trailing byte left out", "trailing bytes left out") +
           "\n";
}

int run_join(const Arguments& arguments) {
    constexpr std::size_t fewest = 3;
    if (arguments.files.size() < fewest) {
        return fail_with({ErrorCode::invalid_argument,
                          "found " + std::to_string(arguments.files.size()) +
                              " files; allowed are two or more to join, then the one to write"});
    }
    auto options = given_options(arguments.conversion);
    if (!options) {
        return fail_with(options.error());
    }
    const std::span<const std::string> files(arguments.files);
    auto report = join_files(files.first(files.size() - 1), files.back(), arguments.format,
                             reading_of(arguments), *options);
    if (!report) {
        return fail_with(report.error());
    }
    return show(arguments, std::move(*report), join_text);
}

}  // namespace

void define_join(CLI::App& program, const SharedArguments& arguments, int& exit_code) {
    CLI::App* join =
        add(program, "join", "Put recordings one after the other", arguments, exit_code, run_join);
    takes_file(
        join->add_option("files", arguments->files, "The recordings in their order, then the file to write"))
        ->required();
    add_format(join, arguments);
    add_reading_options(join, arguments);
    add_call_options(join, arguments, "joined");
}

}  // namespace animbridge::cli
