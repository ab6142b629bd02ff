// SPDX-License-Identifier: MIT
// glTF files, cut at every byte and patched at every byte.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "catch.h"
#include "formats/scene_file/gltf/gltf.h"
#include "fuzz_inputs.h"
#include "support.h"

using namespace animbridge;

namespace {

std::vector<std::filesystem::path> small_gltf_files() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(test::fixtures_root() / "scene")) {
        const std::string extension = entry.path().extension().string();
        const bool is_gltf = extension == ".glb" || extension == ".gltf" || extension == ".vrm";
        constexpr std::uintmax_t most_bytes = 4800;
        if (is_gltf && entry.file_size() < most_bytes) {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

TEST_CASE("glTF that is cut at every byte is valid, or an error", "[scene][damaged]") {
    for (const auto& path : small_gltf_files()) {
        const test::FileBytes whole = test::load(path);
        INFO(path.filename());
        for (std::size_t size = 0; size <= whole.size(); ++size) {
            REQUIRE_NOTHROW(test::try_gltf_read(ByteView(whole).first(size)));
        }
    }
}

TEST_CASE("glTF that is patched at every byte is valid, or an error", "[scene][damaged]") {
    for (const auto& path : small_gltf_files()) {
        test::FileBytes bytes = test::load(path);
        INFO(path.filename());
        for (std::size_t at = 0; at < bytes.size(); ++at) {
            const std::uint8_t own = bytes[at];
            INFO("byte " << at);
            bytes[at] = static_cast<std::uint8_t>(own ^ (1U << (at % 8)));
            REQUIRE_NOTHROW(test::try_gltf_read(bytes));
            bytes[at] = own;
        }
    }
}

TEST_CASE("A VRM that names body parts and nodes twice keeps the first of each", "[scene]") {
    const std::string text =
        R"({"asset":{"version":"2.0"},"nodes":[{"children":[1]},{}],"scenes":[{"nodes":[0]}],
        "extensions":{"VRM":{"humanoid":{"humanBones":[{"bone":"hips","node":0},{"bone":"spine","node":1},
        {"bone":"chest","node":1},{"bone":"hips","node":1},{"bone":"hips","node":0}]}}}})";
    const auto file = scene_file::gltf::parse_gltf(view_of(text));
    REQUIRE(file);
    const auto document = scene_file::gltf::read_gltf(*file, {}, 64);
    REQUIRE(document);
    CHECK(scene_file::file::validate(*document));
    REQUIRE(document->human_bones.size() == 2);
    CHECK(document->human_bones[0].slot == "hips");
    CHECK(document->human_bones[1].slot == "spine");
    REQUIRE(document->notes.size() == 1);
    CHECK(document->notes[0].text.starts_with("The file names a body part twice"));
}
