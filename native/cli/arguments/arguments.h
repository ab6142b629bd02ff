// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "base/options/options.h"
#include "convert/convert.h"
#include "model/format/format.h"

/// Arguments of the command: the values that options take, options that come from tables, and what is
/// printed.
///
/// Values are checked before any file is read, so that a value that is not allowed is a wrong call (exit code
/// 2).
namespace animbridge::cli::arguments {

// ---- the parsed options ----

/// Those of all subcommands.
struct Arguments {
    std::string file;
    std::vector<std::string> files;
    std::string output;
    std::string level;    ///< "": the format's default
    std::string purpose;  ///< "": not known
    std::string fail_on = "risky";
    std::optional<double> upload_cost{};  ///< in L$, of one file
    std::string fix_fail_on = "never";
    std::string format;
    std::vector<double> times;
    std::vector<double> moments;  ///< of --at: each gives a file
    double stop = -1.0;
    double tolerance_mm = 0.0;
    double tolerance_degrees = 0.0;
    bool json = false;
    bool all = false;
    bool as_stored = false;
    bool is_fixed = false;
    std::string undeform;  ///< empty: no such file
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
    Values tools;  ///< of the clip, which are edits
    Values reading;
    std::vector<std::string> scene_reader{};  ///< as in ReadOptions
    bool is_retargeted = false;
    bool is_not_retargeted = false;
    std::string onto;
    std::string to;     ///< of an extension that several formats have
    std::string split;  ///< empty: one file
    std::string ease = "linear";
    std::string report_file;
    std::string certificate_file;
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

/// Adds the option "--certificate".
void add_certificate_option(CLI::App* command, const SharedArguments& arguments);

/// ErrorCode::invalid_argument if two of the files that a command writes are the same, or one of them is the
/// input; the output may replace the input.
[[nodiscard]] Result<void> require_own_files(const Arguments& arguments, const std::string& input);

/// Moves the certificate from the report into the file that --certificate names, if it names one.
[[nodiscard]] Result<void> write_certificate(const Arguments& arguments, Json& report);

/// Adds the options for reading an input.
void add_format(CLI::App* command, const SharedArguments& arguments);

// ---- options that come from tables ----

/// An option's text in the command's help.
[[nodiscard]] std::string help_of(const Option& option);

/// Adds to `convert` the options of every bridge.
void add_bridge_options(CLI::App* convert, const SharedArguments& arguments);

/// Adds the options of a call ("reduce") for each format that has it, if they have a name for the command.
void add_call_options(CLI::App* command, const SharedArguments& arguments, std::string_view call);

/// Adds the options for reading a file.
void add_reading_options(CLI::App* command, const SharedArguments& arguments);

/// Adds the option "--animation", for commands that show one animation of a file.
void add_animation_option(CLI::App* command, const SharedArguments& arguments);

/// Adds to `convert` the options of retargeting.
void add_retarget_options(CLI::App* convert, const SharedArguments& arguments);

/// Adds to `edit` those of them that change a motion on its own skeleton.
void add_planting_options(CLI::App* edit, const SharedArguments& arguments);

/// Adds the tools that change a motion, except those whose flags the command has already.
void add_clip_tools(CLI::App* command, const SharedArguments& arguments);
void add_split(CLI::App* command, const SharedArguments& arguments);

/// The given options, with the texts of the files that some of them name.
[[nodiscard]] Result<Json> given_options(const Arguments::Values& values);

/// The text of a rig file, or of the rig with this id that comes with AnimBridge if there is no such file.
/// ErrorCode::bad_value: neither; it lists the ids.
[[nodiscard]] Result<std::string> rig_text_of(const std::string& file_or_id);

/// Adds the options of conversions, for one file or for many.
void add_conversion_options(CLI::App* command, const SharedArguments& arguments);

/// The given options. `output`: a name with the output's extension. ErrorCode::invalid_argument: an option
/// does not apply to it; ErrorCode::io: a file that an option names cannot be read.
[[nodiscard]] Result<ConvertOptions> conversion_of(const Arguments& arguments, const std::string& output);

// ---- the values that options take ----
// The type's name serves help, the man page and the completions: "a|b|c" lists all values,
// "FILE" and "DIR" are paths.

/// A range. Messages describe it with `text`.
struct NumberRange {
    double low;
    double high;
    std::string_view text;
};

/// Whether the text is a decimal number, or a whole one, within the range.
[[nodiscard]] bool is_number(std::string_view text, double low, double high);
[[nodiscard]] bool is_integer(std::string_view text, std::int64_t low, std::int64_t high);

/// Larger than any meaningful length, angle or time.
inline constexpr double largest_number = largest_scene_number;

/// A finite decimal number within the range.
CLI::Option* takes_number(CLI::Option* option, const char* type_name, NumberRange range);

/// A whole number.
CLI::Option* takes_integer(CLI::Option* option, const char* type_name, std::int64_t low, std::int64_t high);

/// One of several words.
CLI::Option* takes_choice(CLI::Option* option, const std::vector<std::string>& choices);

/// The class of the findings from which a command fails, or "never".
CLI::Option* takes_fail_on(CLI::Option* option);

/// A format id.
CLI::Option* takes_format(CLI::Option* option);

/// Any text that `problem_of` accepts: it returns "", or what is allowed.
CLI::Option* takes_text(CLI::Option* option, const char* type_name,
                        std::function<std::string(const std::string& text)> problem_of);

CLI::Option* takes_file(CLI::Option* option);
CLI::Option* takes_folder(CLI::Option* option);

/// A switch, which takes no value.
CLI::Option* is_switch(CLI::Option* option);

/// The words of the type name "a|b|c"; empty if it has no choices.
[[nodiscard]] std::vector<std::string> choices_of(const CLI::Option& option);

// ---- streams and exit codes: failed writes are always reported ----

enum ExitCode : int {
    fine = 0,
    failed = 1,
    usage = 2,
    refused = 3,  ///< written, but the program that the output is made for refuses it
};

/// Standard output did not take everything: the disk is full, or the stream or pipe is closed.
class OutputFailed : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Writes the text to standard output at once, or throws OutputFailed.
void print(std::string_view text);

/// Writes the text unchanged to the error stream.
void write_to_error_stream(std::string_view text);

/// Writes "animbridge: ", the message without control characters, and a newline to the error stream.
void complain(std::string_view message);

// ---- reports as text, from the JSON that --json prints, without control characters ----

/// Applies without_controls to all text of a report, including member names.
void remove_controls(Json& report);

/// Escape codes for colours if standard output is a terminal that allows them, else "".
class Colours {
public:
    Colours();
    [[nodiscard]] std::string paint(std::string_view finding_class, const std::string& text) const;

private:
    bool on_;
};

[[nodiscard]] std::string formats_text(const Json& report);
[[nodiscard]] std::string info_text(const std::string& path, const Json& report);
/// Of files that were checked or mended together: {"files", "refused", "with_findings", "fine", "mended",
/// "failed", "upload_cost": null without the cost of one}.
[[nodiscard]] Json summary_of_set(const Json& rows, std::optional<double> upload_cost);
/// The files' findings and, if there is a summary, a table of the files and the summary in a line.
[[nodiscard]] std::string check_set_text(const Json& report, const Colours& colours);
[[nodiscard]] std::string summary_text(const Json& summary);
/// A table of the numbers of `quality`: a column for each file or, for many files, a line.
[[nodiscard]] std::string quality_text(const Json& report);
/// A line for each finding, after the text `about`.
[[nodiscard]] std::string finding_lines(const Json& findings, const std::string& about);
/// Why the program that reads `target` refuses the output, a line for each finding.
[[nodiscard]] std::string refusal_lines(const Json& report, const Format* target);
/// What an edit brought about, without what the file is refused for, and what the format reports of it.
[[nodiscard]] std::string edit_text(const Format& format, const Json& edits, const Json& refused);
[[nodiscard]] std::string compare_text(const Json& report, bool all);
[[nodiscard]] std::string reduce_text(const Json& report);
/// What was mended, and what is left.
[[nodiscard]] std::string fixes_text(const Json& report);
[[nodiscard]] std::string pose_text(const Format& format, const Json& report);

}  // namespace animbridge::cli::arguments
