// SPDX-License-Identifier: MIT
#include "cli/convert_command.h"

#include "base/files/files.h"
#include "base/options/options.h"
#include "cli/conversion_options.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/short_help.h"
#include "convert/by_clip.h"
#include "convert/convert.h"
#include "formats/registry.h"
#include "model/format/format.h"

namespace animbridge::cli {

namespace {

std::string text_of_bridge(const Json& report, const Json& give_back) {
    const auto target = report["output_format"].get<std::string_view>();
    const Bridge* bridge = find_bridge(report["input_format"].get<std::string_view>(), target);
    const bool is_by_clip = report.contains("way");
    if (bridge != nullptr && bridge->describe != nullptr && !is_by_clip) {
        return bridge->describe(report, give_back);
    }
    const std::string text = is_by_clip ? describe_by_clip(report) : "";
    const Format* format = find_format(target);
    return format == nullptr || format->describe_naming == nullptr ? text
                                                                   : text + format->describe_naming(report);
}

std::string text_of_edits(const Json& report) {
    const auto edits = report.find("edits");
    // If the output is JSON, the document stays one of the input's format.
    const Format* target = find_format(report["output_format"].get<std::string_view>());
    const Format* format =
        target == nullptr ? find_format(report["input_format"].get<std::string_view>()) : target;
    return edits == report.end() || format == nullptr ? "" : edit_text(*format, *edits, report["refused"]);
}

std::string text_of_conversion(const Json& report, const Json& give_back) {
    return finding_lines(report["tolerated"], "read leniently: ") + text_of_bridge(report, give_back) +
           text_of_edits(report) +
           refusal_lines(report, find_format(report["output_format"].get<std::string_view>()));
}

int run_convert(const Arguments& arguments) {
    const NamedInput input = input_of(arguments.file);
    auto options = conversion_of(arguments, arguments.output);
    if (!options) {
        return fail_with(options.error());
    }
    if (input.animation) {
        options->bridge["animation"] = json_text(*input.animation);
    }
    auto report = convert_file(input.path, arguments.output, *options);
    if (!report) {
        return fail_with(report.error(), arguments);
    }
    if (!arguments.report_file.empty()) {
        const std::string text = print_json(*report);
        if (const auto written = write_file(arguments.report_file, view_of(text)); !written) {
            return fail_with(written.error());
        }
    }
    const bool is_refused = !report->at("refused").empty();
    // The user types it again, so it stays unchanged: JSON has its own escapes.
    const Json give_back = report->value("give_back", Json());
    show(arguments, std::move(*report),
         [&](const Json& shown) { return text_of_conversion(shown, give_back); });
    return is_refused ? complain_of_refusal(arguments) : fine;
}

}  // namespace

void define_convert(CLI::App& program, const SharedArguments& arguments, int& exit_code) {
    CLI::App* convert = add(program, "convert", "Write a file in the format of the output's extension",
                            arguments, exit_code, run_convert);
    takes_file(convert->add_option("input", arguments->file,
                                   "The file to read; FILE#NAME takes one animation of a scene or level"))
        ->required();
    takes_file(
        convert->add_option("output", arguments->output,
                            "The file to write; an existing file is replaced when the new one is complete"))
        ->required();
    add_conversion_options(convert, arguments);
    takes_file(convert->add_option("--report", arguments->report_file,
                                   "Write the report into this file too, as JSON"));
    show_first(convert, {"--retarget", "--onto", "--rig", "--animation", "--fps", "--scale", "--joint",
                         "--edit", "--trim", "--json"});
}

}  // namespace animbridge::cli
