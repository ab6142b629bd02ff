// SPDX-License-Identifier: MIT
#include "cli/arguments/arguments.h"

#include <algorithm>

#include "base/base.h"
#include "base/files/files.h"
#include "formats/registry.h"

namespace animbridge::cli::arguments {

namespace {

constexpr std::size_t longest_shown_value = 60;

std::string wrong_value(const std::string& text, const std::string& allowed) {
    const std::string_view begin = shortened(text, longest_shown_value);
    return "found \"" + without_controls(begin) + (begin.size() < text.size() ? "..." : "") +
           "\", allowed is " + allowed;
}

CLI::Option* check(CLI::Option* option, const std::string& type_name,
                   std::function<std::string(const std::string&)> allowed_unless_fine) {
    option->type_name(type_name);
    const auto problem = [allowed = std::move(allowed_unless_fine)](std::string& text) {
        const std::string is_allowed = allowed(text);
        return is_allowed.empty() ? std::string() : wrong_value(text, is_allowed);
    };
    return option->check(CLI::Validator(problem, ""));
}

}  // namespace

bool is_number(std::string_view text, double low, double high) {
    const auto number = decimal_number(text);
    return number && *number >= low && *number <= high;
}

bool is_integer(std::string_view text, std::int64_t low, std::int64_t high) {
    const auto number = whole_number(text);
    return number && *number >= low && *number <= high;
}

CLI::Option* takes_number(CLI::Option* option, const char* type_name, NumberRange range) {
    return check(option, type_name, [range](const std::string& text) -> std::string {
        return is_number(text, range.low, range.high) ? std::string() : std::string(range.text);
    });
}

CLI::Option* takes_integer(CLI::Option* option, const char* type_name, std::int64_t low, std::int64_t high) {
    return check(option, type_name, [low, high](const std::string& text) -> std::string {
        return is_integer(text, low, high)
                   ? ""
                   : "a whole number from " + std::to_string(low) + " to " + std::to_string(high);
    });
}

CLI::Option* takes_choice(CLI::Option* option, const std::vector<std::string>& choices) {
    const auto joined = [&](const char* between) {
        std::string text;
        for (const std::string& choice : choices) {
            text += (text.empty() ? "" : between) + choice;
        }
        return text;
    };
    return check(option, joined("|"),
                 [choices, listed = "one of " + joined(", ")](const std::string& text) -> std::string {
                     return std::ranges::find(choices, text) == choices.end() ? listed : "";
                 });
}

CLI::Option* takes_fail_on(CLI::Option* option) {
    return takes_choice(option, {"rejected", "altered", "risky", "advice", "never"})->capture_default_str();
}

CLI::Option* takes_format(CLI::Option* option) {
    std::vector<std::string> ids;
    for (const Format& format : formats()) {
        ids.emplace_back(format.id);
    }
    return takes_choice(option, ids);
}

CLI::Option* takes_text(CLI::Option* option, const char* type_name,
                        std::function<std::string(const std::string& text)> problem_of) {
    return check(option, type_name, std::move(problem_of));
}

CLI::Option* takes_file(CLI::Option* option) { return option->type_name("FILE"); }

CLI::Option* takes_folder(CLI::Option* option) { return option->type_name("DIR"); }

CLI::Option* is_switch(CLI::Option* option) { return option->disable_flag_override(); }

std::vector<std::string> choices_of(const CLI::Option& option) {
    const std::string type_name = option.get_type_name();
    return type_name.find('|') == std::string::npos ? std::vector<std::string>()
                                                    : CLI::detail::split(type_name, '|');
}

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
    is_switch(command->add_flag("--fix", arguments->is_fixed,
                                "Mend the findings of an .anim that can be mended, as animbridge fix does"));
    add_decimals(command, arguments);
    if (command->get_option_no_throw("--to") == nullptr) {  // a batch has its own
        takes_choice(command->add_option("--to", arguments->to,
                                         "The format of an output whose extension several formats have. "
                                         "Without it: the input's, or the one listed first"),
                     formats_to_name());
    }
    add_format(command, arguments);
    add_reading_options(command, arguments);
    add_bridge_options(command, arguments);
    add_retargeting(command, arguments);
    add_clip_tools(command, arguments);
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
    if (arguments.is_fixed && extension_of(output) != ".anim") {
        return fail(ErrorCode::invalid_argument,
                    "--fix is for .anim files, whose findings can be mended; the output is " + output);
    }
    edits->update(arguments.tools.given);
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
    return ConvertOptions{arguments.format,
                          arguments.as_stored,
                          std::move(*edits),
                          reading_of(arguments),
                          std::move(conversion),
                          std::move(retarget),
                          arguments.onto,
                          arguments.to,
                          !arguments.report_file.empty(),
                          !arguments.certificate_file.empty(),
                          arguments.is_fixed ? Json::object() : Json(),
                          split_from(arguments.split)};
}

}  // namespace animbridge::cli::arguments
