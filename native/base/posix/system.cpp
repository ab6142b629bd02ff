// SPDX-License-Identifier: MIT
#include "base/posix/posix.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <system_error>
#include <thread>
#include <utility>

#include "base/base.h"
#include "base/files/files.h"
#include "base/system/system.h"

#ifdef __GLIBC__
#include <malloc.h>

#include <limits>
#endif

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

void keep_freed_memory([[maybe_unused]] std::size_t bytes) {
#ifdef __GLIBC__
    // By default, each large block is a separate mapping that goes back to the system when it is freed.
    // Called before any other thread exists. NOLINTBEGIN(concurrency-mt-unsafe)
    ::mallopt(M_MMAP_MAX, 0);
    ::mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
    // NOLINTEND(concurrency-mt-unsafe)
    // A block that is freed at once grows the heap: what comes next lies in its place.
    void* const block = std::malloc(bytes);  // NOLINT(*-no-malloc): the switch is malloc's
    if (block != nullptr) {
        prefer_huge_pages(block, bytes);
        std::free(block);  // NOLINT(*-no-malloc)
    }
#endif
}

void prefer_huge_pages([[maybe_unused]] const void* begin, [[maybe_unused]] std::size_t size) {
#ifdef MADV_HUGEPAGE
    // Rounds outwards to whole pages, so that adjacent requests can share a huge page.
    constexpr std::uintptr_t page = 4096;
    constexpr std::size_t worth_it = 64 * page;
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    const std::uintptr_t first = address & ~(page - 1);
    const std::uintptr_t last = (address + size + page - 1) & ~(page - 1);
    if (size >= worth_it) {
        // If it fails, the memory has ordinary pages. NOLINTNEXTLINE(performance-no-int-to-ptr)
        (void)::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
    }
#endif
}

namespace {

int descriptor_of(Stream stream) { return stream == Stream::output ? STDOUT_FILENO : STDERR_FILENO; }

}  // namespace

void hold_standard_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        // POSIX made both variadic. NOLINTBEGIN(cppcoreguidelines-pro-type-vararg)
        if (::fcntl(stream, F_GETFD) < 0) {
            // open() takes the lowest free number, which is this stream's. In the wrong direction it behaves
            // like a closed stream.
            (void)::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        }
        // NOLINTEND(cppcoreguidelines-pro-type-vararg)
    }
}

std::string write_to(Stream stream, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor_of(stream), text.data(), text.size());
        if (written < 0 && errno != EINTR) {
            return std::generic_category().message(errno);
        }
        text.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
    }
    return "";
}

Result<Bytes> read_input_stream(std::size_t most_bytes) {
    const std::string name = "standard input";
    struct stat status {};
    const bool has_size = ::fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode);
    return read_to_end(reader_of(STDIN_FILENO, name), has_size ? static_cast<std::size_t>(status.st_size) : 0,
                       most_bytes, name);
}

bool is_terminal(Stream stream) { return ::isatty(descriptor_of(stream)) != 0; }

bool is_output_stream(const std::string& path) {
    struct stat output {};
    struct stat named {};
    return ::fstat(STDOUT_FILENO, &output) == 0 && ::stat(path.c_str(), &named) == 0 &&
           output.st_dev == named.st_dev && output.st_ino == named.st_ino;
}

std::vector<std::string> utf8_arguments(int count, const char* const* given) {
    return {given, given + count};
}

}  // namespace animbridge
