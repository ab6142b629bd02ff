// SPDX-License-Identifier: MIT
#include "base/windows/windows.h"

#include <shellapi.h>
#include <algorithm>
#include <atomic>
#include <csignal>
#include <utility>

#include "base/base.h"
#include "base/files/files.h"
#include "base/system/system.h"

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

// The heap of Windows already keeps freed memory.
void keep_freed_memory(std::size_t) {}

// Windows gives large pages only to programs with a privilege that users do not have.
void prefer_huge_pages(const void*, std::size_t) {}

namespace {

HANDLE handle_of(Stream stream) {
    return ::GetStdHandle(stream == Stream::output ? STD_OUTPUT_HANDLE : STD_ERROR_HANDLE);
}

/// The console shows UTF-16, whatever its code page.
DWORD write_to_console(HANDLE console, std::string_view text) {
    constexpr std::size_t step = 8192;  // characters; a console refuses more than 64 KiB at once
    const std::wstring wide = wide_of(text);
    for (std::size_t at = 0; at < wide.size();) {
        DWORD written = 0;
        const auto size = static_cast<DWORD>(std::min(step, wide.size() - at));
        if (::WriteConsoleW(console, wide.data() + at, size, &written, nullptr) == 0) {
            return ::GetLastError();
        }
        at += written;
    }
    return ERROR_SUCCESS;
}

DWORD write_bytes(HANDLE file, std::string_view text) {
    constexpr std::size_t step = std::size_t{1} << 20U;
    while (!text.empty()) {
        DWORD written = 0;
        const auto size = static_cast<DWORD>(std::min(step, text.size()));
        if (::WriteFile(file, text.data(), size, &written, nullptr) == 0) {
            return ::GetLastError();
        }
        text.remove_prefix(written);
    }
    return ERROR_SUCCESS;
}

}  // namespace

// Here, a closed stream has no number that a new file could get.
void hold_standard_streams() {}

std::string write_to(Stream stream, std::string_view text) {
    const HANDLE handle = handle_of(stream);
    const DWORD problem = is_terminal(stream) ? write_to_console(handle, text) : write_bytes(handle, text);
    return problem == ERROR_SUCCESS ? "" : system_message(problem);
}

Result<Bytes> read_input_stream(std::size_t most_bytes) {
    const HANDLE input = ::GetStdHandle(STD_INPUT_HANDLE);
    const std::string name = "standard input";
    return read_to_end(reader_of(input, name), announced_size(input), most_bytes, name);
}

bool is_terminal(Stream stream) {
    DWORD mode = 0;
    return ::GetConsoleMode(handle_of(stream), &mode) != 0;
}

// No path on Windows names the program's standard output.
bool is_output_stream(const std::string& /*path*/) { return false; }

std::vector<std::string> utf8_arguments(int /*count*/, const char* const* /*given*/) {
    int count = 0;
    wchar_t** const words = ::CommandLineToArgvW(::GetCommandLineW(), &count);
    if (words == nullptr) {
        return {};
    }
    std::vector<std::string> arguments(static_cast<std::size_t>(count));
    std::transform(words, words + count, arguments.begin(),
                   [](const wchar_t* word) { return utf8_of(word); });
    ::LocalFree(static_cast<HLOCAL>(words));
    return arguments;
}

}  // namespace animbridge
