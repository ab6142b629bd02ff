// SPDX-License-Identifier: MIT
#pragma once

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <csignal>
#include <initializer_list>
#include <string>
#include <utility>

#include "base/files/files.h"

/// What the POSIX half of base shares: descriptors, folders opened step by step, and signals that wait.
namespace animbridge {

/// Closes a file descriptor at the end of the scope.
class Descriptor {
public:
    explicit Descriptor(int value) : value_(value) {}
    ~Descriptor() { close(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(value_, other.value_);
        return *this;
    }

    [[nodiscard]] int get() const { return value_; }
    [[nodiscard]] bool is_open() const { return value_ >= 0; }
    int close() {
        const int result = is_open() ? ::close(value_) : 0;
        value_ = -1;
        return result;
    }

private:
    int value_;
};

/// Lets read_to_end read from the descriptor, which the caller still owns. `path` names the file in errors.
[[nodiscard]] ReadSome reader_of(int descriptor, const std::string& path);

// A folder need not be readable to write into it.
#ifdef O_PATH
inline constexpr int folder_access = O_PATH;
#else
inline constexpr int folder_access = O_SEARCH;
#endif

struct Folder::Opened {
    Descriptor descriptor;
};

/// A regular file in the folder, opened with openat's `flags`. Does not block, and refuses symbolic and hard
/// links. ErrorCode::io: `doing` failed, or it is not a regular file.
[[nodiscard]] Result<Descriptor> opened_file(const Folder& folder, const std::string& name, int flags,
                                             const std::string& doing);

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

    /// Whether one of these signals is pending, except those that were blocked before.
    [[nodiscard]] bool is_asked_to_end() const {
        sigset_t waiting{};
        ::sigpending(&waiting);
        const auto signals = {SIGINT, SIGTERM, SIGHUP};
        return std::ranges::any_of(signals, [&](int signal) {
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

private:
    sigset_t pipe_{};
    sigset_t before_{};
    bool was_waiting_ = false;
};

// Functions for which Linux and macOS have different calls.

/// Opens both ends of a pipe, which started programs do not inherit. On failure, errno says why.
[[nodiscard]] bool pipe_for_this_program(std::array<int, 2>& ends);

/// Closes this descriptor and all higher ones in one call; false if the system has no such call.
[[nodiscard]] bool close_from(int first);

/// Gives a pipe a buffer of a megabyte, if this user may: then the two sides wait for each other less often.
void use_large_buffer(int pipe);

/// Opens an empty file for reading and writing that no folder lists, and that disappears with its last
/// descriptor. -1: errno says why.
[[nodiscard]] int file_without_name();

/// The environment variables of this process, for a program that it starts.
[[nodiscard]] char** environment();

/// The file that contains `own`, an address of this code: the library, or the program by its full path.
[[nodiscard]] std::string file_of_code(const Dl_info& own);

}  // namespace animbridge
