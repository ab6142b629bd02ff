// SPDX-License-Identifier: MIT
// Damaged viewer poses: cut at every byte and patched at every byte.
#include "catch.h"
#include "fuzz_inputs.h"
#include "sl_pose_fixtures.h"
#include "sl_pose_invariants.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

constexpr std::array<const char*, 6> damaged_poses = {"fs3_free.xml",      "fs8_free.xml", "bd1_twice.xml",
                                                      "fs8_diff_some.xml", "odd.xml",      "cdata.xml"};

void pose_must_hold(const FileBytes& bytes, std::size_t count, std::size_t every, const std::string& what) {
    try {
        check_pose_bytes(bytes, count % every == 0 ? Effort::full : Effort::quick);
    } catch (const BrokenInvariant& broken) {
        FAIL(what << ": " << broken.what());
    }
}

}  // namespace

TEST_CASE("poses cut short are refused or read whole", "[sl-pose-replay][damaged]") {
    std::size_t count = 0;
    for (const char* const file : damaged_poses) {
        const FileBytes bytes = pose_fixture(file);
        for (std::size_t size = 0; size < bytes.size(); ++size) {
            // A copy of exactly this size lets a sanitizer see a read past its end.
            const FileBytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
            pose_must_hold(cut, ++count, 29, file + (" cut to " + std::to_string(size)) + " bytes");
        }
    }
    CHECK(count > 5000);
}

TEST_CASE("patched poses break nothing", "[sl-pose-replay][damaged]") {
    std::size_t count = 0;
    for (const char* const file : damaged_poses) {
        FileBytes bytes = pose_fixture(file);
        for (std::size_t place = 0; place < bytes.size(); ++place) {
            const std::uint8_t original = bytes[place];
            for (const int patch : {0x00, 0x20, int{'<'}, int{'&'}, 0x80, original + 1, original - 1}) {
                bytes[place] = static_cast<std::uint8_t>(patch);
                pose_must_hold(bytes, ++count, 29,
                               file + (" with " + std::to_string(patch)) + " at " + std::to_string(place));
            }
            bytes[place] = original;
        }
    }
    CHECK(count > 35000);
}
