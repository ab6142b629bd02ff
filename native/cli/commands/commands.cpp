// SPDX-License-Identifier: MIT
#include "cli/commands/commands.h"

#include <algorithm>
#include <memory>

#include "base/files/files.h"
#include "cli/help/help.h"
#include "convert/convert.h"
#include "formats/registry.h"
#include "model/findings/findings.h"
#include "rig/armature/armature.h"

namespace animbridge::cli::commands {

namespace {

/// Shows the progress of long work on a terminal, in a line that is cleared at the end.
class ProgressLine {
public:
    ProgressLine() : on_(is_terminal(Stream::error)) {}
    ~ProgressLine() {
        if (shown_ >= 0) {
            arguments::write_to_error_stream("\r\x1b[K");
        }
    }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    [[nodiscard]] Job job() {
        return Job([this](double fraction) {
            const int percent = static_cast<int>(fraction * 100.0);
            if (on_ && percent != shown_) {
                arguments::write_to_error_stream("\r" + std::to_string(percent) + " %");
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

int run_formats(const arguments::Arguments& arguments) {
    Json report = all_options_json();
    report["programs"] = programs_json(arguments::reading_of(arguments));
    return arguments::show(arguments, std::move(report), arguments::formats_text);
}

/// One report for one file; for more, a list of {"file", ...} with the errors of those that cannot be read.
int run_info(const arguments::Arguments& arguments) {
    int exit_code = arguments::fine;
    Json rows = Json::array();
    for (const std::string& file : arguments.files) {
        const auto document = arguments::load(file, arguments.format, arguments::reading_of(arguments));
        if (!document) {
            exit_code = std::max(exit_code, arguments::fail_with(document.error()));
            rows.push_back({{"file", json_text(file)}, {"error", json_text(document.error().message())}});
            continue;
        }
        Json report = (*document)->info();
        if (!arguments.json || arguments.files.size() == 1) {
            arguments::show(arguments, std::move(report),
                            [&](const Json& shown) { return arguments::info_text(file, shown); });
            continue;
        }
        Json row = {{"file", json_text(file)}};
        row.update(report);
        rows.push_back(std::move(row));
    }
    if (arguments.json && arguments.files.size() > 1) {
        arguments::print(print_json({{"files", std::move(rows)}}));
    }
    return exit_code;
}

/// What lenient reading tolerated, if no report says so: one line each on the error stream.
void complain_of_tolerated(const AnyDocument& document, const std::string& file) {
    for (const Finding& finding : document.tolerated()) {
        arguments::complain(file + ": " +
                            (finding.line < 0 ? "" : "line " + std::to_string(finding.line) + ": ") +
                            summary_of(finding) + ". " + std::string(finding.rule->effect));
    }
}

/// Compares the files of a certificate as it says.
int run_certified(const arguments::Arguments& arguments) {
    const std::string& file = arguments.certificate_file;
    if (!arguments.reading.given.empty() || arguments.tolerance_mm != 0.0 ||
        arguments.tolerance_degrees != 0.0) {
        return arguments::fail_with({ErrorCode::invalid_argument,
                                     "--against compares what the certificate says: leave out --mm, "
                                     "--degrees, and the options for reading"});
    }
    const auto compared = [&](const Json& certificate) -> Result<Json> {
        const std::string a = input_of(arguments.files.at(0)).path;
        const std::string b = input_of(arguments.files.at(1)).path;
        TRY(const auto a_bytes, read_file(a));
        TRY(const auto b_bytes, read_file(b));
        ProgressLine progress;
        return certified_comparison(certificate, {a, a_bytes}, {b, b_bytes},
                                    {"", arguments::reading_of(arguments)}, progress.job());
    };
    auto report = read_file(file)
                      .and_then([](const Bytes& bytes) { return parse_json(text_of(bytes)); })
                      .and_then(compared);
    if (!report) {
        return arguments::fail_with(report.error().file.empty() ? in_file(report.error(), file)
                                                                : report.error());
    }
    return arguments::show(arguments, std::move(*report), [&](const Json& shown) {
        return arguments::compare_text(shown, arguments.all) + "the certificate holds\n";
    });
}

int run_compare(const arguments::Arguments& arguments) {
    if (!arguments.certificate_file.empty()) {
        return run_certified(arguments);
    }
    const auto a = arguments::load(arguments.files.at(0), "", arguments::reading_of(arguments));
    const auto b = arguments::load(arguments.files.at(1), "", arguments::reading_of(arguments));
    if (!a || !b) {
        return arguments::fail_with(a ? b.error() : a.error());
    }
    complain_of_tolerated(**a, arguments.files.at(0));
    complain_of_tolerated(**b, arguments.files.at(1));
    Result<Json> report;
    {
        ProgressLine progress;
        report = compare_documents(**a, **b, Json(), progress.job());
    }
    if (!report) {
        return arguments::fail_with(
            in_file(report.error(), arguments.files.at(0) + " or " + arguments.files.at(1)));
    }
    const bool within = (*report)["max_position_mm"].get<double>() <= arguments.tolerance_mm &&
                        (*report)["max_rotation_degrees"].get<double>() <= arguments.tolerance_degrees &&
                        (*report)["only_in_a"].empty() && (*report)["only_in_b"].empty();
    arguments::show(arguments, std::move(*report),
                    [&](const Json& shown) { return arguments::compare_text(shown, arguments.all); });
    return within ? arguments::fine : arguments::failed;
}

int run_reduce(const arguments::Arguments& arguments) {
    if (const auto own = arguments::require_own_files(arguments, arguments.file); !own) {
        return arguments::fail_with(own.error());
    }
    Result<Json> report;
    {
        ProgressLine progress;
        report = reduce_file(arguments.file, arguments.output,
                             {arguments.format, arguments::reading_of(arguments), arguments.conversion.given,
                              !arguments.certificate_file.empty()},
                             progress.job());
    }
    if (!report) {
        return arguments::fail_with(report.error(), arguments);
    }
    if (const auto written = arguments::write_certificate(arguments, *report); !written) {
        return arguments::fail_with(written.error());
    }
    return arguments::show(arguments, std::move(*report), arguments::reduce_text);
}

/// The document after the edits that its format allows for a pose.
Result<DocumentPtr> shown_with(const AnyDocument& document, const Json& options) {
    const Format& format = document.format();
    if (options_of_call(format, "pose").empty()) {
        return fail(ErrorCode::invalid_argument,
                    "--load is for poses of viewers; the file is " + std::string(format.noun));
    }
    return document.edited(options).map([](Made made) { return std::move(made.document); });
}

int run_pose(const arguments::Arguments& arguments) {
    auto document = arguments::load(arguments.file, arguments.format, arguments::reading_of(arguments));
    if (document && !arguments.conversion.given.empty()) {
        document = shown_with(**document, arguments.conversion.given);
    }
    if (!document) {
        return arguments::fail_with(document.error());
    }
    complain_of_tolerated(**document, arguments.file);
    const auto stop = arguments.stop >= 0.0 ? std::optional(arguments.stop) : std::nullopt;
    auto report = (*document)->pose(arguments.times, stop);
    if (!report) {
        return arguments::fail_with(in_file(report.error(), arguments.file));
    }
    const Format& format = (*document)->format();
    return arguments::show(arguments, std::move(*report),
                           [&](const Json& shown) { return arguments::pose_text(format, shown); });
}

int run_rig_map(const arguments::Arguments& /*arguments*/) {
    arguments::print(std::string(rig::armature::built_in_rig_map_json()));
    return arguments::fine;
}

constexpr const char* several_files = "The files; FILE#NAME takes one animation of a scene or level";
constexpr arguments::NumberRange from_zero = {0.0, arguments::largest_number, "a number from 0 to 1e30"};
constexpr arguments::NumberRange any_number = {-arguments::largest_number, arguments::largest_number,
                                               "a number from -1e30 to 1e30"};

void define_info(CLI::App& program, const arguments::SharedArguments& arguments, int& exit_code) {
    CLI::App* info = arguments::add(program, "info", "Show what is in files", arguments, exit_code, run_info);
    arguments::takes_file(info->add_option("files", arguments->files, several_files))->required();
    arguments::add_format(info, arguments);
    arguments::add_reading_options(info, arguments);
    arguments::add_animation_option(info, arguments);
}

void define_compare(CLI::App& program, const arguments::SharedArguments& arguments, int& exit_code) {
    CLI::App* compare = arguments::add(program, "compare", "Play two files and measure how far they differ",
                                       arguments, exit_code, run_compare);
    arguments::takes_file(
        compare->add_option("files", arguments->files,
                            "The two files; FILE#NAME takes one animation of a scene or level"))
        ->required()
        ->expected(2);
    arguments::takes_number(compare->add_option("--mm", arguments->tolerance_mm,
                                                "Largest allowed difference of positions, in millimetres"),
                            "MM", from_zero)
        ->capture_default_str();
    arguments::takes_number(compare->add_option("--degrees", arguments->tolerance_degrees,
                                                "Largest allowed difference of rotations, in degrees"),
                            "DEGREES", from_zero)
        ->capture_default_str();
    arguments::takes_file(compare->add_option("--against", arguments->certificate_file,
                                              "Compare as this certificate says, and exit with 1 if the "
                                              "files or the result differ from it"));
    arguments::is_switch(
        compare->add_flag("--all", arguments->all, "Also list the joints that do not differ"));
    arguments::add_reading_options(compare, arguments);
    arguments::add_animation_option(compare, arguments);
}

void define_reduce(CLI::App& program, const arguments::SharedArguments& arguments, int& exit_code) {
    CLI::App* reduce = arguments::add(program, "reduce", "Drop keys that the viewer does not need", arguments,
                                      exit_code, run_reduce);
    arguments::takes_file(reduce->add_option("input", arguments->file, "The file to read"))->required();
    arguments::takes_file(
        reduce->add_option("output", arguments->output,
                           "The file to write; an existing file is replaced when the new one is complete"))
        ->required();
    arguments::add_format(reduce, arguments);
    arguments::add_reading_options(reduce, arguments);
    arguments::add_call_options(reduce, arguments, "reduce");
    arguments::add_certificate_option(reduce, arguments);
}

void define_pose(CLI::App& program, const arguments::SharedArguments& arguments, int& exit_code) {
    CLI::App* pose =
        arguments::add(program, "pose", "Show the pose at the given times, as the target program plays it",
                       arguments, exit_code, run_pose);
    arguments::takes_file(pose->add_option("file", arguments->file,
                                           "The file; FILE#NAME takes one animation of a scene or level"))
        ->required();
    arguments::takes_number(
        pose->add_option("times", arguments->times, "Seconds after the start of the animation"), "SECONDS",
        any_number)
        ->required();
    arguments::takes_number(
        pose->add_option("--stop", arguments->stop,
                         "Seconds after the start at which the animation is asked to stop"),
        "SECONDS", from_zero);
    arguments::add_format(pose, arguments);
    arguments::add_reading_options(pose, arguments);
    arguments::add_animation_option(pose, arguments);
    arguments::add_call_options(pose, arguments, "pose");
}

void take_no_value_for_help(CLI::App& program) {
    arguments::is_switch(program.get_help_ptr());
    for (CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; })) {
        take_no_value_for_help(*command);
    }
}

}  // namespace

void define_commands(CLI::App& program, const ReadOptions& limits, int& exit_code) {
    const auto arguments = std::make_shared<arguments::Arguments>();
    arguments->scene_reader = limits.scene_reader;
    arguments::add(program, "formats", "List the formats", arguments, exit_code, run_formats);
    define_info(program, arguments, exit_code);
    define_check(program, arguments, exit_code);
    define_convert(program, arguments, exit_code);
    define_batch(program, limits, exit_code);
    define_edit(program, arguments, exit_code);
    define_join(program, arguments, exit_code);
    define_quality(program, arguments, exit_code);
    define_sequence(program, arguments, exit_code);
    define_compare(program, arguments, exit_code);
    define_reduce(program, arguments, exit_code);
    define_fix(program, arguments, exit_code);
    define_pose(program, arguments, exit_code);
    define_rig(program, arguments, exit_code);
    arguments::add(program, "rig-map",
                   "Print the built-in rig map (JSON): which bone names stand for which joints", arguments,
                   exit_code, run_rig_map);
    define_oban(program, arguments, exit_code);
    help::add_manual_command(program);
    take_no_value_for_help(program);
}

}  // namespace animbridge::cli::commands
