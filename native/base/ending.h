// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>

namespace animbridge {

/// Ctrl-C and the request to end (SIGINT, SIGTERM), told to the program instead of ending it. Threads that
/// begin while this exists leave them alone too. At most one at a time.
class EndingRequests {
public:
    /// `told` is called in a thread of its own for each request: with its name, the exit code that shells
    /// expect of a program that it ended, and how many there were up to now, from 1.
    using Told = std::function<void(const char* name, int exit_code, int count)>;

    explicit EndingRequests(Told told);
    EndingRequests(const EndingRequests&) = delete;
    EndingRequests& operator=(const EndingRequests&) = delete;
    EndingRequests(EndingRequests&&) = delete;
    EndingRequests& operator=(EndingRequests&&) = delete;
    ~EndingRequests();

private:
    struct Watch;
    std::unique_ptr<Watch> watch_;
};

/// Ends this process, with the exit code 1, as soon as nobody can read from a pipe to which it writes: the
/// program that started it is gone. Does nothing if that is not a pipe, and on Windows.
void end_process_with_reader_of(int descriptor);

/// Ends the process without cleaning up, while other threads are still at work.
[[noreturn]] void end_process_at_once(int exit_code);

}  // namespace animbridge
