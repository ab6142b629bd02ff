// SPDX-License-Identifier: MIT
#include "base/ending.h"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
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
        // Wakes the thread, which alone gets this one and waits for it.
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

void end_process_at_once(int exit_code) { ::_exit(exit_code); }

}  // namespace animbridge
