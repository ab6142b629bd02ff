// SPDX-License-Identifier: MIT
// Accessors against numbers that were worked out by hand from the specification of glTF 2.0, section 3.6.2.
#include <cstdint>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "catch.h"
#include "formats/scene_file/gltf/parts.h"
#include "support.h"

using namespace animbridge;
using scene_file::file::SideFiles;
using scene_file::gltf::GltfBuffers;
using scene_file::gltf::GltfFile;

namespace {

using Numbers = std::vector<double>;

/// One accessor on one view of 16 bytes.
GltfFile with_accessor(const char* accessor, ByteView chunk) {
    GltfFile file;
    file.json = parse_json(R"({"buffers": [{"byteLength": 16}],
        "bufferViews": [{"buffer": 0, "byteLength": 16}, {"buffer": 0, "byteLength": 16, "byteStride": 8}]})")
                    .value();
    file.json["accessors"] = Json::array({parse_json(accessor).value()});
    file.chunk = chunk;
    return file;
}

Result<Numbers> numbers_of(const GltfFile& file) {
    const SideFiles none("");
    scene_file::gltf::GltfRoom room(64);
    GltfBuffers buffers(file, none, room);
    return buffers.numbers(0).map([](const scene_file::gltf::GltfNumbers& found) { return found.values; });
}

// As shorts: 32767, -32767, -32768, 0; 16384, -1, 1, 2.
const Bytes shorts = {0xFF, 0x7F, 0x01, 0x80, 0x00, 0x80, 0x00, 0x00,
                      0x00, 0x40, 0xFF, 0xFF, 0x01, 0x00, 0x02, 0x00};

}  // namespace

TEST_CASE("Normalised integers are divided, others are not", "[scene]") {
    const GltfFile file = with_accessor(
        R"({"bufferView": 0, "componentType": 5122, "normalized": true, "type": "VEC4", "count": 2})",
        shorts);
    CHECK(numbers_of(file).value() ==
          Numbers{1, -1, -1, 0, 16384.0 / 32767, -1.0 / 32767, 1.0 / 32767, 2.0 / 32767});
    const GltfFile plain =
        with_accessor(R"({"bufferView": 0, "componentType": 5121, "type": "SCALAR", "count": 4})", shorts);
    CHECK(numbers_of(plain).value() == Numbers{255, 127, 1, 128});
    const GltfFile bytes = with_accessor(
        R"({"bufferView": 0, "componentType": 5120, "normalized": true, "type": "SCALAR", "count": 4})",
        shorts);
    CHECK(numbers_of(bytes).value() == Numbers{-1.0 / 127, 1, 1.0 / 127, -1});
}

TEST_CASE("Rows may be further apart than they are long", "[scene]") {
    const GltfFile file = with_accessor(
        R"({"bufferView": 1, "byteOffset": 2, "componentType": 5122, "type": "SCALAR", "count": 2})", shorts);
    CHECK(numbers_of(file).value() == Numbers{-32767, -1});
}

TEST_CASE("Sparse values replace others, and zeros where there are none", "[scene]") {
    // Rows 1 and 2 become the shorts at byte 8 and 10.
    const std::string sparse =
        R"("sparse": {"count": 2, "indices": {"bufferView": 0, "byteOffset": 12, "componentType": 5121},
                      "values": {"bufferView": 0, "byteOffset": 8}})";
    const GltfFile zeros = with_accessor(
        (R"({"componentType": 5122, "type": "SCALAR", "count": 3, )" + sparse + "}").c_str(), shorts);
    // The indices are 1 and 0: the bytes of the last shorts.
    CHECK(numbers_of(zeros).value() == Numbers{-1, 16384, 0});
    const GltfFile others = with_accessor(
        (R"({"bufferView": 0, "componentType": 5122, "type": "SCALAR", "count": 3, )" + sparse + "}").c_str(),
        shorts);
    CHECK(numbers_of(others).value() == Numbers{-1, 16384, -32768});
    const GltfFile outside = with_accessor(
        (R"({"componentType": 5122, "type": "SCALAR", "count": 1, )" + sparse + "}").c_str(), shorts);
    CHECK(numbers_of(outside).error().reason.find("replaces a row") != std::string::npos);
}

TEST_CASE("An accessor that leads out of its data is an error", "[scene]") {
    const auto [count, offset] = GENERATE(table<std::uint64_t, std::uint64_t>(
        {{3, 0}, {2, 1}, {1, 17}, {UINT64_MAX / 8 + 2, 0}, {1, UINT64_MAX - 3}, {UINT64_MAX, 8}}));
    INFO(count << " rows at " << offset);
    GltfFile file = with_accessor(R"({"bufferView": 0, "componentType": 5122, "type": "VEC4"})", shorts);
    file.json["accessors"][0]["count"] = count;
    SECTION("of the view") { file.json["bufferViews"][0]["byteOffset"] = offset; }
    SECTION("of the accessor") { file.json["accessors"][0]["byteOffset"] = offset; }
    const auto found = numbers_of(file);
    REQUIRE(!found.has_value());
    CHECK(found.error().code == ErrorCode::bad_value);
}

TEST_CASE("What an accessor may not be is an error", "[scene]") {
    const char* const accessor =
        GENERATE(R"({"bufferView": 0, "componentType": 5124, "type": "SCALAR", "count": 1})",
                 R"({"bufferView": 0, "componentType": 5126, "type": "MAT9", "count": 1})",
                 R"({"bufferView": 9, "componentType": 5126, "type": "SCALAR", "count": 1})",
                 R"({"bufferView": 0, "componentType": 5126, "type": "SCALAR", "count": -1})",
                 R"({"componentType": 5126, "type": "SCALAR", "count": 99999999999})", R"([])");
    INFO(accessor);
    CHECK(!numbers_of(with_accessor(accessor, shorts)).has_value());
}

TEST_CASE("Many channels of the same numbers do not fill the memory", "[scene]") {
    const GltfFile file =
        with_accessor(R"({"componentType": 5126, "type": "SCALAR", "count": 1048576})", shorts);
    const SideFiles none("");
    scene_file::gltf::GltfRoom room(64);  // eight times these numbers
    GltfBuffers buffers(file, none, room);
    for (int i = 0; i < 8; ++i) {
        CHECK(buffers.numbers(0).has_value());
    }
    CHECK(buffers.numbers(0).error().reason.find("64 MiB") != std::string::npos);
}

TEST_CASE("A side file is one of its folder, whatever bytes its name has", "[scene]") {
    const test::ScratchFolder scratch;
    test::save(scratch.path() / "data.bin", {1, 2, 3});
    const SideFiles files(scratch.path().string());
    CHECK(files.read("data.bin") == Bytes{1, 2, 3});
    CHECK(files.size_of("./data.bin") == 3);
    for (const std::string_view name : {"\xff.bin", "", ".", "..", "none.bin", "../data.bin"}) {
        CHECK_FALSE(files.read(name).has_value());
    }
    CHECK_FALSE(SideFiles("").read("data.bin").has_value());
}

TEST_CASE("Data in URIs", "[scene]") {
    // RFC 4648, section 10.
    for (const auto& [text, bytes] : {std::pair<std::string, std::string>{"", ""},
                                      {"Zg==", "f"},
                                      {"Zm8=", "fo"},
                                      {"Zm9v", "foo"},
                                      {"Zm9vYg==", "foob"},
                                      {"Zm9vYmE=", "fooba"},
                                      {"Zm9vYmFy", "foobar"}}) {
        const auto found =
            scene_file::gltf::bytes_of_data_uri("data:application/octet-stream;base64," + text).value();
        CHECK(std::string(found.begin(), found.end()) == bytes);
    }
    CHECK(scene_file::gltf::bytes_of_data_uri("data:;base64,_-+/").value() == Bytes{0xFF, 0xEF, 0xBF});
    CHECK(!scene_file::gltf::bytes_of_data_uri("data:;base64,Zm9*"));
    CHECK(!scene_file::gltf::bytes_of_data_uri("data:text/plain,foo"));
    CHECK(scene_file::gltf::percent_decoded("a%20b%2fc%zz%4") == "a b/c%zz%4");
}
