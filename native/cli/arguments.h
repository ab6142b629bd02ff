// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/reading.h"
#include "convert/convert.h"

/// What the subcommands share.
namespace animbridge::cli {

/// What the options of all subcommands are parsed into.
struct Arguments {
    std::string file;
    std::vector<std::string> files;
    std::string output;
    std::string level = "strict";
    std::string fail_on = "risky";
    std::string format;
    std::vector<double> times;
    double stop = -1.0;
    double tolerance_mm = 0.0;
    double tolerance_degrees = 0.0;
    bool json = false;
    bool as_stored = false;
    bool lenient = false;
    std::string edits = "{}";
    std::optional<int> decimals{};
    std::string name;
    std::string input;
    std::string as = "oni";
    bool mac = false;
    Json conversion = Json::object();  ///< options of the call, or of the way between formats
    std::map<std::string, std::string> conversion_files{};  ///< those whose text is a file's: its path
};

using SharedArguments = std::shared_ptr<Arguments>;

[[nodiscard]] Reading reading_of(const Arguments& arguments);

/// The error on the error stream; the exit code that it asks for: 2 where the call is wrong, 1 where a file
/// is.
[[nodiscard]] int fail_with(const Error& error);

using TextOf = std::function<std::string(const Json& report)>;

/// Prints a report: as JSON where that is asked for, else as `text_of_report` makes it of the report without
/// control characters. It goes to the error stream where the output file is standard output itself.
int show(const Arguments& arguments, Json report, const TextOf& text_of_report);

/// A file as a document. `format`: id, "": from the content.
[[nodiscard]] Result<DocumentPtr> load(const std::string& file, const std::string& format, Reading reading);

/// A subcommand that runs `run` with the shared arguments.
CLI::App* add(CLI::App& program, const char* name, const char* about, const SharedArguments& arguments,
              int& exit_code, int (*run)(const Arguments&));

/// The options that say how an input is read.
void add_format(CLI::App* command, const SharedArguments& arguments);
void add_lenient(CLI::App* command, const SharedArguments& arguments);

}  // namespace animbridge::cli
