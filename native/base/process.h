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

/// What ended a program that did not end by itself. `time`, `output`: its caller, at a limit of ProcessCall.
/// `system`: the system, at a limit of processor time, or somebody else. `request`: Ctrl-C or the request to
/// end (SIGINT, SIGTERM). `crash`: its own fault.
enum class Killed : std::uint8_t { no, time, output, system, request, crash };

/// How a program ended.
struct ProcessEnd {
    int exit_status = 0;  ///< where it ended by itself
    Killed killed = Killed::no;
    std::string crash;       ///< the fault, as "a bad memory access (SIGSEGV)", or the signal of a request
    Bytes output;            ///< standard output
    std::string error_text;  ///< standard error, its first 64 KiB
};

/// Runs a program to its end, without a shell. The program gets its three standard streams and, on POSIX,
/// whatever else this process opened to be inherited, and no signal mask of the calling thread. Blocks.
/// ErrorCode::io: it cannot be started.
[[nodiscard]] Result<ProcessEnd> run_process(const ProcessCall& call);

/// Closes what this process got from the one that started it, besides the three standard streams.
void close_inherited();

/// Whether there is a program at this path that this user may start.
[[nodiscard]] bool is_program(const std::string& path);

/// The folder of the file that this code was loaded from: the library, or the command. Empty where the system
/// does not say.
[[nodiscard]] std::string own_folder();

}  // namespace animbridge
