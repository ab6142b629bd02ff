// SPDX-License-Identifier: MIT
// Reading and writing files: pipes, permissions and full disks.
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "allocations.h"
#include "base/files/files.h"
#include "catch.h"
#include "support.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

const FileBytes old_bytes = {'o', 'l', 'd'};

/// Temporarily becomes a user without write access everywhere, because root has it.
class OrdinaryUser {
public:
    OrdinaryUser() : was_root_(::geteuid() == 0) { become(65534); }
    ~OrdinaryUser() { become(0); }
    OrdinaryUser(const OrdinaryUser&) = delete;
    OrdinaryUser& operator=(const OrdinaryUser&) = delete;
    OrdinaryUser(OrdinaryUser&&) = delete;
    OrdinaryUser& operator=(OrdinaryUser&&) = delete;

private:
    void become(uid_t user) const {
        if (was_root_ && ::seteuid(user) != 0) {
            std::abort();
        }
    }
    bool was_root_;
};

mode_t mode_of(const std::filesystem::path& path) {
    struct stat status {};
    REQUIRE(::stat(path.c_str(), &status) == 0);
    return status.st_mode & 07777U;
}

}  // namespace

TEST_CASE("a pipe is read to its end", "[files]") {
    const ScratchFolder scratch;
    const std::string path = (scratch.path() / "pipe").string();
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    const std::string command = "(printf abc; sleep 0.1; printf def) > '" + path + "' &";
    REQUIRE(std::system(command.c_str()) == 0);
    const auto read = read_file(path);
    REQUIRE(read.has_value());
    CHECK(*read == FileBytes{'a', 'b', 'c', 'd', 'e', 'f'});
}

TEST_CASE("of a pipe no more than the limit is in memory before it is refused", "[files]") {
    const ScratchFolder scratch;
    const std::string path = (scratch.path() / "pipe").string();
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    constexpr std::size_t most = std::size_t{40} << 20U;
    const auto fed_with = [&](std::size_t bytes) {
        const std::string count = std::to_string(bytes);
        REQUIRE(std::system(("head -c " + count + " /dev/zero > '" + path + "' &").c_str()) == 0);
        const Allocations counted;
        auto read = read_file(path, most);
        // The memory for a refused file, and for an accepted one while its parts are joined.
        CHECK(Allocations::peak_bytes() <= (read ? 2 * bytes + most / 2 : most + 100'000));
        return read;
    };
    REQUIRE(fed_with(most).has_value());
    CHECK(fed_with(most)->size() == most);
    const auto refused = fed_with(most + 1);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().message() == path + ": found more than 41943040 bytes; at most 41943040 are read");
}

TEST_CASE("permissions stay as they were", "[files]") {
    const ScratchFolder scratch;
    const auto path = scratch.path() / "f.anim";
    for (const mode_t mode : {0600U, 0640U, 0755U}) {
        save(path, old_bytes);
        REQUIRE(::chmod(path.c_str(), mode) == 0);
        REQUIRE(write_file(path.string(), FileBytes{9}).has_value());
        CHECK(mode_of(path) == mode);
        CHECK(load(path) == FileBytes{9});
    }
}

TEST_CASE("in a folder that may not be written to, the old file stays", "[files]") {
    const ScratchFolder scratch;
    const auto path = scratch.path() / "f.anim";
    save(path, old_bytes);
    REQUIRE(::chmod(scratch.path().c_str(), 0555) == 0);
    {
        const OrdinaryUser user;
        const auto written = write_file(path.string(), FileBytes{1, 2, 3});
        REQUIRE_FALSE(written.has_value());
        CHECK(written.error().code == ErrorCode::io);
        CHECK(written.error().file == path.string());
    }
    REQUIRE(::chmod(scratch.path().c_str(), 0755) == 0);
    CHECK(load(path) == old_bytes);
    CHECK(scratch.names() == std::set<std::string>{"f.anim"});
}

TEST_CASE("a disk that is full half-way leaves the old file and no litter", "[files]") {
    const ScratchFolder scratch;
    const auto path = scratch.path() / "f.anim";
    save(path, old_bytes);
    auto* const before = std::signal(SIGXFSZ, SIG_IGN);
    rlimit limit{};
    REQUIRE(::getrlimit(RLIMIT_FSIZE, &limit) == 0);
    const rlimit small{10000, limit.rlim_max};
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
    const auto written = write_file(path.string(), FileBytes(50000, 7));
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &limit) == 0);
    std::signal(SIGXFSZ, before);
    REQUIRE_FALSE(written.has_value());
    CHECK(written.error().code == ErrorCode::io);
    CHECK(load(path) == old_bytes);
    CHECK(scratch.names() == std::set<std::string>{"f.anim"});
}
