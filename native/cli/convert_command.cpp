// SPDX-License-Identifier: MIT
#include "cli/convert_command.h"

#include "base/file.h"
#include "base/file_name.h"
#include "base/text_table.h"
#include "bridges/bridge.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/table_options.h"
#include "convert/by_clip.h"
#include "convert/convert.h"
#include "formats/registry.h"

namespace animbridge::cli {

namespace {

bool is_bvh(const std::string& path) { return extension_of(path) == ".bvh"; }

std::string problem_of_edits(const std::string& text) {
    const auto edits = parse_json(text);
    return edits && edits->is_object() ? "" : "an object as JSON, such as {\"base_priority\": 4}";
}

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
    // Where the output is JSON, the document stays one of the input's format.
    const Format* target = find_format(report["output_format"].get<std::string_view>());
    const Format* format =
        target == nullptr ? find_format(report["input_format"].get<std::string_view>()) : target;
    return edits == report.end() || format == nullptr ? "" : edit_text(*format, *edits, report["refused"]);
}

std::string text_of_conversion(const Json& report, const Json& give_back) {
    return finding_lines(report["tolerated"], "read leniently: ") + text_of_bridge(report, give_back) +
           text_of_edits(report) + finding_lines(report["refused"], "refused by the target program: ");
}

int run_convert(const Arguments& arguments) {
    const NamedInput input = input_of(arguments.file);
    auto edits = parse_json(arguments.edits);
    if (!edits) {
        return fail_with(in_request(std::move(edits.error())));
    }
    if (arguments.decimals) {
        if (!is_bvh(arguments.output)) {
            return fail_with({ErrorCode::invalid_argument,
                              "--decimals is for .bvh files; the output is " + arguments.output});
        }
        (*edits)["decimals"] = *arguments.decimals;
    }
    auto conversion = given_options(arguments.conversion);
    if (!conversion) {
        return fail_with(conversion.error());
    }
    auto retarget = given_options(arguments.retarget);
    if (!retarget) {
        return fail_with(retarget.error());
    }
    if (input.animation) {
        (*conversion)["animation"] = json_text(*input.animation);
    }
    const bool is_retargeted = arguments.is_retargeted || !retarget->empty();
    auto report =
        convert_file(input.path, arguments.output,
                     {arguments.format, arguments.as_stored, std::move(*edits), reading_of(arguments),
                      std::move(*conversion), is_retargeted ? std::move(*retarget) : Json(), arguments.onto});
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
    // To be typed again, so it stays as it is: JSON has escapes of its own.
    const Json give_back = report->value("give_back", Json());
    show(arguments, std::move(*report),
         [&](const Json& shown) { return text_of_conversion(shown, give_back); });
    return is_refused ? complain_of_refusal(arguments) : fine;
}

/// The one edit that is an option of its own, because a BVH of any format needs it.
void add_decimals(CLI::App* convert, const SharedArguments& arguments) {
    for (const Option& row : options_of_call(*find_format("bvh"), "edited")) {
        if (row.name == "decimals") {
            takes_integer(
                convert->add_option(std::string(row.command_name), arguments->decimals, help_of(row)),
                std::string(row.value_name).c_str(), static_cast<std::int64_t>(row.low),
                static_cast<std::int64_t>(row.high))
                ->group("To a BVH");
        }
    }
}

/// The ways onto another skeleton.
void add_retargeting(CLI::App* convert, const SharedArguments& arguments) {
    constexpr const char* group = "Onto another skeleton";
    is_switch(
        convert->add_flag("--retarget", arguments->is_retargeted,
                          "Move the output's skeleton like the input's, whatever their joints are called. "
                          "Without it: only if no exact conversion exists and the skeletons differ"))
        ->group(group);
    takes_file(
        convert->add_option("--onto", arguments->onto,
                            "A file whose skeleton gets the motion, of any format that has one. Without "
                            "it: the skeleton of the output's format"))
        ->group(group);
    add_retarget_options(convert, arguments);
    takes_file(convert->add_option("--report", arguments->report_file,
                                   "Write the report into this file too, as JSON"));
}

}  // namespace

void define_convert(CLI::App& program, const SharedArguments& arguments, int& exit_code) {
    CLI::App* convert = add(program, "convert", "Write a file in the format of the output's extension",
                            arguments, exit_code, run_convert);
    takes_file(convert->add_option("input", arguments->file,
                                   "The file to read; FILE#NAME takes one of a scene's animations"))
        ->required();
    takes_file(
        convert->add_option("output", arguments->output,
                            "The file to write; an existing file is replaced when the new one is complete"))
        ->required();
    is_switch(convert->add_flag("--as-stored", arguments->as_stored,
                                "Write what the viewer would store after an upload"));
    takes_text(convert->add_option("--edit", arguments->edits,
                                   "Header values to change, as JSON: {\"base_priority\": 4, "
                                   "\"joint_priorities\": {\"mHead\": 5}}"),
               "JSON", problem_of_edits);
    add_decimals(convert, arguments);
    add_format(convert, arguments);
    add_reading_options(convert, arguments);
    add_bridge_options(convert, arguments);
    add_retargeting(convert, arguments);
}

}  // namespace animbridge::cli
