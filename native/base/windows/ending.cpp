// SPDX-License-Identifier: MIT
#include "base/ending.h"

#include "base/windows/api.h"

#include <atomic>
#include <csignal>
#include <utility>

namespace animbridge {

struct EndingRequests::Watch {
    Told told;
    std::atomic<int> count = 0;
};

namespace {

/// Windows calls a function without an argument of ours, in a thread that it creates.
std::atomic<void*>& current_watch() {
    static std::atomic<void*> current = nullptr;
    return current;
}

}  // namespace

EndingRequests::EndingRequests(Told told) : watch_(std::make_unique<Watch>()) {
    watch_->told = std::move(told);
    current_watch() = watch_.get();
    ::SetConsoleCtrlHandler(
        [](DWORD event) -> BOOL {
            auto* const watch = static_cast<Watch*>(current_watch().load());
            if (watch == nullptr || (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT)) {
                return FALSE;
            }
            const bool is_interrupt = event == CTRL_C_EVENT;
            watch->told(is_interrupt ? "SIGINT" : "SIGTERM", 128 + (is_interrupt ? SIGINT : SIGTERM),
                        ++watch->count);
            return TRUE;
        },
        TRUE);
}

EndingRequests::~EndingRequests() { current_watch() = nullptr; }

void end_process_with_reader_of(int /*descriptor*/) {}

void end_process_at_once(int exit_code) { ::ExitProcess(static_cast<UINT>(exit_code)); }

}  // namespace animbridge
