// SPDX-License-Identifier: MIT
#include "cli/commands/commands.h"

#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/files/files.h"
#include "batch/plan/plan.h"
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

/// The files, with those in folders.
Result<std::vector<std::string>> with_folders(const std::vector<std::string>& given) {
    std::vector<std::string> files;
    for (const std::string& name : given) {
        std::error_code none;
        if (!std::filesystem::is_directory(path_of(name), none)) {
            files.push_back(name);
            continue;
        }
        TRY(const auto inputs, batch::plan::files_in(name));
        std::ranges::transform(inputs, std::back_inserter(files), &batch::plan::Input::path);
    }
    return files;
}

/// The result of checking one file: its row of the JSON report.
struct FileChecked {
    int exit_code = arguments::fine;
    Json row;
};

/// The row of a file, and whether it fails the check.
FileChecked checked_row(const arguments::Arguments& arguments, const std::string& file,
                        const Checked& checked) {
    const auto worst_allowed = finding_class_named(arguments.fail_on);
    const bool fails = std::ranges::any_of(checked.findings, [&](const Finding& finding) {
        return worst_allowed && finding.rule->finding_class <= *worst_allowed;
    });
    FileChecked made{
        fails ? arguments::failed : arguments::fine,
        {{"file", json_text(file)}, {"level", name_of(checked.level)}, {"bytes", checked.bytes}}};
    made.row.update(findings_json(checked.findings));
    return made;
}

/// Checks all files, alone and together, and returns the worst exit code. `rows`: one for each file.
int check_all(const arguments::Arguments& arguments, const std::vector<std::string>& files, Json& rows) {
    const auto level =
        arguments.level.empty() ? std::nullopt : std::optional<std::string_view>(arguments.level);
    int exit_code = arguments::fine;
    std::vector<Checked> checked;
    std::vector<std::string> names;
    for (const std::string& file : files) {
        const NamedInput input = input_of(file);
        auto one = check_file(input.path, arguments.format,
                              arguments::reading_of(input, arguments::reading_of(arguments)), level,
                              arguments.purpose);
        if (!one) {
            exit_code = std::max(exit_code, arguments::fail_with(one.error()));
            rows.push_back({{"file", json_text(file)}, {"error", json_text(one.error().message())}});
            continue;
        }
        rows.push_back(nullptr);
        checked.push_back(std::move(*one));
        names.push_back(file);
    }
    if (checked.size() > 1) {
        check_set(checked, names, arguments.purpose);
    }
    std::size_t next = 0;
    for (Json& row : rows) {
        if (!row.is_null()) {
            continue;
        }
        FileChecked made = checked_row(arguments, names[next], checked[next]);
        exit_code = std::max(exit_code, made.exit_code);
        row = std::move(made.row);
        ++next;
    }
    return exit_code;
}

int run_check(const arguments::Arguments& arguments) {
    const auto files = with_folders(arguments.files);
    if (!files) {
        return arguments::fail_with(files.error());
    }
    Json rows = Json::array();
    const int exit_code = check_all(arguments, *files, rows);
    Json report = {{"files", std::move(rows)}};
    if (*files != arguments.files || arguments.upload_cost) {
        report["summary"] = arguments::summary_of_set(report["files"], arguments.upload_cost);
    }
    arguments::show(arguments, std::move(report),
                    [](const Json& shown) { return arguments::check_set_text(shown, arguments::Colours()); });
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

int run_quality(const arguments::Arguments& arguments) {
    const auto files = with_folders(arguments.files);
    if (!files) {
        return arguments::fail_with(files.error());
    }
    int exit_code = arguments::fine;
    Json rows = Json::array();
    for (const std::string& file : *files) {
        ProgressLine progress;
        const NamedInput input = input_of(file);
        auto row =
            quality_of_file(input.path, arguments.format,
                            arguments::reading_of(input, arguments::reading_of(arguments)), progress.job());
        if (!row) {
            exit_code = std::max(exit_code, arguments::fail_with(row.error()));
            continue;
        }
        Json named = {{"file", json_text(file)}};
        named.update(*row);
        rows.push_back(std::move(named));
    }
    if (rows.empty() && !arguments.json) {
        return exit_code;
    }
    arguments::show(arguments, {{"files", std::move(rows)}}, arguments::quality_text);
    return exit_code;
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

std::string text_of_fixes(const Json& report) {
    const Json& undeform = report["undeform"];
    return arguments::fixes_text(report) +
           (undeform.is_null() ? "" : plain_text(undeform) + ": puts back the joints that stay displaced\n");
}

/// Whether --fail-on makes what is left of a file's findings an exit code.
bool fails_by(const Json& findings, const std::string& fail_on) {
    const auto worst_allowed = finding_class_named(fail_on);
    return std::ranges::any_of(findings, [&](const Json& finding) {
        return worst_allowed &&
               finding_class_named(finding["class"].get<std::string_view>()) <= worst_allowed;
    });
}

/// The row of a mended file, in the form of those of `check`.
Json fixed_row(const std::string& file, const Json& report) {
    Json counts = {{"rejected", 0}, {"altered", 0}, {"risky", 0}, {"advice", 0}};
    for (const Json& finding : report["findings_after"]) {
        const auto name = finding["class"].get<std::string>();
        counts[name] = counts[name].get<int>() + 1;
    }
    return {
        {"file", json_text(file)},     {"output", report["output"]},           {"bytes", report["bytes"]},
        {"counts", std::move(counts)}, {"findings", report["findings_after"]}, {"mended", report["fixed"]},
        {"left", report["left"]}};
}

/// Mends every file in a folder, each below the output folder where it is below the other.
int fix_folder(const arguments::Arguments& arguments) {
    if (!arguments.undeform.empty()) {
        return arguments::fail_with(
            {ErrorCode::invalid_argument, "--undeform is for one file, and the input is a folder"});
    }
    const auto inputs = batch::plan::files_in(arguments.file, arguments.output);
    if (!inputs) {
        return arguments::fail_with(inputs.error());
    }
    const auto out = Folder::open(arguments.output);
    if (!out) {
        return arguments::fail_with(out.error());
    }
    int exit_code = arguments::fine;
    Json rows = Json::array();
    for (const batch::plan::Input& input : *inputs) {
        const auto report = fix_file(
            input.path, input.relative(),
            {arguments.format, arguments::reading_of(arguments), arguments.conversion.given, "", &*out});
        if (!report) {
            exit_code = std::max(exit_code, arguments::fail_with(report.error(), arguments));
            rows.push_back({{"file", json_text(input.path)}, {"error", json_text(report.error().message())}});
            continue;
        }
        rows.push_back(fixed_row(input.path, *report));
        if (fails_by((*report)["findings_after"], arguments.fix_fail_on)) {
            exit_code = std::max<int>(exit_code, arguments::failed);
        }
    }
    Json summary = arguments::summary_of_set(rows, arguments.upload_cost);
    arguments::show(arguments, {{"files", std::move(rows)}, {"summary", std::move(summary)}},
                    [](const Json& shown) { return arguments::check_set_text(shown, arguments::Colours()); });
    return exit_code;
}

int run_fix(const arguments::Arguments& arguments) {
    std::error_code none;
    if (std::filesystem::is_directory(path_of(arguments.file), none)) {
        return fix_folder(arguments);
    }
    if (arguments.upload_cost && std::filesystem::exists(path_of(arguments.file), none)) {
        return arguments::fail_with({ErrorCode::invalid_argument,
                                     "--upload-cost adds up what a folder costs, and the input is a file"});
    }
    if (const auto own = arguments::require_own_files(arguments, arguments.file); !own) {
        return arguments::fail_with(own.error());
    }
    auto report = fix_file(
        arguments.file, arguments.output,
        {arguments.format, arguments::reading_of(arguments), arguments.conversion.given, arguments.undeform});
    if (!report) {
        return arguments::fail_with(report.error(), arguments);
    }
    const bool fails = fails_by((*report)["findings_after"], arguments.fix_fail_on);
    arguments::show(arguments, std::move(*report), text_of_fixes);
    return fails ? arguments::failed : arguments::fine;
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

/// What animations of some format may be for.
std::vector<std::string> all_purposes() {
    std::vector<std::string> names;
    for (const Format& format : formats()) {
        names.insert(names.end(), format.check.purposes.begin(), format.check.purposes.end());
    }
    return names;
}

void add_upload_cost(CLI::App* command, const arguments::SharedArguments& arguments) {
    arguments::takes_number(
        command->add_option("--upload-cost", arguments->upload_cost,
                            "What the upload of a file costs in L$: adds up what the files cost that the "
                            "viewer accepts"),
        "L$", {0.0, 1e6, "an amount from 0 to 1000000"});
}

void define_check(CLI::App& program, const arguments::SharedArguments& arguments, int& exit_code) {
    CLI::App* check = arguments::add(
        program, "check", "List what the target program refuses, changes or plays differently than intended",
        arguments, exit_code, run_check);
    arguments::takes_file(
        check->add_option(
            "files", arguments->files,
            "The files, or folders of files; FILE#NAME takes one animation of a scene or level"))
        ->required();
    arguments::takes_choice(
        check->add_option(
            "--level", arguments->level,
            "playback: what happens when the file is loaded; upload: also what happens on upload; "
            "strict: also what is harmless or unusual. Without it: upload for .anim, playback "
            "for other formats"),
        {std::string(check_level_names[0]), std::string(check_level_names[1]),
         std::string(check_level_names[2])});
    arguments::takes_choice(
        check->add_option("--purpose", arguments->purpose,
                          "What the animation is for: also reports what is wrong for that only. Without it, "
                          "nothing that depends on the purpose"),
        all_purposes());
    add_upload_cost(check, arguments);
    arguments::takes_fail_on(check->add_option(
        "--fail-on", arguments->fail_on, "Exit with 1 if there is a finding of this class or a worse one"));
    arguments::add_format(check, arguments);
    arguments::add_reading_options(check, arguments);
    arguments::add_animation_option(check, arguments);
}

void define_quality(CLI::App& program, const arguments::SharedArguments& arguments, int& exit_code) {
    CLI::App* quality = arguments::add(
        program, "quality", "Measure how well motions play: shaking, loops, feet, keys; side by side",
        arguments, exit_code, run_quality);
    arguments::takes_file(
        quality->add_option(
            "files", arguments->files,
            "The files, or folders of files; FILE#NAME takes one animation of a scene or level"))
        ->required();
    arguments::add_format(quality, arguments);
    arguments::add_reading_options(quality, arguments);
    arguments::add_animation_option(quality, arguments);
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

void define_fix(CLI::App& program, const arguments::SharedArguments& arguments, int& exit_code) {
    CLI::App* fix =
        arguments::add(program, "fix", "Mend the findings that mend themselves, and say what is left",
                       arguments, exit_code, run_fix);
    arguments::takes_file(fix->add_option("input", arguments->file, "The file to read, or a folder of files"))
        ->required();
    arguments::takes_file(fix->add_option("output", arguments->output,
                                          "The file, or the folder, to write, also if nothing is mended; an "
                                          "existing file is replaced when the "
                                          "new one is complete"))
        ->required();
    arguments::add_format(fix, arguments);
    arguments::add_reading_options(fix, arguments);
    arguments::add_call_options(fix, arguments, "fixed");
    arguments::takes_file(
        fix->add_option("--undeform", arguments->undeform,
                        "Write an animation that puts back the joints that stay displaced after this one"));
    add_upload_cost(fix, arguments);
    arguments::takes_fail_on(
        fix->add_option("--fail-on", arguments->fix_fail_on,
                        "Exit with 1 if a finding of this class or a worse one is left"));
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
