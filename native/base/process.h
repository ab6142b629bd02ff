// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace animbridge {

/// A program to run, and what it may use.
struct ProcessCall {
    std::string program;                 ///< path
    std::vector<std::string> arguments;  ///< without the program's name
    ByteView input;                      ///< its standard input
    std::size_t most_output_bytes = 0;   ///< of standard output; the program is killed when it writes more
    double wall_seconds = 0;             ///< the program is killed when it runs longer
};

/// Why a program was killed by its caller.
enum class Killed : std::uint8_t { no, time, output };

/// How a program ended.
struct ProcessEnd {
    int exit_status = 0;  ///< where it ended by itself
    int signal = 0;       ///< 0: it ended by itself
    Killed killed = Killed::no;
    Bytes output;            ///< standard output
    std::string error_text;  ///< standard error, its first 64 KiB
};

/// Runs a program to its end, without a shell. The program gets its three standard streams, whatever
/// else this process opened to be inherited, and no signal mask of the calling thread. Blocks. ErrorCode::io:
/// it cannot be started.
[[nodiscard]] Result<ProcessEnd> run_process(const ProcessCall& call);

/// The folder of the file that this code was loaded from: the library, or the command. Empty where the system
/// does not say.
[[nodiscard]] std::string own_folder();

}  // namespace animbridge
