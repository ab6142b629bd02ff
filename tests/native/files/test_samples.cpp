// SPDX-License-Identifier: MIT
// Real files, if ANIMBRIDGE_SAMPLES names a folder of them.
#include <cstdlib>

#include "catch.h"
#include "formats/sl_anim/file/file.h"
#include "invariants.h"
#include "support.h"

using namespace animbridge;
using namespace animbridge::test;

TEST_CASE("real files survive every loop", "[samples]") {
    const char* const folder = std::getenv("ANIMBRIDGE_SAMPLES");
    if (folder == nullptr) {
        WARN("ANIMBRIDGE_SAMPLES is not set: real files are NOT tested");
        return;
    }
    const auto samples = std::filesystem::path(folder) / "sl_anim";
    REQUIRE(std::filesystem::is_directory(samples));
    int files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(samples)) {
        if (!entry.is_regular_file()) {
            continue;
        }
        const FileBytes bytes = load(entry.path());
        INFO(entry.path().filename());
        const bool read = bytes.size() > 4 && check_bytes(bytes, Effort::full);
        CHECK(read);
        files += read ? 1 : 0;
    }
    CHECK(files > 0);
}
