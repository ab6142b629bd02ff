// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <csignal>
#include <initializer_list>

namespace animbridge {

/// While it exists, blocks SIGINT, SIGTERM and SIGHUP in this thread, so that they cannot end a
/// single-threaded program half-way. Installs no handler and affects no other thread.
class SignalHold {
public:
    SignalHold() {
        sigset_t ending{};
        sigemptyset(&ending);
        for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
            sigaddset(&ending, signal);
        }
        ::pthread_sigmask(SIG_BLOCK, &ending, &before_);
    }
    ~SignalHold() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalHold(const SignalHold&) = delete;
    SignalHold& operator=(const SignalHold&) = delete;
    SignalHold(SignalHold&&) = delete;
    SignalHold& operator=(SignalHold&&) = delete;

    /// Whether one of these signals is pending, except those that were blocked before.
    [[nodiscard]] bool is_asked_to_end() const {
        sigset_t waiting{};
        ::sigpending(&waiting);
        const auto signals = {SIGINT, SIGTERM, SIGHUP};
        return std::any_of(signals.begin(), signals.end(), [&](int signal) {
            return sigismember(&waiting, signal) == 1 && sigismember(&before_, signal) == 0;
        });
    }

private:
    sigset_t before_{};
};

/// While it exists, writing to a closed pipe makes write fail (EPIPE) and does not end the process.
class PipeSignalHold {
public:
    PipeSignalHold() {
        sigemptyset(&pipe_);
        sigaddset(&pipe_, SIGPIPE);
        sigset_t waiting{};
        ::sigpending(&waiting);
        was_waiting_ = sigismember(&waiting, SIGPIPE) == 1;
        ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
    }
    ~PipeSignalHold() {
        // Discards the SIGPIPE that our own write has raised.
        sigset_t waiting{};
        ::sigpending(&waiting);
        int taken = 0;
        if (!was_waiting_ && sigismember(&waiting, SIGPIPE) == 1) {
            (void)::sigwait(&pipe_, &taken);
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
