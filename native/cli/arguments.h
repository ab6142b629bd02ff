// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "base/options/options.h"
#include "convert/convert.h"

/// Functions that the subcommands share.
namespace animbridge::cli {

/// The parsed options of all subcommands.
struct Arguments {
    std::string file;
    std::vector<std::string> files;
    std::string output;
    std::string level;  ///< "": the format's default
    std::string fail_on = "risky";
    std::string format;
    std::vector<double> times;
    double stop = -1.0;
    double tolerance_mm = 0.0;
    double tolerance_degrees = 0.0;
    bool json = false;
    bool all = false;
    bool as_stored = false;
    std::string edits = "{}";
    std::optional<int> decimals{};
    std::string name;
    std::string input;
    std::string as = "oni";
    bool mac = false;
    /// Values of options from one group of tables.
    struct Values {
        Json given = Json::object();
        std::map<std::string, std::string> files{};  ///< for options whose text is a file's: its path
    };
    Values conversion;  ///< options of the call, or of the conversion
    Values retarget;
    Values reading;
    std::vector<std::string> scene_reader{};  ///< as in ReadOptions
    bool is_retargeted = false;
    bool is_not_retargeted = false;
    std::string onto;
    std::string report_file;
    std::map<std::string, std::string> flags{};  ///< for options from tables: by the member's name
};

using SharedArguments = std::shared_ptr<Arguments>;

/// The values were checked when the arguments were parsed.
[[nodiscard]] ReadOptions reading_of(const Arguments& arguments);

/// Prints the error to the error stream. Returns the exit code: 2 for a wrong call, 1 for a wrong file.
[[nodiscard]] int fail_with(const Error& error);

/// Reports that the output was written, but its target program refuses it. Returns the exit code.
[[nodiscard]] int complain_of_refusal(const Arguments& arguments);

/// Like fail_with, but names members of the request as they are typed: "--fps" for "frames_per_second".
[[nodiscard]] int fail_with(Error error, const Arguments& arguments);

/// The error with the names that are typed.
[[nodiscard]] Error with_typed_names(Error error, const Arguments& arguments);

using TextOf = std::function<std::string(const Json& report)>;

/// Prints a report as JSON, or as the text of `text_of_report`, which gets the report without control
/// characters. Prints to the error stream if the output file is standard output.
int show(const Arguments& arguments, Json report, const TextOf& text_of_report);

/// `reading` for one input, with the animation in its name.
[[nodiscard]] ReadOptions reading_of(const NamedInput& input, ReadOptions reading);

/// Reads a file, or "FILE#ANIMATION". `format`: format id; "": from the content.
[[nodiscard]] Result<DocumentPtr> load(const std::string& file, const std::string& format,
                                       const ReadOptions& reading);

/// Adds a subcommand that calls `run` with the shared arguments.
CLI::App* add(CLI::App& program, const char* name, const char* about, const SharedArguments& arguments,
              int& exit_code, int (*run)(const Arguments&));

/// Adds the options for reading an input.
void add_format(CLI::App* command, const SharedArguments& arguments);

}  // namespace animbridge::cli
