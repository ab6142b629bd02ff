// SPDX-License-Identifier: MIT
#include <array>
#include <cstring>
#include <random>
#include <string>

#include "catch.h"
#include "formats/scene/wire.h"
#include "scene_child/collada_xml.h"
#include "scene_child/expectation.h"
#include "scene_child/fbx_read.h"
#include "scene_child/gltf_integers.h"
#include "scene_child/gltf_json.h"
#include "scene_child/read.h"
#include "support.h"

using namespace animbridge;

// Assimp itself is left out: it crashes, which is why it has a process of its own (child_test.py).

namespace {

/// One to four changed bytes, or a shorter file.
test::FileBytes damaged(test::FileBytes bytes, std::mt19937& random) {
    if (random() % 4 == 0) {
        bytes.resize(random() % bytes.size());
        return bytes;
    }
    for (std::size_t i = 1 + random() % 4; i > 0; --i) {
        bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
    }
    return bytes;
}

constexpr int variants = 400;

}  // namespace

TEST_CASE("What ufbx makes of damaged files is valid, or an error", "[scene]") {
    if (scene_child::ufbx_version().empty()) {
        WARN("built without ufbx: not tested");
        return;
    }
    std::mt19937 random(1);
    int read = 0;
    for (const char* file :
         {"kinds_of_keys.fbx", "pivots.fbx", "camera.fbx", "several_animations.fbx", "version_7500.fbx"}) {
        const test::FileBytes whole = test::load(test::scene_folder() / file);
        for (int i = 0; i < variants; ++i) {
            const test::FileBytes bytes = damaged(whole, random);
            const auto document = scene_child::read_scene({bytes, "fbx", file});
            INFO(file << ", variant " << i);
            if (document) {
                ++read;
                const auto valid = scene::validate(*document);
                REQUIRE((valid ? std::string() : valid.error().message()).empty());
            } else {
                REQUIRE(!document.error().reason.empty());
            }
        }
    }
    CHECK(read > 0);
}

TEST_CASE("Damaged glTF is taken apart without a fault", "[scene]") {
    std::mt19937 random(2);
    int taken = 0;
    for (const char* file : {"shorts.glb", "cubic.glb", "vrm1.vrm", "embedded.gltf"}) {
        const test::FileBytes whole = test::load(test::scene_folder() / file);
        for (int i = 0; i < variants; ++i) {
            const auto json = scene_child::GltfJson::parse(damaged(whole, random));
            if (!json || json->is_first_version()) {
                continue;
            }
            ++taken;
            static_cast<void>(json->numbered());
            static_cast<void>(json->animations());
            static_cast<void>(json->human_bones());
            for (std::uint32_t node = 0; node < json->node_count(); ++node) {
                static_cast<void>(json->placement_of(node));
                static_cast<void>(json->camera_of(node));
            }
        }
    }
    CHECK(taken > 100);
}

namespace {

/// One animation whose rotations are `count` rows of four shorts, at the byte `offset` of the chunk.
nlohmann::json with_shorts(std::uint64_t count, std::uint64_t offset) {
    nlohmann::json json = nlohmann::json::parse(R"({
        "buffers": [{"byteLength": 16}],
        "bufferViews": [{"buffer": 0, "byteLength": 16}],
        "accessors": [{"bufferView": 0, "componentType": 5122, "normalized": true, "type": "VEC4"}],
        "animations": [{"samplers": [{"input": 0, "output": 0}]}]})");
    json["accessors"][0]["count"] = count;
    json["bufferViews"][0]["byteOffset"] = offset;
    return json;
}

}  // namespace

TEST_CASE("Normalised integers become the floats that glTF says", "[scene]") {
    // 32767, -32767, -32768, 0; 16384, -1, 1, 2
    Bytes chunk = {0xFF, 0x7F, 0x01, 0x80, 0x00, 0x80, 0x00, 0x00,
                   0x00, 0x40, 0xFF, 0xFF, 0x01, 0x00, 0x02, 0x00};
    nlohmann::json json = with_shorts(2, 0);
    REQUIRE(scene_child::widen_integers(json, chunk).has_value());
    CHECK(json["accessors"][0]["componentType"] == 5126);
    const auto& view = json["bufferViews"][json["accessors"][0]["bufferView"].get<std::size_t>()];
    REQUIRE(view["byteLength"] == 32);
    REQUIRE(json["buffers"][0]["byteLength"] == chunk.size());
    std::array<float, 8> floats{};
    std::memcpy(floats.data(), chunk.data() + view["byteOffset"].get<std::size_t>(), sizeof floats);
    const std::array<float, 8> expected = {
        1, -1, -1, 0, 16384.0F / 32767, -1.0F / 32767, 1.0F / 32767, 2.0F / 32767};
    CHECK(floats == expected);
}

TEST_CASE("Integer keys that lead out of a GLB are errors", "[scene]") {
    const auto [count, offset] = GENERATE(table<std::uint64_t, std::uint64_t>(
        {{3, 0}, {2, 1}, {1, 17}, {UINT64_MAX / 8 + 2, 0}, {1, UINT64_MAX - 3}}));
    Bytes chunk(16);
    nlohmann::json json = with_shorts(count, offset);
    INFO(count << " rows at " << offset);
    const auto done = scene_child::widen_integers(json, chunk);
    REQUIRE(!done.has_value());
    CHECK(done.error().code == ErrorCode::bad_value);
}

TEST_CASE("Names of COLLADA animations lose what Assimp puts in front", "[scene]") {
    scene_child::ColladaWords words;
    words.clip_names = {"Wave", "Slow_Walk"};
    CHECK(animation_name(words, "Run_Run") == "Run");
    CHECK(animation_name(words, "Run_Fast") == "Run_Fast");
    CHECK(animation_name(words, "Walk_Wave") == "Wave");
    CHECK(animation_name(words, "anim_Slow_Walk") == "Slow_Walk");
    CHECK(animation_name(words, "plain") == "plain");
}
