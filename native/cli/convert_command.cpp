// SPDX-License-Identifier: MIT
#include "cli/convert_command.h"

#include "cli/bvh_options.h"
#include "cli/commands.h"
#include "cli/print.h"
#include "convert/convert.h"

namespace animbridge::cli {

namespace {

int run_convert(const Arguments& arguments) {
    auto edits = parse_json(arguments.edits);
    if (!edits) {
        edits.error().field = "--edit";
        return fail_with(edits.error());
    }
    const auto report = convert_file(arguments.file, arguments.output,
                                     {arguments.format, arguments.as_stored, std::move(*edits),
                                      reading_of(arguments), arguments.conversion});
    if (!report) {
        return fail_with(report.error());
    }
    if (arguments.json) {
        print(print_json(*report));
    } else if ((*report)["input_format"] == "bvh" && (*report)["output_format"] == "sl_anim") {
        print(bvh_to_sl_text(*report));
    }
    return fine;
}

}  // namespace

void define_convert(CLI::App& program, const SharedArguments& arguments, int& exit_code) {
    CLI::App* convert = add(program, "convert", "Write a file in the format of the output's extension",
                            arguments, exit_code, run_convert);
    convert->add_option("input", arguments->file, "The file to read")->required();
    convert
        ->add_option("output", arguments->output,
                     "The file to write; an existing one is replaced once the new one is whole")
        ->required();
    convert->add_flag("--as-stored", arguments->as_stored,
                      "Write what the viewer would store after an upload");
    convert->add_option(
        "--edit", arguments->edits,
        "Header values to change, as JSON: {\"base_priority\": 4, \"joint_priorities\": {\"mHead\": 5}}");
    add_format(convert, arguments);
    add_lenient(convert, arguments);
    add_bvh_to_sl(convert, arguments);
}

}  // namespace animbridge::cli
