// SPDX-License-Identifier: MIT
#include "cli/conversion_options.h"

#include "base/files/files.h"
#include "cli/options.h"
#include "cli/table_options.h"
#include "formats/registry.h"

namespace animbridge::cli {

namespace {

bool is_bvh(const std::string& path) { return extension_of(path) == ".bvh"; }

std::string problem_of_edits(const std::string& text) {
    const auto edits = parse_json(text);
    return edits && edits->is_object() ? "" : "an object as JSON, such as {\"base_priority\": 4}";
}

/// The one edit that is also an option here, because every BVH output needs it.
void add_decimals(CLI::App* command, const SharedArguments& arguments) {
    for (const Option& row : options_of_call(*find_format("bvh"), "edited")) {
        if (row.name == "decimals") {
            takes_integer(
                command->add_option(std::string(row.command_name), arguments->decimals, help_of(row)),
                std::string(row.value_name).c_str(), static_cast<std::int64_t>(row.low),
                static_cast<std::int64_t>(row.high))
                ->group("To a BVH");
        }
    }
}

/// The options for another skeleton.
void add_retargeting(CLI::App* command, const SharedArguments& arguments) {
    constexpr const char* group = "Onto another skeleton";
    is_switch(
        command->add_flag("--retarget", arguments->is_retargeted,
                          "Move the output's skeleton like the input's, whatever their joints are called. "
                          "Without it: only if the input's joints are not those of the output's skeleton"))
        ->group(group);
    is_switch(command->add_flag("--no-retarget", arguments->is_not_retargeted,
                                "Never do so: convert the joints under their own names"))
        ->group(group);
    takes_file(
        command->add_option("--onto", arguments->onto,
                            "A file whose skeleton gets the motion, of any format that has one. Without "
                            "it: the skeleton of the output's format"))
        ->group(group);
    add_retarget_options(command, arguments);
}

}  // namespace

void add_conversion_options(CLI::App* command, const SharedArguments& arguments) {
    is_switch(command->add_flag("--as-stored", arguments->as_stored,
                                "Write what the viewer would store after an upload"));
    takes_text(command->add_option("--edit", arguments->edits,
                                   "Header values to change, as JSON: {\"base_priority\": 4, "
                                   "\"joint_priorities\": {\"mHead\": 5}}"),
               "JSON", problem_of_edits);
    add_decimals(command, arguments);
    add_format(command, arguments);
    add_reading_options(command, arguments);
    add_bridge_options(command, arguments);
    add_retargeting(command, arguments);
}

Result<ConvertOptions> conversion_of(const Arguments& arguments, const std::string& output) {
    auto edits = parse_json(arguments.edits);
    if (!edits) {
        return fail(in_request(std::move(edits.error())));
    }
    if (arguments.decimals) {
        if (!is_bvh(output)) {
            return fail(ErrorCode::invalid_argument, "--decimals is for .bvh files; the output is " + output);
        }
        (*edits)["decimals"] = *arguments.decimals;
    }
    TRY(auto conversion, given_options(arguments.conversion));
    TRY(auto retarget, given_options(arguments.retarget));
    const bool is_retargeted = arguments.is_retargeted || !retarget.empty();
    if (arguments.is_not_retargeted && (is_retargeted || !arguments.onto.empty())) {
        return fail(
            ErrorCode::invalid_argument,
            "--no-retarget contradicts --retarget, --onto and the options of a retargeting: leave one "
            "of them out");
    }
    if (!is_retargeted) {
        retarget = arguments.is_not_retargeted ? Json(false) : Json();
    }
    return ConvertOptions{arguments.format,      arguments.as_stored,   std::move(*edits),
                          reading_of(arguments), std::move(conversion), std::move(retarget),
                          arguments.onto};
}

}  // namespace animbridge::cli
