// SPDX-License-Identifier: MIT
#include "cli/convert_command.h"

#include <filesystem>

#include "cli/bvh_to_sl.h"
#include "cli/commands.h"
#include "cli/oban_command.h"
#include "cli/print.h"
#include "cli/print_oban.h"
#include "cli/sl_to_bvh.h"
#include "convert/convert.h"

namespace animbridge::cli {

namespace {

bool is_bvh(const std::string& path) {
    return CLI::detail::to_lower(std::filesystem::path(path).extension().string()) == ".bvh";
}

int run_convert(const Arguments& arguments) {
    auto edits = parse_json(arguments.edits);
    if (!edits) {
        edits.error().field = "--edit";
        return fail_with(edits.error());
    }
    if (arguments.decimals && edits->is_object()) {
        if (!is_bvh(arguments.output)) {
            return fail_with({ErrorCode::invalid_argument,
                              "--decimals is for .bvh files; the output is " + arguments.output});
        }
        (*edits)["decimals"] = *arguments.decimals;
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
    } else if ((*report)["input_format"] == "sl_anim" && (*report)["output_format"] == "bvh") {
        print(sl_to_bvh_text(*report));
    } else {
        print(left_behind_text(*report));
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
    convert
        ->add_option("--decimals", arguments->decimals,
                     ".bvh: digits behind the point of offsets and motion, 0 to 17; without it, and for the "
                     "frame time, as "
                     "few as read back to the same number")
        ->type_name("COUNT");
    add_format(convert, arguments);
    add_lenient(convert, arguments);
    add_bvh_to_sl(convert, arguments);
    add_sl_to_bvh(convert, arguments);
    add_oban_choice(convert, arguments);
}

}  // namespace animbridge::cli
