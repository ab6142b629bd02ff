// SPDX-License-Identifier: MIT
// Damaged BVH files: cut at every byte and patched at every byte.
#include <filesystem>

#include "bvh_invariants.h"
#include "bvh_texts.h"
#include "catch.h"
#include "support.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

struct Sample {
    std::string name;
    FileBytes bytes;
};

/// Every small fixture, and a text with most of what lenient reading accepts.
std::vector<Sample> replayed_inputs() {
    constexpr std::string_view tolerated =
        "hierarchy\nROOT a b\n{\nEndSite{}\nCHANNELS 2 Xrotation\nOFFSET 1 2 3\nOFFSET 1,5 2 3\n}}\nMOTION\n"
        "Frames : 9\nFrameTime: 0,1\n1,5 2e1 -3\n# end";
    std::vector<Sample> files = {{"plain", {plain_bvh.begin(), plain_bvh.end()}},
                                 {"tolerated", {tolerated.begin(), tolerated.end()}}};
    for (const char* const kind : {"dialects", "hostile"}) {
        const auto folder = fixture_folder().parent_path() / "bvh" / kind;
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            if (entry.path().extension() == ".bvh" && entry.file_size() < 4096) {
                files.push_back({entry.path().filename().string(), load(entry.path())});
            }
        }
    }
    return files;
}

}  // namespace

TEST_CASE("every BVH fixture keeps the invariants", "[bvh-replay]") {
    const auto files = replayed_inputs();
    CHECK(files.size() > 100);
    for (const Sample& file : files) {
        INFO(file.name);
        CHECK_NOTHROW(check_bvh_bytes(file.bytes, Effort::full));
    }
}

TEST_CASE("BVH files cut short are refused or read whole", "[bvh-replay][damaged]") {
    const auto files = replayed_inputs();
    std::size_t count = 0;
    for (const auto& [name, bytes] : files) {
        for (std::size_t size = 0; size < bytes.size(); ++size) {
            // A copy of exactly this size lets a sanitizer see a read past its end.
            const FileBytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
            try {
                check_bvh_bytes(cut, ++count % 29 == 0 ? Effort::full : Effort::quick);
            } catch (const BrokenInvariant& broken) {
                FAIL(name << " cut to " << size << " bytes: " << broken.what());
            }
        }
    }
    CHECK(count > 10000);
}

TEST_CASE("patched BVH files break nothing", "[bvh-replay][damaged]") {
    const auto files = replayed_inputs();
    std::size_t count = 0;
    for (const Sample& file : files) {
        FileBytes bytes = file.bytes;
        for (std::size_t place = 0; place < bytes.size(); ++place) {
            const std::uint8_t original = bytes[place];
            for (const int patch : {0x00, 0xff, original + 1, int{' '}, int{'{'}}) {
                bytes[place] = static_cast<std::uint8_t>(patch);
                try {
                    check_bvh_bytes(bytes, ++count % 79 == 0 ? Effort::full : Effort::quick);
                } catch (const BrokenInvariant& broken) {
                    FAIL(file.name << " with " << patch << " at " << place << ": " << broken.what());
                }
            }
            bytes[place] = original;
        }
    }
    CHECK(count > 100000);
}
