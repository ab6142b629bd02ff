// SPDX-License-Identifier: MIT
#include "cli/commands/commands.h"

#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/files/files.h"
#include "cli/arguments/arguments.h"
#include "cli/help/help.h"
#include "convert/convert.h"
#include "formats/registry.h"
#include "model/findings/findings.h"
#include "rig/armature/armature.h"

namespace animbridge::cli {

namespace {

/// Shows the progress of long work on a terminal, in a line that is cleared at the end.
class ProgressLine {
public:
    ProgressLine() : on_(is_terminal(Stream::error)) {}
    ~ProgressLine() {
        if (shown_ >= 0) {
            write_to_error_stream("\r\x1b[K");
        }
    }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    ProgressLine(ProgressLine&&) = delete;
    ProgressLine& operator=(ProgressLine&&) = delete;

    [[nodiscard]] Job job() {
        return Job([this](double fraction) {
            const int percent = static_cast<int>(fraction * 100.0);
            if (on_ && percent != shown_) {
                write_to_error_stream("\r" + std::to_string(percent) + " %");
                shown_ = percent;
            }
            return true;
        });
    }

private:
    bool on_;
    int shown_ = -1;
};

/// Information from the programs that read and write a format's files for the library, by the format's id.
Json programs_json(const ReadOptions& limits) {
    Json programs = Json::object();
    for (const Format& format : formats()) {
        if (format.file.program != nullptr) {
            programs[format.id] = format.file.program(limits);
        }
    }
    return programs;
}

int run_formats(const Arguments& arguments) {
    Json report = all_options_json();
    report["programs"] = programs_json(reading_of(arguments));
    return show(arguments, std::move(report), formats_text);
}

/// One report for one file; for more, a list of {"file", ...} with the errors of those that cannot be read.
int run_info(const Arguments& arguments) {
    int exit_code = fine;
    Json rows = Json::array();
    for (const std::string& file : arguments.files) {
        const auto document = load(file, arguments.format, reading_of(arguments));
        if (!document) {
            exit_code = std::max(exit_code, fail_with(document.error()));
            rows.push_back({{"file", json_text(file)}, {"error", json_text(document.error().message())}});
            continue;
        }
        Json report = (*document)->info();
        if (!arguments.json || arguments.files.size() == 1) {
            show(arguments, std::move(report), [&](const Json& shown) { return info_text(file, shown); });
            continue;
        }
        Json row = {{"file", json_text(file)}};
        row.update(report);
        rows.push_back(std::move(row));
    }
    if (arguments.json && arguments.files.size() > 1) {
        print(print_json({{"files", std::move(rows)}}));
    }
    return exit_code;
}

/// The result of checking one file: its row of the JSON report.
struct FileChecked {
    int exit_code = fine;
    Json row;
};

FileChecked check_one(const Arguments& arguments, const std::string& file) {
    const auto level =
        arguments.level.empty() ? std::nullopt : std::optional<std::string_view>(arguments.level);
    const NamedInput input = input_of(file);
    const auto checked =
        check_file(input.path, arguments.format, reading_of(input, reading_of(arguments)), level);
    if (!checked) {
        const Error& error = checked.error();
        return {fail_with(error), {{"file", json_text(file)}, {"error", json_text(error.message())}}};
    }
    const auto worst_allowed = finding_class_named(arguments.fail_on);
    const bool fails =
        std::any_of(checked->findings.begin(), checked->findings.end(), [&](const Finding& finding) {
            return worst_allowed && finding.rule->finding_class <= *worst_allowed;
        });
    FileChecked made{fails ? failed : fine, {{"file", json_text(file)}, {"level", name_of(checked->level)}}};
    made.row.update(findings_json(checked->findings));
    if (!arguments.json) {
        remove_controls(made.row);
        print(check_text(file, made.row, Colours()));
    }
    return made;
}

int run_check(const Arguments& arguments) {
    int exit_code = fine;
    Json reports = Json::array();
    for (const std::string& file : arguments.files) {
        FileChecked checked = check_one(arguments, file);
        exit_code = std::max(exit_code, checked.exit_code);
        reports.push_back(std::move(checked.row));
    }
    if (arguments.json) {
        print(print_json({{"files", std::move(reports)}}));
    }
    return exit_code;
}

/// What lenient reading tolerated, if no report says so: one line each on the error stream.
void complain_of_tolerated(const AnyDocument& document, const std::string& file) {
    for (const Finding& finding : document.tolerated()) {
        complain(file + ": " + (finding.line < 0 ? "" : "line " + std::to_string(finding.line) + ": ") +
                 summary_of(finding) + ". " + std::string(finding.rule->effect));
    }
}

int run_compare(const Arguments& arguments) {
    const auto a = load(arguments.files.at(0), "", reading_of(arguments));
    const auto b = load(arguments.files.at(1), "", reading_of(arguments));
    if (!a || !b) {
        return fail_with(a ? b.error() : a.error());
    }
    complain_of_tolerated(**a, arguments.files.at(0));
    complain_of_tolerated(**b, arguments.files.at(1));
    Result<Json> report;
    {
        ProgressLine progress;
        report = (*a)->compare(**b, progress.job());
    }
    if (!report) {
        return fail_with(in_file(report.error(), arguments.files.at(0) + " or " + arguments.files.at(1)));
    }
    const bool within = (*report)["max_position_mm"].get<double>() <= arguments.tolerance_mm &&
                        (*report)["max_rotation_degrees"].get<double>() <= arguments.tolerance_degrees &&
                        (*report)["only_in_a"].empty() && (*report)["only_in_b"].empty();
    show(arguments, std::move(*report),
         [&](const Json& shown) { return compare_text(shown, arguments.all); });
    return within ? fine : failed;
}

int run_reduce(const Arguments& arguments) {
    Result<Json> report;
    {
        ProgressLine progress;
        report = reduce_file(arguments.file, arguments.output,
                             {arguments.format, reading_of(arguments), arguments.conversion.given},
                             progress.job());
    }
    if (!report) {
        return fail_with(report.error(), arguments);
    }
    return show(arguments, std::move(*report), reduce_text);
}

int run_pose(const Arguments& arguments) {
    const auto document = load(arguments.file, arguments.format, reading_of(arguments));
    if (!document) {
        return fail_with(document.error());
    }
    complain_of_tolerated(**document, arguments.file);
    const auto stop = arguments.stop >= 0.0 ? std::optional(arguments.stop) : std::nullopt;
    auto report = (*document)->pose(arguments.times, stop);
    if (!report) {
        return fail_with(in_file(report.error(), arguments.file));
    }
    const Format& format = (*document)->format();
    return show(arguments, std::move(*report), [&](const Json& shown) { return pose_text(format, shown); });
}

int run_rig_map(const Arguments& /*arguments*/) {
    print(std::string(rig::armature::built_in_rig_map_json()));
    return fine;
}

constexpr const char* several_files = "The files; FILE#NAME takes one animation of a scene or level";
constexpr NumberRange from_zero = {0.0, largest_number, "a number from 0 to 1e30"};
constexpr NumberRange any_number = {-largest_number, largest_number, "a number from -1e30 to 1e30"};

void define_info(CLI::App& program, const SharedArguments& arguments, int& exit_code) {
    CLI::App* info = add(program, "info", "Show what is in files", arguments, exit_code, run_info);
    takes_file(info->add_option("files", arguments->files, several_files))->required();
    add_format(info, arguments);
    add_reading_options(info, arguments);
    add_animation_option(info, arguments);
}

void define_check(CLI::App& program, const SharedArguments& arguments, int& exit_code) {
    CLI::App* check = add(program, "check",
                          "List what the target program refuses, changes or plays differently than intended",
                          arguments, exit_code, run_check);
    takes_file(check->add_option("files", arguments->files, several_files))->required();
    takes_choice(check->add_option(
                     "--level", arguments->level,
                     "playback: what happens when the file is loaded; upload: also what happens on upload; "
                     "strict: also what is harmless or unusual. Without it: upload for .anim, playback "
                     "for other formats"),
                 {std::string(check_level_names[0]), std::string(check_level_names[1]),
                  std::string(check_level_names[2])});
    takes_fail_on(check->add_option("--fail-on", arguments->fail_on,
                                    "Exit with 1 if there is a finding of this class or a worse one"));
    add_format(check, arguments);
    add_reading_options(check, arguments);
    add_animation_option(check, arguments);
}

void define_compare(CLI::App& program, const SharedArguments& arguments, int& exit_code) {
    CLI::App* compare = add(program, "compare", "Play two files and measure how far they differ", arguments,
                            exit_code, run_compare);
    takes_file(compare->add_option("files", arguments->files,
                                   "The two files; FILE#NAME takes one animation of a scene or level"))
        ->required()
        ->expected(2);
    takes_number(compare->add_option("--mm", arguments->tolerance_mm,
                                     "Largest allowed difference of positions, in millimetres"),
                 "MM", from_zero)
        ->capture_default_str();
    takes_number(compare->add_option("--degrees", arguments->tolerance_degrees,
                                     "Largest allowed difference of rotations, in degrees"),
                 "DEGREES", from_zero)
        ->capture_default_str();
    is_switch(compare->add_flag("--all", arguments->all, "Also list the joints that do not differ"));
    add_reading_options(compare, arguments);
    add_animation_option(compare, arguments);
}

void define_reduce(CLI::App& program, const SharedArguments& arguments, int& exit_code) {
    CLI::App* reduce =
        add(program, "reduce", "Drop keys that the viewer does not need", arguments, exit_code, run_reduce);
    takes_file(reduce->add_option("input", arguments->file, "The file to read"))->required();
    takes_file(
        reduce->add_option("output", arguments->output,
                           "The file to write; an existing file is replaced when the new one is complete"))
        ->required();
    add_format(reduce, arguments);
    add_reading_options(reduce, arguments);
    add_call_options(reduce, arguments, "reduce");
}

void define_pose(CLI::App& program, const SharedArguments& arguments, int& exit_code) {
    CLI::App* pose = add(program, "pose", "Show the pose at the given times, as the target program plays it",
                         arguments, exit_code, run_pose);
    takes_file(pose->add_option("file", arguments->file,
                                "The file; FILE#NAME takes one animation of a scene or level"))
        ->required();
    takes_number(pose->add_option("times", arguments->times, "Seconds after the start of the animation"),
                 "SECONDS", any_number)
        ->required();
    takes_number(pose->add_option("--stop", arguments->stop,
                                  "Seconds after the start at which the animation is asked to stop"),
                 "SECONDS", from_zero);
    add_format(pose, arguments);
    add_reading_options(pose, arguments);
    add_animation_option(pose, arguments);
}

void take_no_value_for_help(CLI::App& program) {
    is_switch(program.get_help_ptr());
    for (CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; })) {
        take_no_value_for_help(*command);
    }
}

}  // namespace

void define_commands(CLI::App& program, const ReadOptions& limits, int& exit_code) {
    const auto arguments = std::make_shared<Arguments>();
    arguments->scene_reader = limits.scene_reader;
    add(program, "formats", "List the formats", arguments, exit_code, run_formats);
    define_info(program, arguments, exit_code);
    define_check(program, arguments, exit_code);
    define_convert(program, arguments, exit_code);
    define_batch(program, limits, exit_code);
    define_edit(program, arguments, exit_code);
    define_join(program, arguments, exit_code);
    define_compare(program, arguments, exit_code);
    define_reduce(program, arguments, exit_code);
    define_pose(program, arguments, exit_code);
    define_rig(program, arguments, exit_code);
    add(program, "rig-map", "Print the built-in rig map (JSON): which bone names stand for which joints",
        arguments, exit_code, run_rig_map);
    define_oban(program, arguments, exit_code);
    add_manual_command(program);
    take_no_value_for_help(program);
}

}  // namespace animbridge::cli
