// SPDX-License-Identifier: MIT
// Rows of ledgers, lines that are torn, and files that may grow no more.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <thread>

#include "base/file_lock.h"
#include "batch/ledger.h"
#include "batch/merge.h"
#include "catch.h"
#include "support.h"

using namespace animbridge;
using namespace animbridge::batch;
using animbridge::test::ScratchFolder;

namespace {

LedgerRow some_row(const std::string& path) {
    LedgerRow row{path, 0, "in/" + path, {1234, 1'700'000'000'123'456'789, ""}, "0123456789abcdef", "0.2.0"};
    row.status = Status::ok;
    row.outputs = {{path + ".bvh", 99, std::string(64, 'a')}, {"other", 0, std::string(64, 'b')}};
    return row;
}

std::string text_of_file(const std::string& path) {
    const auto bytes = test::load(path);
    return {bytes.begin(), bytes.end()};
}

void write_text(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

/// The exit code of what runs in a process of its own.
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

TEST_CASE("A row is the same after it was a line", "[batch]") {
    LedgerRow row = some_row("deep/w\u00E4lk \xff.anim");
    row.before = 3;
    row.error = "line\nbreak";
    for (const Status status : {Status::ok, Status::failed, Status::skipped}) {
        row.status = status;
        const std::string line = line_of(row);
        CHECK(line.find('\n') == line.size() - 1);
        const auto again = row_from_line(line);
        REQUIRE(again);
        CHECK(line_of(*again) == line);
        CHECK(again->path == row.path);
        CHECK(again->state == row.state);
        CHECK(again->key() == row.key());
    }
    row.state = {5, std::nullopt, std::string(64, 'c')};
    CHECK(row_from_line(line_of(row))->state == row.state);
}

TEST_CASE("What is no row is an error", "[batch]") {
    const std::string good = line_of(some_row("walk.anim"));
    REQUIRE(row_from_line(good));
    for (const std::string line : {"", "{}", "[]", "null", "{\"path\": 3}"}) {
        CHECK_FALSE(row_from_line(line));
    }
    for (std::size_t cut = 1; cut + 1 < good.size(); ++cut) {
        CHECK_FALSE(row_from_line(good.substr(0, good.size() - 1 - cut)));
    }
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string line = good;
        line.replace(line.find(from), from.size(), to);
        return row_from_line(line).has_value();
    };
    CHECK_FALSE(with("1234", "-1"));
    CHECK_FALSE(with("1234", "1e30"));
    CHECK_FALSE(with("\"ok\"", "\"current\""));
    CHECK_FALSE(with("\"outputs\":[", "\"outputs\":[7,"));
}

TEST_CASE("A torn last line is dropped, and rows are found again", "[batch]") {
    const ScratchFolder folder;
    const std::string path = folder.path() / "ledger.jsonl";
    const std::string first = line_of(some_row("a.anim"));
    const std::string second = line_of(some_row("b.anim"));
    for (std::size_t cut = 1; cut <= second.size(); ++cut) {
        write_text(path, first + second.substr(0, second.size() - cut));
        auto ledger = Ledger::open(path, true);
        REQUIRE(ledger);
        CHECK((*ledger)->unreadable() == 0);
        CHECK(text_of_file(path) == first);
        CHECK((*ledger)->row_of({"in/a.anim"}));
        CHECK_FALSE((*ledger)->row_of({"in/b.anim"}));
        REQUIRE((*ledger)->append(some_row("b.anim")));
        CHECK(text_of_file(path) == first + second);
    }
    LedgerRow newer = some_row("a.anim");
    newer.status = Status::failed;
    write_text(path, first + second + "\n\nno row\n" + line_of(newer));
    const auto ledger = Ledger::open(path, true);
    REQUIRE(ledger);
    CHECK((*ledger)->unreadable() == 3);
    CHECK((*ledger)->row_of({"in/a.anim"})->status == Status::failed);
}

TEST_CASE("Threads append whole lines", "[batch]") {
    const ScratchFolder folder;
    const std::string path = folder.path() / "ledger.jsonl";
    {
        auto ledger = Ledger::open(path, false);
        REQUIRE(ledger);
        std::vector<std::jthread> threads;
        for (int thread = 0; thread < 4; ++thread) {
            threads.emplace_back([&, thread] {
                for (int i = 0; i < 100; ++i) {
                    (void)(*ledger)->append(some_row(std::to_string(thread) + "-" + std::to_string(i)));
                }
            });
        }
    }
    const auto merged = merge_ledgers({path}, path);
    REQUIRE(merged);
    CHECK(merged->rows == 400);
    CHECK(merged->unreadable == 0);
    CHECK(merged->conflicts.size() == 399);  // "other" belongs to all of them
}

TEST_CASE("Half a line is taken back when there is no room for the rest", "[batch]") {
    const ScratchFolder folder;
    const std::string path = folder.path() / "ledger.jsonl";
    const std::string line = line_of(some_row("a.anim"));
    const int code = code_of_process([&] {
        ::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{line.size() * 5 / 2, line.size() * 5 / 2};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        auto ledger = Ledger::open(path, false);
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
    const auto other_gets = [&](FileLock::Kind kind) {
        return code_of_process([&] {
            const auto lock = FileLock::take(path, kind, "the other");
            return lock ? (*lock ? 1 : 0) : 2;
        });
    };
    {
        const auto mine = FileLock::take(path, FileLock::Kind::exclusive, this_process());
        REQUIRE((mine && *mine && (*mine)->is_held()));
        CHECK(other_gets(FileLock::Kind::exclusive) == 0);
        CHECK(other_gets(FileLock::Kind::shared) == 0);
        CHECK(FileLock::owner_of(path).starts_with("process " + std::to_string(::getpid()) + " on "));
    }
    CHECK(other_gets(FileLock::Kind::exclusive) == 1);
    CHECK(FileLock::owner_of(path) == "the other");
    const auto shared = FileLock::take(path, FileLock::Kind::shared, "me");
    REQUIRE((shared && *shared));
    CHECK(other_gets(FileLock::Kind::shared) == 1);
    CHECK(other_gets(FileLock::Kind::exclusive) == 0);
    CHECK_FALSE(FileLock::take(folder.path() / "none" / "lock", FileLock::Kind::shared, ""));
}
