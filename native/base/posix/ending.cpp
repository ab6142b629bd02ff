// SPDX-License-Identifier: MIT
#include "base/ending.h"

#include <poll.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <thread>
#include <utility>

namespace animbridge {

struct EndingRequests::Watch {
    explicit Watch(Told to_tell) : told(std::move(to_tell)) {
        sigset_t signals{};
        sigemptyset(&signals);
        sigaddset(&signals, SIGINT);
        sigaddset(&signals, SIGTERM);
        ::pthread_sigmask(SIG_BLOCK, &signals, &before);
        thread = std::thread([this, signals] { watch(signals); });
    }
    ~Watch() {
        is_over = true;
        // Wakes the thread, the only one that gets this signal, and waits for it.
        // NOLINTNEXTLINE(bugprone-bad-signal-to-kill-thread)
        ::pthread_kill(thread.native_handle(), SIGTERM);
        thread.join();
        ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    Watch(Watch&&) = delete;
    Watch& operator=(Watch&&) = delete;

    void watch(const sigset_t& signals) const {
        for (int count = 1;; ++count) {
            int number = 0;
            if (::sigwait(&signals, &number) != 0 || is_over) {
                return;
            }
            told(number == SIGINT ? "SIGINT" : "SIGTERM", 128 + number, count);
        }
    }

    Told told;
    sigset_t before{};
    std::atomic<bool> is_over = false;
    std::thread thread;
};

EndingRequests::EndingRequests(Told told) : watch_(std::make_unique<Watch>(std::move(told))) {}
EndingRequests::~EndingRequests() = default;

void end_process_with_reader_of(int descriptor) {
    struct stat state {};
    const int pipe = ::fstat(descriptor, &state) == 0 && S_ISFIFO(state.st_mode) ? ::dup(descriptor) : -1;
    if (pipe < 0) {
        return;
    }
    std::thread([pipe] {
        // The other threads handle signals.
        sigset_t all{};
        sigfillset(&all);
        ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
        pollfd watched{pipe, 0, 0};
        while (::poll(&watched, 1, -1) < 0 && errno == EINTR) {
        }
        end_process_at_once(1);
    }).detach();
}

void end_process_at_once(int exit_code) { ::_exit(exit_code); }

}  // namespace animbridge
