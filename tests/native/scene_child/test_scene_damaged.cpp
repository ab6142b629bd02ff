// SPDX-License-Identifier: MIT
#include <random>
#include <string>

#include "catch.h"
#include "formats/scene_file/file/file.h"
#include "scene_child/expectation.h"
#include "scene_child/read/assimp_scene.h"
#include "scene_child/read/read.h"
#include "support.h"

using namespace animbridge;

// Assimp itself is left out: it crashes, which is why it has a separate process (child_test.py).

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
    if (scene_child::read::ufbx_version().empty()) {
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
            const auto document = scene_child::read::read_scene({bytes, "fbx", file});
            INFO(file << ", variant " << i);
            if (document) {
                ++read;
                const auto valid = scene_file::file::validate(*document);
                REQUIRE((valid ? std::string() : valid.error().message()).empty());
            } else {
                REQUIRE(!document.error().reason.empty());
            }
        }
    }
    CHECK(read > 0);
}

TEST_CASE("Names of COLLADA animations lose what Assimp puts in front", "[scene]") {
    scene_child::read::ColladaWords words;
    words.clip_names = {"Wave", "Slow_Walk"};
    CHECK(animation_name(words, "Run_Run") == "Run");
    CHECK(animation_name(words, "Run_Fast") == "Run_Fast");
    CHECK(animation_name(words, "Walk_Wave") == "Wave");
    CHECK(animation_name(words, "anim_Slow_Walk") == "Slow_Walk");
    CHECK(animation_name(words, "plain") == "plain");
}
