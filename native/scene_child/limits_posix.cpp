// SPDX-License-Identifier: MIT
#include "scene_child/limits.h"

#include <sys/resource.h>
#ifdef __linux__
#include <poll.h>
#include <sys/prctl.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <string>
#include <system_error>

namespace animbridge::scene_child {

namespace {

constexpr std::uint64_t stack_bytes = std::uint64_t{8} << 20U;

Result<void> refused(const std::string& what) {
    return fail(ErrorCode::io, what + " can't be set: " + std::generic_category().message(errno));
}

/// Never exceeds the process's present limit. `spare` is between the limit that warns by a signal and the one
/// that kills.
Result<void> set_limit(decltype(RLIMIT_AS) resource, std::uint64_t most, const char* name,
                       std::uint64_t spare = 0) {
    rlimit limit{};
    if (getrlimit(resource, &limit) != 0) {
        return refused(name);
    }
    if (limit.rlim_max == RLIM_INFINITY || most + spare < limit.rlim_max) {
        limit.rlim_max = most + spare;
    }
    limit.rlim_cur = std::min<rlim_t>(most, limit.rlim_max);
    if (setrlimit(resource, &limit) != 0) {
        return refused(name);
    }
    return {};
}

Result<void> set_switches() {
    // Writing to a pipe without a reader is an error of write, not a signal.
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    if (sigaction(SIGPIPE, &ignore, nullptr) != 0) {
        return refused("the answer to SIGPIPE");
    }
#ifdef __linux__  // macOS has none of the three
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): prctl is as it is
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        return refused("\"no new privileges\"");
    }
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) {
        return refused("the end with the parent");
    }
    // That is too late for a parent that has just ended. Its end of the pipe is then closed.
    pollfd answer{STDOUT_FILENO, 0, 0};
    if (::poll(&answer, 1, 0) > 0 && (answer.revents & POLLERR) != 0) {
        return fail(ErrorCode::io, "nobody waits for the answer");
    }
    // The leak sanitizer inspects its own process, which this forbids.
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg)
    if (can_limit_memory() && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) {
        return refused("\"no core dumps\"");
    }
#endif
    return {};
}

}  // namespace

bool can_limit_memory() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
    return false;
#else
    return true;
#endif
#else
    return true;
#endif
}

Result<void> keep_to(const Limits& limits) {
    TRY_VOID(set_switches());
    TRY_VOID(set_limit(RLIMIT_CORE, 0, "the limit on core dumps"));
    TRY_VOID(set_limit(RLIMIT_STACK, stack_bytes, "the limit on the stack"));
    if (limits.memory_bytes > 0 && can_limit_memory()) {
        TRY_VOID(set_limit(RLIMIT_AS, limits.memory_bytes, "the limit on memory"));
    }
    if (limits.cpu_seconds > 0) {
        TRY_VOID(set_limit(RLIMIT_CPU, limits.cpu_seconds, "the limit on processor time", 1));
    }
    if (limits.file_bytes > 0) {
        TRY_VOID(set_limit(RLIMIT_FSIZE, limits.file_bytes, "the limit on written files"));
    }
    return {};
}

}  // namespace animbridge::scene_child
