// SPDX-License-Identifier: MIT
// What the fuzz targets of animbridge-scene begin with and what broke them, and FBX files that are damaged.
#include <filesystem>
#include <string>
#include <utility>

#include "base/base.h"
#include "catch.h"
#include "scene_child/attempts.h"
#include "scene_child/expectation.h"
#include "scene_child/read/read.h"
#include "support.h"

using namespace animbridge;

namespace {

test::FileBytes seed(const char* path) { return test::load(test::fuzz_root() / "corpus" / path); }

/// Calls `attempt` with the bytes cut and patched, about a thousand times each.
template <typename Attempt>
void damage(test::FileBytes bytes, Attempt attempt) {
    const std::size_t step = 1 + bytes.size() / 1000;
    for (std::size_t size = 0; size < bytes.size(); size += step) {
        INFO("cut to " << size);
        REQUIRE_NOTHROW(attempt(ByteView(bytes).first(size)));
    }
    for (std::size_t at = 0; at < bytes.size(); at += step) {
        const std::uint8_t own = bytes[at];
        INFO("byte " << at);
        bytes[at] = static_cast<std::uint8_t>(own ^ (1U << (at % 8)));
        REQUIRE_NOTHROW(attempt(bytes));
        bytes[at] = own;
    }
}

}  // namespace

TEST_CASE("Inputs that broke the fuzz targets of the scene program once, and their seeds", "[scene]") {
    using Try = void (*)(ByteView);
    for (const auto& [name, attempt] :
         {std::pair<const char*, Try>("dae_read", test::try_dae_read),
          {"fbx_part", test::try_fbx_part},
          {"fbx_tree", [](ByteView bytes) { (void)test::try_fbx_tree(bytes); }}}) {
        for (const char* const kind : {"regressions", "corpus"}) {
            const std::filesystem::path folder = test::fuzz_root() / kind / name;
            if (!std::filesystem::is_directory(folder)) {
                continue;
            }
            for (const auto& entry : std::filesystem::directory_iterator(folder)) {
                INFO(name << ": " << entry.path().filename());
                const test::FileBytes bytes = test::load(entry.path());
                CHECK_NOTHROW(attempt(bytes));
            }
        }
    }
}

TEST_CASE("What Assimp wrote is mended; damaged, it is mended or an error", "[scene][damaged]") {
    test::FileBytes bytes = seed("fbx_tree/two_joints.fbx");
    CHECK(test::try_fbx_tree(bytes));
    damage(bytes, [](ByteView damaged) { (void)test::try_fbx_tree(damaged); });
    // Every byte of the name.
    const std::string name("n1\0\1Model", 9);
    const auto found = text_of(bytes).find(name);
    REQUIRE(found != std::string_view::npos);
    for (std::size_t at = found; at < found + name.size(); ++at) {
        const std::uint8_t own = bytes[at];
        for (const char patch : {'\0', 'x', '9', '-'}) {
            bytes[at] = static_cast<std::uint8_t>(patch);
            CHECK_NOTHROW(test::try_fbx_tree(bytes));
        }
        bytes[at] = own;
    }
}

TEST_CASE("FBX that is damaged is valid, or an error", "[scene][damaged]") {
    for (const char* const name :
         {"fbx_part/binary.fbx", "fbx_part/part_kinds.fbx", "fbx_part/weighted.fbx"}) {
        damage(seed(name), test::try_fbx_part);
    }
}

TEST_CASE("An FBX file whose lengths claim gigabytes gets none", "[scene]") {
    if (scene_child::read::ufbx_version().empty()) {
        WARN("built without ufbx: not tested");
        return;
    }
    const test::FileBytes bytes =
        test::load(test::fuzz_root() / "regressions" / "fbx_part" / "long_array.fbx");
    const auto document = scene_child::read::read_by_ufbx(bytes);
    REQUIRE(!document.has_value());
    CHECK(document.error().code == ErrorCode::out_of_memory);
}

TEST_CASE("An FBX file that turns more often than frames can show is refused", "[scene]") {
    if (scene_child::read::ufbx_version().empty()) {
        WARN("built without ufbx: not tested");
        return;
    }
    std::string text(text_of(seed("fbx_part/long_turns.fbx")));
    const auto replace_all = [&](std::string_view from, std::string_view to) {
        REQUIRE(text.find(from) != std::string::npos);
        for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
            text.replace(at, from.size(), to);
        }
    };
    const auto read = [&] {
        const auto* const bytes = reinterpret_cast<const std::uint8_t*>(text.data());
        return scene_child::read::read_by_ufbx({bytes, text.size()});
    };
    replace_all("a: 0,540\n", "a: 0,1e13\n");  // degrees in a second
    CHECK(read().has_value());
    replace_all("46186158000", "46186158000000");
    const auto document = read();
    REQUIRE(!document.has_value());
    CHECK(document.error().code == ErrorCode::bad_value);
    CHECK(document.error().reason.find("'Wheel' turns too fast") != std::string::npos);
}
