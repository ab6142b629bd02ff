// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/base.h"

/// Processes that the library starts, and how they and this process end.
namespace animbridge {

/// A program to run, and its limits.
struct ProcessCall {
    std::string program;
    std::vector<std::string> arguments;  ///< without the program's name
    ByteView input;                      ///< its standard input
    std::size_t most_output_bytes = 0;   ///< limit for standard output; a program that writes more is killed
    double wall_seconds = 0;             ///< a program that runs longer is killed
};

/// What ended a program that did not end by itself. `time`, `output`: run_process, at a limit of ProcessCall.
/// `system`: the system, at a limit of processor time, or another process. `request`: Ctrl-C or a request to
/// end (SIGINT, SIGTERM). `crash`: its own fault.
enum class Killed : std::uint8_t { no, time, output, system, request, crash };

/// How a program ended.
struct ProcessEnd {
    int exit_status = 0;  ///< valid if the program ended by itself
    Killed killed = Killed::no;
    std::string crash;  ///< the fault, such as "a bad memory access (SIGSEGV)", or the signal of a request
    Bytes output;       ///< standard output
    std::string error_text;  ///< standard error, at most its first 64 KiB
};

/// Runs a program to its end, without a shell. Blocks. The program gets its three standard streams and, on
/// POSIX, the descriptors that this process opened to be inherited, but not the calling thread's signal mask.
/// ErrorCode::io: it cannot be started.
[[nodiscard]] Result<ProcessEnd> run_process(const ProcessCall& call);

/// Closes everything that this process inherited from its parent, except the three standard streams.
void close_inherited();

/// Whether the path is a program that this user may start.
[[nodiscard]] bool is_program(const std::string& path);

/// The folder of the file that contains this code: the library, or the command. Empty if the system does not
/// report it.
[[nodiscard]] std::string own_folder();

/// Reports Ctrl-C and requests to end (SIGINT, SIGTERM) to the program instead of letting them end it.
/// Threads that start while this exists ignore them too. At most one at a time.
class EndingRequests {
public:
    /// Runs in a thread of its own for each request. Gets the signal's name, the exit code that shells expect
    /// after it, and the number of requests so far, from 1.
    using Told = std::function<void(const char* name, int exit_code, int count)>;

    explicit EndingRequests(Told told);
    EndingRequests(const EndingRequests&) = delete;
    EndingRequests& operator=(const EndingRequests&) = delete;
    ~EndingRequests();

private:
    struct Watch;
    std::unique_ptr<Watch> watch_;
};

/// Ends this process, with the exit code 1, as soon as nobody can read from the pipe to which it writes: the
/// program that started it is gone. Does nothing if `descriptor` is not a pipe, and on Windows.
void end_process_with_reader_of(int descriptor);

/// Ends the process without cleaning up, even while other threads are running.
[[noreturn]] void end_process_at_once(int exit_code);

}  // namespace animbridge
