// SPDX-License-Identifier: MIT
// Other programs, run to their end.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/system/system.h"
#include "catch.h"

using namespace animbridge;

namespace {

/// Runs a shell script as the program; it may write a mebibyte and run for half a minute.
Result<ProcessEnd> run_script(const std::string& script, ByteView input = {}, std::size_t most = 1U << 20U,
                              double seconds = 30.0) {
    return run_process({"/bin/sh", {"-c", script}, input, most, seconds});
}

ProcessEnd end_of(const std::string& script, ByteView input = {}, std::size_t most = 1U << 20U,
                  double seconds = 30.0) {
    auto end = run_script(script, input, most, seconds);
    INFO(script);
    REQUIRE(end.has_value());
    return std::move(*end);
}

/// Nothing that ran is left, not even its status.
void check_no_children() {
    errno = 0;
    CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
    CHECK(errno == ECHILD);
}

std::size_t open_descriptors() {
    const std::filesystem::directory_iterator begin("/proc/self/fd");
    return static_cast<std::size_t>(std::distance(begin, std::filesystem::directory_iterator()));
}

/// The number of this process's descriptors that a program would inherit.
std::ptrdiff_t inherited_descriptors() {
    std::ptrdiff_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        const int flags = ::fcntl(std::stoi(entry.path().filename()), F_GETFD);
        count += flags >= 0 && (flags & FD_CLOEXEC) == 0 ? 1 : 0;
    }
    return count;
}

}  // namespace

TEST_CASE("a program's status and both its streams are what it gave", "[process]") {
    for (const int status : {0, 1, 3, 127, 255}) {
        const auto end = end_of("printf out; printf err >&2; exit " + std::to_string(status));
        CHECK(end.exit_status == status);
        CHECK(end.killed == Killed::no);
        CHECK(text_of(end.output) == "out");
        CHECK(end.error_text == "err");
    }
    check_no_children();
}

TEST_CASE("a program's fault is told from its status", "[process]") {
    for (const auto& [name, fault] :
         {std::pair("SEGV", "a bad memory access (SIGSEGV)"), std::pair("ABRT", "an abort (SIGABRT)")}) {
        const auto end = end_of(std::string("printf before; kill -s ") + name + " $$");
        CHECK(end.crash == fault);
        CHECK(end.killed == Killed::crash);
        CHECK(text_of(end.output) == "before");
    }
    for (const auto& [name, signal] : {std::pair("INT", "signal 2"), std::pair("TERM", "signal 15")}) {
        const auto end = end_of(std::string("kill -s ") + name + " $$");
        CHECK(end.crash == signal);
        CHECK(end.killed == Killed::request);
    }
    CHECK(end_of("kill -s KILL $$").killed == Killed::system);
    CHECK(end_of("kill -s XCPU $$").killed == Killed::system);
    check_no_children();
}

TEST_CASE("arguments reach a program as they are", "[process]") {
    const auto end = run_process(
        {"/bin/sh", {"-c", "printf '<%s>' \"$@\"", "name", "", "a b", "$HOME '\"", "-x"}, {}, 1000, 30.0});
    REQUIRE(end.has_value());
    CHECK(text_of(end->output) == "<><a b><$HOME '\"><-x>");
}

TEST_CASE("much input and much output pass through a program", "[process]") {
    Bytes input(20'000'000);
    for (std::size_t i = 0; i < input.size(); ++i) {
        input[i] = static_cast<std::uint8_t>(i * i >> 7U);
    }
    const auto end = end_of("exec cat", input, input.size());
    CHECK(end.killed == Killed::no);
    CHECK(end.output == input);
    // A program need not read its input, or not all of it.
    CHECK(end_of("exit 4", input).exit_status == 4);
    CHECK(end_of("head -c 3 >/dev/null; exit 5", input).exit_status == 5);
    CHECK(end_of("exec cat", {}).output.empty());
}

TEST_CASE("a program that writes too much is killed", "[process]") {
    const auto end = end_of("exec cat /dev/zero", {}, 100'000);
    CHECK(end.killed == Killed::output);
    CHECK(end.output.size() < 1'000'000);
    CHECK(end_of("head -c 100000 /dev/zero", {}, 100'000).killed == Killed::no);
    CHECK(end_of("head -c 100001 /dev/zero", {}, 100'000).killed == Killed::output);
    check_no_children();
}

TEST_CASE("of much noise, the beginning is kept", "[process]") {
    const auto end = end_of("printf first >&2; head -c 1000000 /dev/zero >&2; printf out");
    CHECK(end.error_text.size() == 65536);
    CHECK(end.error_text.starts_with("first"));
    CHECK(text_of(end.output) == "out");
    CHECK(end.killed == Killed::no);
}

TEST_CASE("a program that runs too long is killed", "[process]") {
    const auto end = end_of("printf before; exec sleep 100", {}, 1000, 0.2);
    CHECK(end.killed == Killed::time);
    CHECK(text_of(end.output) == "before");
    // It ignores all possible signals, and has closed its streams or passed them on.
    CHECK(end_of("trap '' TERM INT HUP; while :; do :; done", {}, 1000, 0.2).killed == Killed::time);
    CHECK(end_of("sleep 3 & exit 0", {}, 1000, 0.2).killed == Killed::time);
    check_no_children();
}

TEST_CASE("a program that closes its streams and goes on is waited for", "[process]") {
    const auto end = end_of("exec >&- 2>&-; sleep 0.2; exit 6");
    CHECK(end.exit_status == 6);
    CHECK(end.output.empty());
    check_no_children();
}

TEST_CASE("a program that closes its streams and never ends is killed", "[process]") {
    const auto end = end_of("exec >&- 2>&-; exec sleep 20", {}, 1000, 0.3);
    CHECK(end.killed == Killed::time);
    check_no_children();
}

TEST_CASE("a program that cannot be started is an error with its path", "[process]") {
    for (const char* const path : {"/no/such/program", "/tmp", "/etc/hostname", ""}) {
        const auto end = run_process({path, {}, {}, 1000, 1.0});
        REQUIRE_FALSE(end.has_value());
        CHECK(end.error().code == ErrorCode::io);
        CHECK(end.error().message().find(path) != std::string::npos);
    }
    check_no_children();
}

TEST_CASE("a program inherits its three streams, and no signal mask", "[process]") {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const auto end = run_script("grep SigBlk /proc/self/status; ls /proc/self/fd; exit 0");
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    REQUIRE(end.has_value());
    const std::string_view text = text_of(end->output);
    CHECK(text.starts_with("SigBlk:\t0000000000000000\n"));
    // The descriptors that the tests themselves inherited, and the folder, which `ls` has open.
    CHECK(std::count(text.begin(), text.end(), '\n') == 1 + inherited_descriptors() + 1);
}

TEST_CASE("running programs leaves no descriptor open", "[process]") {
    (void)run_script("exit 0");
    const std::size_t before = open_descriptors();
    for (int i = 0; i < 20; ++i) {
        (void)run_script("exit 0");
        (void)run_process({"/no/such/program", {}, {}, 1000, 1.0});
        (void)run_script("exec cat /dev/zero", {}, 1000);
    }
    CHECK(open_descriptors() == before);
}

TEST_CASE("a process without standard streams can run programs", "[process]") {
    // In a separate child, which has no threads and whose streams are closed in every combination.
    for (unsigned closed = 0; closed < 8; ++closed) {
        const pid_t child = ::fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            for (int stream = 0; stream < 3; ++stream) {
                if ((closed >> static_cast<unsigned>(stream) & 1U) != 0) {
                    ::close(stream);
                }
            }
            const std::string input = "in";
            const auto end = run_script("cat; printf err >&2; exit 7", view_of(input));
            const bool is_right =
                end && end->exit_status == 7 && text_of(end->output) == "in" && end->error_text == "err";
            ::_exit(is_right ? 0 : 1);
        }
        int status = -1;
        REQUIRE(::waitpid(child, &status, 0) == child);
        INFO("closed: " << closed);
        CHECK(status == 0);
    }
}

TEST_CASE("code knows the folder of its own file", "[process]") {
    const auto self = std::filesystem::canonical("/proc/self/exe");
    CHECK(own_folder() == self.parent_path().string());
}
