// SPDX-License-Identifier: MIT
#include "cli/arguments/arguments.h"

#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "base/base.h"
#include "base/files/files.h"

namespace animbridge::cli::arguments {

ReadOptions reading_of(const Arguments& arguments) {
    ReadOptions reading = read_options_from(arguments.reading.given).value_or(ReadOptions());
    reading.scene_reader = arguments.scene_reader;
    return reading;
}

int fail_with(const Error& error) {
    complain(error.message());
    return error.code == ErrorCode::invalid_argument || error.is_in_request ? usage : failed;
}

namespace {

/// "--joint-priority: mHead" for "joint_priorities.mHead". Members of --edit are JSON, and stay.
std::string as_typed(const std::string& field, const Arguments& arguments) {
    const std::size_t end = field.find('.');
    const std::string first = field.substr(0, end);
    const std::string rest = end == std::string::npos ? "" : ": " + field.substr(end + 1);
    const auto flag = arguments.flags.find(first);
    return first == "edits"                ? "--edit" + rest
           : first == "onto"               ? "--onto" + rest
           : flag == arguments.flags.end() ? field
                                           : flag->second + rest;
}

/// An error in the text of a file that came with the call is about that file.
Error about_its_file(Error error, const Arguments& arguments) {
    const auto file = arguments.retarget.files.find(error.file);
    if (file != arguments.retarget.files.end()) {
        error.file = file->second;
        error.is_in_request = false;
    }
    return error;
}

}  // namespace

Error with_typed_names(Error error, const Arguments& arguments) {
    error = about_its_file(std::move(error), arguments);
    if (error.is_in_request) {
        const bool is_json = error.field.starts_with("edits.");
        for (std::string& name : error.allowed_options) {
            name = is_json ? name : as_typed(name, arguments);
        }
        error.field = as_typed(error.field, arguments);
    }
    return error;
}

int fail_with(Error error, const Arguments& arguments) {
    return fail_with(with_typed_names(std::move(error), arguments));
}

int complain_of_refusal(const Arguments& arguments) {
    complain(arguments.output + ": the file is written, but refused by the target program");
    return refused;
}

int show(const Arguments& arguments, Json report, const TextOf& text_of_report) {
    std::string text;
    if (arguments.json) {
        text = print_json(report);
    } else {
        remove_controls(report);
        text = text_of_report(report);
    }
    if (is_output_stream(arguments.output)) {
        write_to_error_stream(text);
    } else {
        print(text);
    }
    return fine;
}

ReadOptions reading_of(const NamedInput& input, ReadOptions reading) {
    reading.animation = input.animation.value_or(reading.animation);
    return reading;
}

Result<DocumentPtr> load(const std::string& file, const std::string& format, const ReadOptions& reading) {
    const NamedInput input = input_of(file);
    TRY(const auto bytes, read_input(input.path, format));
    return read_document(bytes, format, input.path, reading_of(input, reading));
}

CLI::App* add(CLI::App& program, const char* name, const char* about, const SharedArguments& arguments,
              int& exit_code, int (*run)(const Arguments&)) {
    CLI::App* command = program.add_subcommand(name, about);
    is_switch(command->add_flag("--json", arguments->json, "Print the report as JSON"));
    command->callback([arguments, &exit_code, run] { exit_code = run(*arguments); });
    return command;
}

void add_certificate_option(CLI::App* command, const SharedArguments& arguments) {
    takes_file(
        command->add_option("--certificate", arguments->certificate_file,
                            "Compare the output with the input and write the result into this file, as "
                            "JSON that animbridge compare --against checks"));
}

Result<void> require_own_files(const Arguments& arguments, const std::string& input) {
    std::vector<std::pair<std::string, std::filesystem::path>> taken;
    for (const auto& [what, path] :
         {std::pair("the input", &input), std::pair("the output", &arguments.output),
          std::pair("--report", &arguments.report_file), std::pair("--undeform", &arguments.undeform),
          std::pair("--certificate", &arguments.certificate_file)}) {
        if (path->empty()) {
            continue;
        }
        std::error_code problem;
        const auto place = std::filesystem::weakly_canonical(path_of(*path), problem);
        for (const auto& [other, its_place] : taken) {
            const bool may_replace = other == "the input" && path == &arguments.output;
            if (place == its_place && !may_replace) {
                return fail(ErrorCode::invalid_argument, *path + ": found the same file for " + other +
                                                             " and " + what +
                                                             "; allowed is a file of its own for each");
            }
        }
        taken.emplace_back(what, place);
    }
    return {};
}

Result<void> write_certificate(const Arguments& arguments, Json& report) {
    if (arguments.certificate_file.empty()) {
        return {};
    }
    const std::string text = print_json(report["certificate"]);
    report.erase("certificate");
    return write_file(arguments.certificate_file, view_of(text));
}

void add_format(CLI::App* command, const SharedArguments& arguments) {
    takes_format(command->add_option("--format", arguments->format,
                                     "Id of the input's format, if its content does not show which it is"));
}

void print(std::string_view text) {
    if (const std::string problem = write_to(Stream::output, text); !problem.empty()) {
        throw OutputFailed("cannot write to standard output: " + problem);
    }
}

void write_to_error_stream(std::string_view text) {
    // If this fails, only the exit code can report it.
    (void)write_to(Stream::error, text);
}

void complain(std::string_view message) {
    write_to_error_stream("animbridge: " + without_controls(message) + "\n");
}

}  // namespace animbridge::cli::arguments
