// SPDX-License-Identifier: MIT
#include "cli/output.h"

#include "base/base.h"
#include "base/files/files.h"

namespace animbridge::cli {

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

}  // namespace animbridge::cli
