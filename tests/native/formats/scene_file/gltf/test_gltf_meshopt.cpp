// SPDX-License-Identifier: MIT
// Buffer views that meshoptimizer's own encoder compressed (fixtures/scene/meshopt), and hostile ones.
#include <cmath>
#include <string>

#include "base/json/json.h"
#include "catch.h"
#include "formats/scene_file/gltf/parts.h"
#include "support.h"

using namespace animbridge;
using scene_file::gltf::GltfBuffers;
using scene_file::gltf::GltfFile;

namespace {

GltfFile modes() {
    const test::FileBytes bytes = test::load(test::fixtures_root() / "scene" / "meshopt" / "modes.gltf");
    GltfFile file;
    file.json = parse_json(text_of(bytes)).value();
    return file;
}

std::string error_of(const GltfFile& file, std::uint32_t accessor = 0, std::uint32_t mebibytes = 64) {
    const scene_file::file::SideFiles none("");
    scene_file::gltf::GltfRoom room(mebibytes);
    const auto numbers = GltfBuffers(file, none, room).numbers(accessor);
    return numbers ? std::string() : numbers.error().reason;
}

/// The error for the first accessor of a file with a changed description of its compression.
std::string error_with(const char* key, Json value) {
    GltfFile file = modes();
    file.json["bufferViews"][0]["extensions"]["EXT_meshopt_compression"][key] = std::move(value);
    return error_of(file);
}

}  // namespace

TEST_CASE("Each mode and filter gives the numbers that were compressed", "[scene]") {
    const GltfFile file = modes();
    const scene_file::file::SideFiles none("");
    scene_file::gltf::GltfRoom room(64);
    GltfBuffers buffers(file, none, room);
    std::uint32_t index = 0;
    for (const Json& accessor : file.json["accessors"]) {
        INFO(accessor["name"].get<std::string>());
        const auto found = buffers.numbers(index++);
        REQUIRE(found.has_value());
        const auto extras = accessor["extras"];
        const auto expected = file.json["extras"][extras["values"].get<std::string>()];
        const auto within = extras["within"].get<double>();
        REQUIRE(found->values.size() == expected.size());
        for (std::size_t i = 0; i < found->values.size(); ++i) {
            INFO("number " << i);
            CHECK(std::abs(found->values[i] - expected[i].get<double>()) <= within);
        }
    }
    CHECK(index == 17);
}

TEST_CASE("What the specification of compressed views rules out is an error", "[scene]") {
    const std::string kind = "compression is of a kind that is not read";
    CHECK(error_with("mode", "SOMETHING").find(kind) != std::string::npos);
    CHECK(error_with("mode", 1).find(kind) != std::string::npos);
    CHECK(error_with("filter", "SOMETHING").find(kind) != std::string::npos);
    CHECK(error_with("filter", "QUATERNION").find(kind) != std::string::npos);
    CHECK(error_with("filter", "OCTAHEDRAL").find(kind) != std::string::npos);
    CHECK(error_with("filter", "COLOR").find(kind) != std::string::npos);
    CHECK(error_with("mode", "TRIANGLES").find(kind) != std::string::npos);
    CHECK(error_with("mode", "INDICES").find(kind) != std::string::npos);
    CHECK(error_with("byteLength", 200U).find("compressed data is damaged") != std::string::npos);
    const std::string out = "leads out of its data";
    CHECK(error_with("byteLength", 1U << 20U).find(out) != std::string::npos);
    CHECK(error_with("byteStride", 0U).find(out) != std::string::npos);
    CHECK(error_with("byteStride", 4U).find(out) != std::string::npos);
    CHECK(error_with("byteStride", "12").find(out) != std::string::npos);
    CHECK(error_with("count", 21U).find(out) != std::string::npos);
    CHECK(error_with("count", 18446744073709551615U).find(out) != std::string::npos);
    CHECK(error_with("buffer", nullptr).find("has no buffer view") != std::string::npos);
    // The fallback has no data in the file.
    CHECK(error_with("buffer", 1U).find("buffer 1 is not in the file") != std::string::npos);
}

TEST_CASE("Decompressed data counts against the limit on memory", "[scene]") {
    GltfFile file = modes();
    CHECK(error_of(file, 0, 0).find("more than the 0 MiB") != std::string::npos);
    // A few bytes that claim gigabytes get none.
    Json& view = file.json["bufferViews"][0];
    view["byteLength"] = 1ULL << 40U;
    Json& packing = view["extensions"]["EXT_meshopt_compression"];
    packing["byteStride"] = 256;
    packing["count"] = 1ULL << 32U;
    CHECK(error_of(file, 0, 4U << 20U).find("leads out of its data") != std::string::npos);
}
