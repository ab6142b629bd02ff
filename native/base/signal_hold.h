// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <csignal>
#include <ctime>
#include <initializer_list>

namespace animbridge {

/// While it lives, this thread takes no SIGINT, SIGTERM or SIGHUP: they wait until its end. A program of one
/// thread then cannot be ended half-way by them; no handler is installed and no other thread is touched.
class SignalHold {
public:
    SignalHold() {
        sigset_t ending{};
        ::sigemptyset(&ending);
        for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
            ::sigaddset(&ending, signal);
        }
        ::pthread_sigmask(SIG_BLOCK, &ending, &before_);
    }
    ~SignalHold() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalHold(const SignalHold&) = delete;
    SignalHold& operator=(const SignalHold&) = delete;
    SignalHold(SignalHold&&) = delete;
    SignalHold& operator=(SignalHold&&) = delete;

    /// Whether one of them waits that the caller had not held back already.
    [[nodiscard]] bool is_asked_to_end() const {
        sigset_t waiting{};
        ::sigpending(&waiting);
        const auto signals = {SIGINT, SIGTERM, SIGHUP};
        return std::any_of(signals.begin(), signals.end(), [&](int signal) {
            return ::sigismember(&waiting, signal) == 1 && ::sigismember(&before_, signal) == 0;
        });
    }

private:
    sigset_t before_{};
};

/// While it lives, a reader of a pipe that goes away is an error of write (EPIPE), not the end of the
/// process.
class PipeSignalHold {
public:
    PipeSignalHold() {
        ::sigemptyset(&pipe_);
        ::sigaddset(&pipe_, SIGPIPE);
        sigset_t waiting{};
        ::sigpending(&waiting);
        was_waiting_ = ::sigismember(&waiting, SIGPIPE) == 1;
        ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
    }
    ~PipeSignalHold() {
        // The one that a write of ours has raised is taken back.
        const timespec at_once{};
        if (!was_waiting_) {
            (void)::sigtimedwait(&pipe_, nullptr, &at_once);
        }
        ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    PipeSignalHold(const PipeSignalHold&) = delete;
    PipeSignalHold& operator=(const PipeSignalHold&) = delete;
    PipeSignalHold(PipeSignalHold&&) = delete;
    PipeSignalHold& operator=(PipeSignalHold&&) = delete;

private:
    sigset_t pipe_{};
    sigset_t before_{};
    bool was_waiting_ = false;
};

}  // namespace animbridge
