// SPDX-License-Identifier: MIT
// Whole runs in this process, with threads: what ThreadSanitizer looks at.
#include <filesystem>
#include <map>
#include <thread>

#include "batch/plan/plan.h"
#include "batch/run/run.h"
#include "catch.h"
#include "support.h"

using namespace animbridge;
using namespace animbridge::batch::plan;
using namespace animbridge::batch::run;
using animbridge::test::ScratchFolder;

namespace fs = std::filesystem;

namespace {

/// 60 files in folders; a tenth is damaged, and two need the same output.
void fill(const fs::path& folder) {
    for (int i = 0; i < 60; ++i) {
        const fs::path place = folder / std::to_string(i % 4);
        fs::create_directories(place);
        const char* const name = i % 10 == 0 ? "cut_in_keys.anim" : "minimal.anim";
        fs::copy_file(test::fixture_folder() / name, place / (std::to_string(i) + ".anim"));
    }
    fs::copy_file(test::fixture_folder() / "minimal.anim", folder / "1" / "1.animatn");
}

Request request_for(const fs::path& in, const fs::path& out, std::uint32_t jobs) {
    Request request;
    request.inputs = {in.string()};
    request.target = "json";
    request.out = out.string();
    request.jobs = jobs;
    request.quiet = true;
    request.version = "test";
    return request;
}

std::map<std::string, test::FileBytes> outputs_in(const fs::path& out) {
    std::map<std::string, test::FileBytes> files;
    for (const auto& entry : fs::recursive_directory_iterator(out)) {
        if (entry.path().extension() == ".json") {
            files[fs::relative(entry.path(), out).string()] = test::load(entry.path());
        }
    }
    return files;
}

}  // namespace

TEST_CASE("Any number of threads makes the same", "[batch]") {
    const ScratchFolder folder;
    fill(folder.path() / "in");
    std::map<std::string, test::FileBytes> expected;
    for (const std::uint32_t jobs : {1U, 2U, 5U, 100U}) {
        const fs::path out = folder.path() / std::to_string(jobs);
        const auto code = run(request_for(folder.path() / "in", out, jobs));
        REQUIRE(code);
        CHECK(*code == 1);
        const auto made = outputs_in(out);
        CHECK(made.size() == 54);
        expected = expected.empty() ? made : expected;
        CHECK(made == expected);
        Request again = request_for(folder.path() / "in", out, jobs);
        again.resume = true;
        CHECK(run(again) == 1);
    }
}

TEST_CASE("Shards that run at once are a single run", "[batch]") {
    const ScratchFolder folder;
    fill(folder.path() / "in");
    const fs::path out = folder.path() / "out";
    {
        std::vector<std::jthread> threads;
        for (std::uint32_t number = 1; number <= 3; ++number) {
            threads.emplace_back([&, number] {
                Request request = request_for(folder.path() / "in", out, 2);
                request.shard = {number, 3};
                (void)run(request);
            });
        }
    }
    CHECK(outputs_in(out).size() == 54);
}

TEST_CASE("A wrong request does nothing", "[batch]") {
    const ScratchFolder folder;
    test::save(folder.path() / "file", {1});
    const auto code = run(request_for(folder.path(), folder.path() / "file", 1));
    REQUIRE_FALSE(code);
    CHECK(code.error().code == ErrorCode::invalid_argument);
}

TEST_CASE("Shards are those of the published hash, and about equal", "[batch]") {
    // Computed in Python: int.from_bytes(hashlib.sha256(b"walk").digest()[:8], "big") % 1000 + 1.
    CHECK(shard_of("walk.anim", 1000) == 969);
    CHECK(shard_of("deep/er/wave.anim", 1000) == 345);
    CHECK(shard_of("a b/\u00E4/clip.7.bvh", 1000) == 484);
    CHECK(shard_of("walk.bvh", 8) == 1);
    std::map<std::uint32_t, int> counts;
    for (int i = 0; i < 8000; ++i) {
        ++counts[shard_of("take/clip_" + std::to_string(i) + ".anim", 8)];
    }
    CHECK(counts.size() == 8);
    for (const auto& [shard, count] : counts) {
        CHECK(count > 900);  // 1000 in the mean; three standard deviations are 89
        CHECK(count < 1100);
    }
}
