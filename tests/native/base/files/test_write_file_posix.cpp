// SPDX-License-Identifier: MIT
// Writing files: permissions, links, pipes and devices, and what is left if the process ends.
#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <thread>

#include "base/files/files.h"
#include "base/posix/posix.h"
#include "catch.h"
#include "support.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

constexpr std::array<NewFile, 2> both_ways = {NewFile::unnamed_where_possible, NewFile::named};

const FileBytes first_bytes = {'o', 'l', 'd'};
const FileBytes new_bytes = {'n', 'e', 'w', '!'};

class Umask {
public:
    explicit Umask(mode_t mask) : before_(::umask(mask)) {}
    ~Umask() { ::umask(before_); }
    Umask(const Umask&) = delete;
    Umask& operator=(const Umask&) = delete;
    Umask(Umask&&) = delete;
    Umask& operator=(Umask&&) = delete;

private:
    mode_t before_;
};

mode_t permissions_of(const std::filesystem::path& path) {
    struct stat status {};
    REQUIRE(::stat(path.c_str(), &status) == 0);
    return status.st_mode & 07777U;
}

bool knows_unnamed_files(const std::filesystem::path& folder) {
    return Descriptor(::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600)).is_open();
}

/// Runs `work` in a child process. Returns its wait status.
int status_of_process(const std::function<void()>& work) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        work();
        ::_exit(0);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    return status;
}

/// Reads at most `most` bytes from a FIFO in a thread.
class PipeReader {
public:
    PipeReader(const std::filesystem::path& path, std::size_t most)
        : thread_([this, path, most] {
              const Descriptor pipe(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
              std::array<std::uint8_t, 4096> part{};
              while (bytes_.size() < most) {
                  const ssize_t got = ::read(pipe.get(), part.data(), std::min(part.size(), most));
                  if (got <= 0) {
                      break;
                  }
                  bytes_.insert(bytes_.end(), part.begin(), part.begin() + got);
              }
          }) {}
    FileBytes bytes() {
        thread_.join();
        return bytes_;
    }

private:
    FileBytes bytes_;
    std::thread thread_;
};

}  // namespace

TEST_CASE("a new file has the permissions that the umask leaves", "[files]") {
    const ScratchFolder scratch;
    for (const NewFile way : both_ways) {
        for (const mode_t mask : {0022U, 0077U, 0027U, 0000U, 0002U, 0777U}) {
            const auto path = scratch.path() / (std::to_string(static_cast<int>(way)) + std::to_string(mask));
            const Umask set(mask);
            REQUIRE(write_file(path.string(), new_bytes, way).has_value());
            CHECK(permissions_of(path) == (0666U & ~mask));
        }
    }
}

TEST_CASE("a replaced file keeps its permissions under every umask", "[files]") {
    const ScratchFolder scratch;
    const auto path = scratch.path() / "f";
    for (const NewFile way : both_ways) {
        for (const mode_t mask : {0022U, 0077U, 0000U}) {
            for (const mode_t mode : {0600U, 0640U, 0666U, 0755U, 0444U}) {
                save(path, first_bytes);
                REQUIRE(::chmod(path.c_str(), mode) == 0);
                const Umask set(mask);
                REQUIRE(write_file(path.string(), new_bytes, way).has_value());
                CHECK(permissions_of(path) == mode);
                CHECK(load(path) == new_bytes);
                std::filesystem::remove(path);
            }
        }
    }
}

TEST_CASE("a symbolic link stays, and what it leads to is written", "[files]") {
    const NewFile way = GENERATE(NewFile::unnamed_where_possible, NewFile::named);
    const ScratchFolder scratch;
    const auto folder = scratch.path() / "far" / "away";
    std::filesystem::create_directories(folder);
    save(folder / "there", first_bytes);
    std::filesystem::create_symlink("away/there", scratch.path() / "far" / "second");
    std::filesystem::create_symlink("far/second", scratch.path() / "to_file");
    std::filesystem::create_symlink(folder / "not_yet", scratch.path() / "dangling");
    for (const auto& [link, target] : {std::pair("to_file", "there"), std::pair("dangling", "not_yet")}) {
        REQUIRE(write_file((scratch.path() / link).string(), new_bytes, way).has_value());
        CHECK(std::filesystem::is_symlink(scratch.path() / link));
        CHECK(load(folder / target) == new_bytes);
    }
    CHECK(std::filesystem::is_symlink(scratch.path() / "far" / "second"));
    CHECK(scratch.names() == std::set<std::string>{"far", "to_file", "dangling"});
}

TEST_CASE("links that lead nowhere or to a folder are errors", "[files]") {
    const ScratchFolder scratch;
    std::filesystem::create_directory(scratch.path() / "folder");
    std::filesystem::create_symlink("folder", scratch.path() / "to_folder");
    std::filesystem::create_symlink("loop", scratch.path() / "loop");
    std::filesystem::create_symlink("missing/f", scratch.path() / "too_far");
    const auto before = scratch.names();
    for (const auto& [name, words] :
         {std::pair("to_folder", "Is a directory"), std::pair("folder/", "Is a directory"),
          std::pair("new/", "Is a directory"), std::pair("loop", "symbolic links"),
          std::pair("too_far", "cannot open its folder: No such file or directory")}) {
        const std::string path = (scratch.path() / name).string();
        const auto written = write_file(path, new_bytes);
        REQUIRE_FALSE(written.has_value());
        CHECK(written.error().code == ErrorCode::io);
        CHECK(written.error().file == path);
        CHECK_THAT(written.error().reason, ContainsSubstring(words));
    }
    CHECK(scratch.names() == before);
    CHECK(std::filesystem::is_empty(scratch.path() / "folder"));
}

TEST_CASE("a name as long as names may be is written", "[files]") {
    const NewFile way = GENERATE(NewFile::unnamed_where_possible, NewFile::named);
    const ScratchFolder scratch;
    const std::string longest(255, 'n');
    for (const FileBytes& bytes : {first_bytes, new_bytes}) {
        REQUIRE(write_file((scratch.path() / longest).string(), bytes, way).has_value());
        CHECK(load(scratch.path() / longest) == bytes);
    }
    CHECK_FALSE(write_file((scratch.path() / (longest + "n")).string(), new_bytes, way).has_value());
    CHECK(scratch.names() == std::set<std::string>{longest});
}

TEST_CASE("pipes and devices are written into", "[files]") {
    const ScratchFolder scratch;
    const auto pipe = scratch.path() / "pipe";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    const FileBytes large(300'000, 7);
    PipeReader reader(pipe, 1'000'000);
    REQUIRE(write_file(pipe.string(), large).has_value());
    CHECK(reader.bytes() == large);
    CHECK(std::filesystem::is_fifo(pipe));

    REQUIRE(write_file("/dev/null", large).has_value());
    CHECK(std::filesystem::is_character_file("/dev/null"));
    const auto full = write_file("/dev/full", large);
    REQUIRE_FALSE(full.has_value());
    CHECK(full.error().message() == "/dev/full: cannot write: No space left on device");
    CHECK(std::filesystem::is_character_file("/dev/full"));
}

TEST_CASE("a reader that goes away is an error, not the end of the process", "[files]") {
    const ScratchFolder scratch;
    const auto pipe = scratch.path() / "pipe";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    PipeReader reader(pipe, 1);
    const auto written = write_file(pipe.string(), FileBytes(1'000'000, 7));
    CHECK(reader.bytes().size() == 1);
    REQUIRE_FALSE(written.has_value());
    CHECK(written.error().code == ErrorCode::io);
    CHECK_THAT(written.error().reason, ContainsSubstring("Broken pipe"));
}

TEST_CASE("an open file that has lost its name is written into", "[files]") {
    const ScratchFolder scratch;
    const auto path = scratch.path() / "gone";
    const Descriptor open(::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600));
    REQUIRE(::write(open.get(), "something longer", 16) == 16);
    std::filesystem::remove(path);
    REQUIRE(write_file("/proc/self/fd/" + std::to_string(open.get()), new_bytes).has_value());
    std::array<std::uint8_t, 32> found{};
    REQUIRE(::pread(open.get(), found.data(), found.size(), 0) == 4);
    CHECK(FileBytes(found.begin(), found.begin() + 4) == new_bytes);
    CHECK(scratch.names().empty());
}

TEST_CASE("a process that ends half-way leaves nothing but the old file", "[files]") {
    const ScratchFolder scratch;
    if (!knows_unnamed_files(scratch.path())) {
        WARN("skipped: this file system knows no unnamed files");
        return;
    }
    const auto path = scratch.path() / "f";
    for (const bool is_there : {false, true}) {
        if (is_there) {
            save(path, first_bytes);
        }
        // The kernel ends the process at the limit: SIGXFSZ is as sudden as SIGKILL.
        const int status = status_of_process([&] {
            const rlimit no_dump{0, 0};
            const rlimit small{10'000, 10'000};
            ::setrlimit(RLIMIT_CORE, &no_dump);
            ::setrlimit(RLIMIT_FSIZE, &small);
            std::signal(SIGXFSZ, SIG_DFL);
            (void)write_file(path.string(), FileBytes(50'000, 7));
        });
        REQUIRE(WIFSIGNALED(status));
        CHECK(WTERMSIG(status) == SIGXFSZ);
        CHECK(scratch.names() == (is_there ? std::set<std::string>{"f"} : std::set<std::string>()));
    }
    CHECK(load(path) == first_bytes);
}

TEST_CASE("a process that is asked to end removes its named file first", "[files]") {
    const ScratchFolder scratch;
    const auto path = scratch.path() / "f";
    save(path, first_bytes);
    const Descriptor watch(::inotify_init1(IN_CLOEXEC));
    REQUIRE(::inotify_add_watch(watch.get(), scratch.path().c_str(), IN_CREATE) >= 0);
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        std::signal(SIGTERM, SIG_DFL);  // Catch has a handler
        const FileBytes large(std::size_t{64} << 20U, 7);
        while (write_file(path.string(), large, NewFile::named)) {
        }
        ::_exit(1);
    }
    // The named file exists, so the process is writing it now.
    std::array<char, 4096> event{};
    REQUIRE(::read(watch.get(), event.data(), event.size()) > 0);
    REQUIRE(::kill(child, SIGTERM) == 0);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == SIGTERM);
    CHECK(scratch.names() == std::set<std::string>{"f"});
}
