// SPDX-License-Identifier: MIT
// Damaged MRTK recordings: cut at every byte and patched at every byte.
#include "catch.h"
#include "fuzz_inputs.h"
#include "mrtk_fixtures.h"
#include "mrtk_invariants.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

struct MrtkSample {
    std::string name;
    FileBytes bytes;
};

/// The fixtures with sections omitted, which are small, and one of each layout.
std::vector<MrtkSample> damaged_recordings() {
    std::vector<MrtkSample> samples;
    for (const char* const file :
         {"flags_camera.bin", "flags_camera_gaze.bin", "flags_gaze.bin", "flags_none.bin"}) {
        samples.push_back({file, mrtk_fixture(file)});
    }
    return samples;
}

/// Larger files are damaged only at some of their bytes.
std::vector<MrtkSample> larger_recordings() {
    std::vector<MrtkSample> samples;
    for (const char* const file :
         {"markers.bin", "weights.bin", "wide_keys_no_markers.bin", "empty_v10.bin"}) {
        samples.push_back({file, mrtk_fixture(file)});
    }
    return samples;
}

constexpr std::size_t stride = 3;

void must_hold(const FileBytes& bytes, std::size_t count, std::size_t every, const std::string& what) {
    try {
        check_mrtk_bytes(bytes, count % every == 0 ? Effort::full : Effort::quick);
    } catch (const BrokenInvariant& broken) {
        FAIL(what << ": " << broken.what());
    }
}

std::size_t cut_everywhere(const MrtkSample& sample, std::size_t step) {
    std::size_t count = 0;
    for (std::size_t size = 0; size < sample.bytes.size(); size += step) {
        // A copy of exactly this size lets a sanitizer see a read past its end.
        const FileBytes cut(sample.bytes.begin(), sample.bytes.begin() + static_cast<std::ptrdiff_t>(size));
        must_hold(cut, ++count, 29, sample.name + " cut to " + std::to_string(size) + " bytes");
    }
    return count;
}

std::size_t patch_everywhere(const MrtkSample& sample, std::size_t step) {
    std::size_t count = 0;
    FileBytes bytes = sample.bytes;
    for (std::size_t place = 0; place < bytes.size(); place += step) {
        const std::uint8_t original = bytes[place];
        for (const int patch : {0x00, 0x7f, 0x80, 0xff, original + 1, original - 1}) {
            bytes[place] = static_cast<std::uint8_t>(patch);
            must_hold(bytes, ++count, 263,
                      sample.name + " with " + std::to_string(patch) + " at " + std::to_string(place));
        }
        bytes[place] = original;
    }
    return count;
}

}  // namespace

TEST_CASE("every MRTK fixture keeps the invariants", "[mrtk-replay]") {
    std::size_t read = 0;
    for (const Json& row : mrtk_rows()) {
        const auto file = row["file"].get<std::string>();
        INFO(file);
        bool was_read = false;
        CHECK_NOTHROW(was_read = check_mrtk_bytes(mrtk_fixture(file), Effort::full));
        CHECK(was_read == (row["lenient"] == "ok"));
        read += was_read ? 1 : 0;
    }
    CHECK(read > 70);
}

TEST_CASE("MRTK recordings cut short are refused or read whole", "[mrtk-replay][damaged]") {
    std::size_t count = 0;
    for (const MrtkSample& sample : damaged_recordings()) {
        count += cut_everywhere(sample, 1);
    }
    for (const MrtkSample& sample : larger_recordings()) {
        count += cut_everywhere(sample, stride);
    }
    CHECK(count > 5000);
}

TEST_CASE("patched MRTK recordings break nothing", "[mrtk-replay][damaged]") {
    std::size_t count = 0;
    for (const MrtkSample& sample : damaged_recordings()) {
        count += patch_everywhere(sample, 1);
    }
    for (const MrtkSample& sample : larger_recordings()) {
        count += patch_everywhere(sample, stride);
    }
    CHECK(count > 40000);
}
