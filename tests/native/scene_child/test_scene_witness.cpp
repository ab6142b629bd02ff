// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>
#include <string>

#include "catch.h"
#include "formats/scene_file/file/file.h"
#include "scene_child/expectation.h"
#include "scene_child/read/read.h"
#include "scene_child/read_any.h"
#include "support.h"

using namespace animbridge;

namespace {

// The issue of these files allows this at keys and, if a loader knows the curves, between them too.
constexpr double most_degrees = 0.01;
constexpr double most_metres = 1e-4;
/// Numbers of matrices are floats of size 1, and products of some.
constexpr double most_linear = 1e-6;

Result<scene_file::file::Document> read_fixture(const std::string& file, std::string_view loader) {
    const test::FileBytes bytes = test::load(test::scene_folder() / file);
    return test::read_any({bytes, loader, file, test::scene_folder().string()});
}

bool has_trap(const nlohmann::json& expected, const char* trap) {
    const auto traps = expected.at("traps").get<std::set<std::string>>();
    return traps.count(trap) > 0;
}

/// What a loader must get right.
struct Demand {
    bool between_keys = true;
    bool names_of_animations = true;
};

void check(const std::string& file, std::string_view loader, Demand demand) {
    const nlohmann::json expected = test::expectation_of(file);
    const auto document = read_fixture(file, loader);
    INFO(loader << ": " << file << ": " << expected.at("about"));
    if (!document) {
        FAIL(document.error().message());
        return;
    }
    CHECK(scene_file::file::validate(*document).has_value());
    const test::Difference found = test::compare(*document, expected);
    for (const std::string& what : found.differences) {
        if (demand.names_of_animations || what.find("an animation is called") == std::string::npos) {
            FAIL_CHECK(what);
        }
    }
    CHECK(found.rest_metres <= most_metres);
    CHECK(found.bind_metres <= most_metres);
    // A placement has no shear; bones below a stretched one do.
    if (!has_trap(expected, "scale-non-uniform")) {
        CHECK(found.rest_linear <= most_linear);
    }
    CHECK(found.key_metres <= most_metres);
    CHECK(found.key_degrees <= most_degrees);
    if (demand.between_keys) {
        CHECK(found.between_metres <= most_metres);
        CHECK(found.between_degrees <= most_degrees);
    }
}

/// The files of a format that a reader must read; at least `least`, so that none is skipped unnoticed.
std::vector<std::string> readable(const std::string& format, std::size_t least) {
    std::vector<std::string> files = test::scene_files(format);
    std::erase_if(
        files, [](const std::string& file) { return test::expectation_of(file).at("outcome") != "reads"; });
    REQUIRE(files.size() >= least);
    return files;
}

}  // namespace

TEST_CASE("glTF scenes are what the witness wrote, at keys and between them", "[scene]") {
    for (const std::string& file : readable("gltf", 25)) {
        check(file, "gltf", {});
    }
}

TEST_CASE("FBX scenes are what the witness wrote, at keys and between them", "[scene]") {
    if (scene_child::read::ufbx_version().empty()) {
        WARN("built without ufbx: not tested");
        return;
    }
    for (const std::string& file : readable("fbx", 20)) {
        check(file, "fbx", {});
    }
}

TEST_CASE("Assimp reads FBX at its keys", "[scene]") {
    // Assimp knows nodes only by their names, ignores when a stack begins, and knows neither cameras (not
    // tested here), nor pivots in rest poses, nor orders of Euler angles.
    const std::set<std::string> not_by_assimp = {"names-repeat",       "names-empty", "negative-times",
                                                 "several-animations", "camera",      "pivots",
                                                 "rotation-order"};
    for (const std::string& file : readable("fbx", 20)) {
        const auto traps = test::expectation_of(file).at("traps").get<std::set<std::string>>();
        if (std::none_of(traps.begin(), traps.end(),
                         [&](const std::string& trap) { return not_by_assimp.count(trap) > 0; })) {
            check(file, "fbx_assimp", {false, true});
        }
    }
}

TEST_CASE("COLLADA scenes are what the witness wrote, at keys", "[scene]") {
    for (const std::string& file : readable("collada", 12)) {
        check(file, "collada", {false, true});
    }
}

TEST_CASE("X and SMD scenes are what the witness wrote", "[scene]") {
    for (const std::string& file : readable("x", 2)) {
        check(file, "x", {});
    }
    for (const std::string& file : readable("smd", 1)) {
        check(file, "smd", {true, false});
    }
}

TEST_CASE("MD5 scenes are what the witness wrote", "[scene]") {
    for (const std::string& file : readable("md5", 1)) {
        check(file, "md5", {true, false});
    }
}
