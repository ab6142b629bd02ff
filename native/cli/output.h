// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

/// The command's streams. Failed writes are always reported.
namespace animbridge::cli {

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

}  // namespace animbridge::cli
