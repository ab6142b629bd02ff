// SPDX-License-Identifier: MIT
// What is said about files and folders of files: check, fix, quality.
#include <algorithm>
#include <filesystem>

#include "base/files/files.h"
#include "batch/plan/plan.h"
#include "cli/commands/commands.h"
#include "convert/convert.h"
#include "formats/registry.h"
#include "model/findings/findings.h"

namespace animbridge::cli::commands {

namespace {

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

int run_quality(const arguments::Arguments& arguments) {
    const auto files = with_folders(arguments.files);
    if (!files) {
        return arguments::fail_with(files.error());
    }
    int exit_code = arguments::fine;
    Json rows = Json::array();
    for (const std::string& file : *files) {
        const NamedInput input = input_of(file);
        auto row = quality_of_file(input.path, arguments.format,
                                   arguments::reading_of(input, arguments::reading_of(arguments)));
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

/// Adds to the rows of mended files what is left in them, alone and together, as `check` finds it.
Result<void> add_findings(const arguments::Arguments& arguments, Json& rows) {
    const Json given = arguments.conversion.given.value("purpose", Json(""));
    const std::string purpose = text_from_json(given, "purpose").value_or("");
    std::vector<Checked> checked;
    std::vector<std::string> names;
    for (const Json& row : rows) {
        if (row.contains("output")) {
            TRY(const std::string output, text_from_json(row["output"], "output"));
            TRY(auto one, check_file(output, arguments.format, arguments::reading_of(arguments), std::nullopt,
                                     purpose));
            names.push_back(output);
            checked.push_back(std::move(one));
        }
    }
    if (checked.size() > 1) {
        check_set(checked, names, purpose);
    }
    auto next = checked.begin();
    for (Json& row : rows) {
        if (row.contains("output")) {
            row.update(findings_json(next++->findings));
        }
    }
    return {};
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
        rows.push_back({{"file", json_text(input.path)},
                        {"output", json_text(joined_path(arguments.output, input.relative()))},
                        {"bytes", (*report)["bytes"]},
                        {"mended", (*report)["fixed"]},
                        {"left", (*report)["left"]}});
    }
    if (const auto added = add_findings(arguments, rows); !added) {
        return arguments::fail_with(added.error());
    }
    const bool fails = std::ranges::any_of(rows, [&](const Json& row) {
        return fails_by(row.value("findings", Json::array()), arguments.fix_fail_on);
    });
    exit_code = fails ? std::max<int>(exit_code, arguments::failed) : exit_code;
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

constexpr const char* files_or_folders =
    "The files, or folders of files; FILE#NAME takes one animation of a scene or level";

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

}  // namespace

void define_check(CLI::App& program, const arguments::SharedArguments& arguments, int& exit_code) {
    CLI::App* check = arguments::add(
        program, "check", "List what the target program refuses, changes or plays differently than intended",
        arguments, exit_code, run_check);
    arguments::takes_file(check->add_option("files", arguments->files, files_or_folders))->required();
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
    arguments::takes_file(quality->add_option("files", arguments->files, files_or_folders))->required();
    arguments::add_format(quality, arguments);
    arguments::add_reading_options(quality, arguments);
    arguments::add_animation_option(quality, arguments);
}

void define_fix(CLI::App& program, const arguments::SharedArguments& arguments, int& exit_code) {
    CLI::App* fix =
        arguments::add(program, "fix", "Mend the findings that can be mended, and say what is left",
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

}  // namespace animbridge::cli::commands
