// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

/// The streams of the command: nothing is lost without a word.
namespace animbridge::cli {

/// Standard output took not everything: a full disk, a closed stream, a reader that is gone.
class OutputFailed : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Makes sure that no file is ever opened in the place of a closed standard stream, where text would go into
/// it. Writing to one that was closed still fails.
void hold_standard_streams();

/// Writes all of the text to standard output at once, or throws OutputFailed.
void print(std::string_view text);

/// As it is, on the error stream.
void write_to_error_stream(std::string_view text);

/// "animbridge: ", the message without control characters, and a newline, on the error stream.
void complain(std::string_view message);

/// `path` is where standard output goes, as /dev/stdout is: a report would stand in the midst of the file.
[[nodiscard]] bool is_standard_output(const std::string& path);

}  // namespace animbridge::cli
