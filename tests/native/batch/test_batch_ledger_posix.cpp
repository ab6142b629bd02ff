// SPDX-License-Identifier: MIT
// Ledgers that may grow no more, and locks of other processes.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>

#include "base/files/files.h"
#include "batch/run/ledger.h"
#include "catch.h"
#include "ledger_rows.h"
#include "support.h"

using namespace animbridge;
using namespace animbridge::batch::run;
using namespace animbridge::test;

namespace {

/// Runs `work` in a separate process and returns its exit code.
int code_of_process(const std::function<int()>& work) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        ::_exit(work());
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("Half a line is taken back when there is no room for the rest", "[batch]") {
    const ScratchFolder folder;
    const std::string path = folder.path() / "ledger.jsonl";
    const std::string line = line_of(some_row("a.anim"));
    const int code = code_of_process([&] {
        ::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{line.size() * 5 / 2, line.size() * 5 / 2};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        auto ledger = Ledger::open(Folder::open(folder.path()).value(), "ledger.jsonl", false);
        int stored = 0;
        for (int i = 0; ledger && i < 5; ++i) {
            stored += (*ledger)->append(some_row("a.anim")) ? 1 : 0;
        }
        return stored;
    });
    CHECK(code == 2);
    CHECK(text_of_file(path) == line + line);
}

TEST_CASE("A lock is one process's, and goes with it", "[batch]") {
    const ScratchFolder folder;
    const std::string path = folder.path() / "lock";
    const Folder opened = Folder::open(folder.path()).value();
    const auto other_gets = [&](FileLock::Kind kind) {
        return code_of_process([&] {
            const auto lock = FileLock::take(opened, "lock", kind, "the other");
            return lock ? (*lock ? 1 : 0) : 2;
        });
    };
    {
        const auto mine = FileLock::take(opened, "lock", FileLock::Kind::exclusive, this_process());
        REQUIRE((mine && *mine && (*mine)->is_held()));
        CHECK(other_gets(FileLock::Kind::exclusive) == 0);
        CHECK(other_gets(FileLock::Kind::shared) == 0);
        CHECK(FileLock::owner_of(path).starts_with("process " + std::to_string(::getpid()) + " on "));
    }
    CHECK(other_gets(FileLock::Kind::exclusive) == 1);
    CHECK(FileLock::owner_of(path) == "the other");
    const auto shared = FileLock::take(opened, "lock", FileLock::Kind::shared, "me");
    REQUIRE((shared && *shared));
    CHECK(other_gets(FileLock::Kind::shared) == 1);
    CHECK(other_gets(FileLock::Kind::exclusive) == 0);
    CHECK_FALSE(FileLock::take(opened, "none/lock", FileLock::Kind::shared, ""));
}
