// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>

namespace animbridge {

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
    EndingRequests(EndingRequests&&) = delete;
    EndingRequests& operator=(EndingRequests&&) = delete;
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
