// SPDX-License-Identifier: MIT
#include "base/system/system.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "base/base.h"
#include "base/files/files.h"
#include "base/posix/posix.h"

namespace animbridge {

namespace {

constexpr std::size_t most_error_text = 64U << 10U;

struct Pipe {
    Descriptor reads;
    Descriptor writes;
};

Result<Pipe> make_pipe(const std::string& program) {
    std::array<int, 2> ends{};
    if (!pipe_for_this_program(ends)) {
        return io_error(program, "cannot make a pipe", errno);
    }
    return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

/// A file in memory with these bytes, at its beginning. A pipe would need a thread that writes to it.
Result<Descriptor> file_in_memory(ByteView bytes, const std::string& program) {
    Descriptor file(file_without_name());
    if (!file.is_open()) {
        return io_error(program, "cannot make a file in memory", errno);
    }
    while (!bytes.empty()) {
        const ssize_t done = ::write(file.get(), bytes.data(), bytes.size());
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done <= 0) {
            return io_error(program, "cannot pass the file on", errno);
        }
        bytes = bytes.subspan(static_cast<std::size_t>(done));
    }
    if (::lseek(file.get(), 0, SEEK_SET) != 0) {
        return io_error(program, "cannot pass the file on", errno);
    }
    return file;
}

/// The arguments of posix_spawn; freed at the end of the scope.
class SpawnPlan {
public:
    SpawnPlan() {
        posix_spawn_file_actions_init(&actions_);
        posix_spawnattr_init(&attributes_);
    }
    ~SpawnPlan() {
        posix_spawn_file_actions_destroy(&actions_);
        posix_spawnattr_destroy(&attributes_);
    }
    SpawnPlan(const SpawnPlan&) = delete;
    SpawnPlan& operator=(const SpawnPlan&) = delete;

    void connect(int input, int output, int errors) {
        posix_spawn_file_actions_adddup2(&actions_, input, STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions_, errors, STDERR_FILENO);
    }

    void clear_signals() {
        sigset_t none;
        sigset_t all;
        sigemptyset(&none);
        sigfillset(&all);
        posix_spawnattr_setsigmask(&attributes_, &none);
        posix_spawnattr_setsigdefault(&attributes_, &all);
        posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    }

    [[nodiscard]] const posix_spawn_file_actions_t* actions() const { return &actions_; }
    [[nodiscard]] const posix_spawnattr_t* attributes() const { return &attributes_; }

private:
    posix_spawn_file_actions_t actions_{};
    posix_spawnattr_t attributes_{};
};

Result<pid_t> start(const ProcessCall& call, int input, int output, int errors) {
    SpawnPlan plan;
    plan.connect(input, output, errors);
    plan.clear_signals();
    std::vector<std::string> words = {call.program};
    words.insert(words.end(), call.arguments.begin(), call.arguments.end());
    std::vector<char*> pointers;
    pointers.reserve(words.size() + 1);
    for (std::string& word : words) {
        pointers.push_back(word.data());
    }
    pointers.push_back(nullptr);
    pid_t process = 0;
    const int wrong = ::posix_spawn(&process, call.program.c_str(), plan.actions(), plan.attributes(),
                                    pointers.data(), environment());
    if (wrong != 0) {
        return io_error(call.program, "cannot be started", wrong);
    }
    return process;
}

using Clock = std::chrono::steady_clock;

/// Milliseconds for poll; at least 1 before the deadline.
int wait_milliseconds(Clock::time_point deadline) {
    constexpr std::int64_t longest = 60'000;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    return static_cast<int>(std::clamp<std::int64_t>(left + 1, 0, longest));
}

/// Appends what is available; false at the end of the stream.
bool read_some(int from, Bytes& all) {
    // Small enough to stay in the cache between resize, which writes zeros, and read.
    constexpr std::size_t step = std::size_t{256} << 10U;
    const std::size_t before = all.size();
    all.resize(before + step);
    const ssize_t count = ::read(from, all.data() + before, step);
    all.resize(before + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    return count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN));
}

/// A first guess, so that large outputs are seldom moved while they grow. Memory is taken only as they do.
void make_room(const ProcessCall& call, Bytes& output) {
    constexpr std::size_t at_least = std::size_t{1} << 20U;
    output.reserve(std::min(2 * call.input.size(), call.most_output_bytes) + at_least);
    prefer_huge_pages(output.data(), output.capacity());
}

/// Reads both streams until they end, or until a limit is reached.
void collect(const ProcessCall& call, Clock::time_point deadline, Pipe& output, Pipe& errors,
             ProcessEnd& end) {
    make_room(call, end.output);
    Bytes text;
    while (output.reads.is_open() || errors.reads.is_open()) {
        std::array<pollfd, 2> streams = {{{output.reads.get(), POLLIN, 0}, {errors.reads.get(), POLLIN, 0}}};
        const int ready = ::poll(streams.data(), streams.size(), wait_milliseconds(deadline));
        if (ready == 0 && Clock::now() >= deadline) {
            end.killed = Killed::time;
            return;
        }
        if (streams[0].revents != 0 && !read_some(output.reads.get(), end.output)) {
            output.reads.close();
        }
        if (streams[1].revents != 0 && !read_some(errors.reads.get(), text)) {
            errors.reads.close();
        }
        const std::size_t room = most_error_text - end.error_text.size();
        end.error_text += text_of(ByteView(text).first(std::min(text.size(), room)));
        text.clear();
        if (end.output.size() > call.most_output_bytes) {
            end.killed = Killed::output;
            return;
        }
    }
}

void note_signal(int signal, ProcessEnd& end) {
    constexpr std::array<std::pair<int, const char*>, 5> faults = {{
        {SIGSEGV, "a bad memory access (SIGSEGV)"},
        {SIGBUS, "a bad memory access (SIGBUS)"},
        {SIGABRT, "an abort (SIGABRT)"},
        {SIGFPE, "a bad division (SIGFPE)"},
        {SIGILL, "a bad instruction (SIGILL)"},
    }};
    if (signal == SIGXCPU || signal == SIGKILL) {
        end.killed = Killed::system;
        return;
    }
    end.killed = signal == SIGINT || signal == SIGTERM ? Killed::request : Killed::crash;
    const auto* const known =
        std::ranges::find_if(faults, [&](const auto& fault) { return fault.first == signal; });
    end.crash = known == faults.end() ? "signal " + std::to_string(signal) : known->second;
}

/// Waits for the end of the program, which may close its streams and continue; kills it at the deadline.
Result<void> wait_for(pid_t process, const std::string& program, Clock::time_point deadline,
                      ProcessEnd& end) {
    constexpr std::chrono::microseconds longest_pause(20'000);
    std::chrono::microseconds pause(50);
    int status = 0;
    for (pid_t ended = 0; ended != process;) {
        ended = ::waitpid(process, &status, end.killed == Killed::no ? WNOHANG : 0);
        if (ended < 0 && errno != EINTR) {
            return io_error(program, "its end cannot be seen", errno);
        }
        if (ended == 0 && Clock::now() >= deadline) {
            end.killed = Killed::time;
            ::kill(process, SIGKILL);
        } else if (ended == 0) {
            std::this_thread::sleep_for(pause);
            pause = std::min(2 * pause, longest_pause);
        }
    }
    if (WIFSIGNALED(status) && end.killed == Killed::no) {
        note_signal(WTERMSIG(status), end);
    } else if (WIFEXITED(status)) {
        end.exit_status = WEXITSTATUS(status);
    }
    return {};
}

}  // namespace

Result<ProcessEnd> run_process(const ProcessCall& call) {
    TRY(const auto input, file_in_memory(call.input, call.program));
    TRY(auto output, make_pipe(call.program));
    TRY(auto errors, make_pipe(call.program));
    TRY(const auto process, start(call, input.get(), output.writes.get(), errors.writes.get()));
    use_large_buffer(output.reads.get());
    output.writes.close();
    errors.writes.close();
    const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                             std::chrono::duration<double>(std::min(call.wall_seconds, 1e6)));
    ProcessEnd end;
    collect(call, deadline, output, errors, end);
    if (end.killed != Killed::no) {
        ::kill(process, SIGKILL);
    }
    return wait_for(process, call.program, deadline, end).map([&] { return std::move(end); });
}

void close_inherited() {
    constexpr int first = STDERR_FILENO + 1;
    if (close_from(first)) {
        return;
    }
    const auto most = static_cast<int>(std::min(::sysconf(_SC_OPEN_MAX), 65'536L));
    for (int descriptor = first; descriptor < most; ++descriptor) {
        (void)::close(descriptor);
    }
}

bool is_program(const std::string& path) { return ::access(path.c_str(), X_OK) == 0; }

std::string own_folder() {
    Dl_info own{};
    // Any address inside this code identifies its file.
    if (::dladdr(reinterpret_cast<const void*>(&own_folder), &own) == 0 ||  // NOLINT(*-reinterpret-cast)
        own.dli_fname == nullptr) {
        return "";
    }
    std::error_code ignored;
    const auto file = std::filesystem::canonical(file_of_code(own), ignored);
    return file.empty() ? "" : file.parent_path().string();
}

}  // namespace animbridge
