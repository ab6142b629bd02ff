// SPDX-License-Identifier: MIT
// Files written by other programs, read and written; another parser gives the expected values.
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "catch.h"
#include "formats/bvh/file/file.h"
#include "support.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

std::vector<std::filesystem::path> samples() {
    // Read before any thread can change the environment.
    // NOLINTNEXTLINE(concurrency-mt-unsafe)
    const char* const folder = std::getenv("ANIMBRIDGE_SAMPLES");
    std::vector<std::filesystem::path> files;
    if (folder == nullptr) {
        WARN("ANIMBRIDGE_SAMPLES names no folder: no sample is tried");
        return files;
    }
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(folder) / "bvh")) {
        files.push_back(entry.path());
    }
    return files;
}

/// The numbers after the frame time, as the standard library's streams read them.
std::vector<double> motion_of(const std::string& text) {
    std::istringstream words(text.substr(text.find("Frame Time:") + 11));
    words.imbue(std::locale::classic());
    std::vector<double> numbers;
    double number = 0;
    words >> number;
    while (words >> number) {
        numbers.push_back(number);
    }
    return numbers;
}

}  // namespace

TEST_CASE("samples are read as another parser reads them, and written without loss", "[bvh-samples]") {
    for (const auto& file : samples()) {
        INFO(file.string());
        const FileBytes bytes = load(file.string());
        const auto document = bvh::file::read(bytes, Reading::strict);
        REQUIRE(document.has_value());
        CHECK(document->notes.empty());
        CHECK(document->motion == motion_of({bytes.begin(), bytes.end()}));
        CHECK(document->motion.size() == document->frame_count * document->channel_count());
        const Bytes written = bvh::file::write(*document);
        const auto again = bvh::file::read(written, Reading::strict);
        REQUIRE(again.has_value());
        CHECK(*again == *document);
        CHECK(bvh::file::write(*again) == written);
    }
}
