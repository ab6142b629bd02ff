// SPDX-License-Identifier: MIT
// Damaged OBAN files: cut at every byte and patched at every byte.
#include "catch.h"
#include "fuzz_inputs.h"
#include "oban_fixtures.h"
#include "oban_invariants.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

struct ObanSample {
    std::string name;
    FileBytes bytes;
};

/// Every small fixture.
std::vector<ObanSample> damaged_obans() {
    std::vector<ObanSample> samples;
    for (const Json& row : oban_rows()) {
        const auto file = row["file"].get<std::string>();
        FileBytes bytes = oban_fixture(file);
        if (bytes.size() < 4096) {
            samples.push_back({file, std::move(bytes)});
        }
    }
    return samples;
}

}  // namespace

TEST_CASE("every OBAN fixture keeps the invariants", "[oban-replay]") {
    std::size_t read = 0;
    for (const Json& row : oban_rows()) {
        const auto file = row["file"].get<std::string>();
        INFO(file);
        bool was_read = false;
        CHECK_NOTHROW(was_read = check_oban_bytes(oban_fixture(file), Effort::full));
        CHECK(was_read == (row["read"] == "ok"));
        read += was_read ? 1 : 0;
    }
    CHECK(read > 80);
}

TEST_CASE("OBAN files cut short are refused or read whole", "[oban-replay][damaged]") {
    std::size_t count = 0;
    for (const ObanSample& sample : damaged_obans()) {
        for (std::size_t size = 0; size < sample.bytes.size(); ++size) {
            // A copy of exactly this size lets a sanitizer see a read past its end.
            const FileBytes cut(sample.bytes.begin(),
                                sample.bytes.begin() + static_cast<std::ptrdiff_t>(size));
            try {
                check_oban_bytes(cut, ++count % 29 == 0 ? Effort::full : Effort::quick);
            } catch (const BrokenInvariant& broken) {
                FAIL(sample.name << " cut to " << size << " bytes: " << broken.what());
            }
        }
    }
    CHECK(count > 20000);
}

TEST_CASE("patched OBAN files break nothing", "[oban-replay][damaged]") {
    std::size_t count = 0;
    for (const ObanSample& sample : damaged_obans()) {
        FileBytes bytes = sample.bytes;
        for (std::size_t place = 0; place < bytes.size(); ++place) {
            const std::uint8_t original = bytes[place];
            for (const int patch : {0x00, 0x7f, 0x80, 0xff, original + 1, original - 1, int{'<'}, int{'9'}}) {
                bytes[place] = static_cast<std::uint8_t>(patch);
                try {
                    check_oban_bytes(bytes, ++count % 263 == 0 ? Effort::full : Effort::quick);
                } catch (const BrokenInvariant& broken) {
                    FAIL(sample.name << " with " << patch << " at " << place << ": " << broken.what());
                }
            }
            bytes[place] = original;
        }
    }
    CHECK(count > 200000);
}
