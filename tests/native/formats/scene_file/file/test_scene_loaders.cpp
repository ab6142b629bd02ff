// SPDX-License-Identifier: MIT
// Which kind of scene file it is, by the first bytes.
#include <string>
#include <string_view>

#include "catch.h"
#include "formats/scene_file/file/file.h"

using namespace animbridge;

namespace {

std::string loader_of_text(std::string_view text) {
    const scene_file::file::Loader* loader = scene_file::file::loader_of(view_of(text));
    return loader == nullptr ? "" : std::string(loader->id);
}

std::string wide(std::string_view text, bool is_big) {
    std::string made = is_big ? "\xFE\xFF" : "\xFF\xFE";
    for (const char c : text) {
        made += is_big ? std::string{'\0', c} : std::string{c, '\0'};
    }
    return made;
}

}  // namespace

TEST_CASE("text of 16 bits is known as text of 8 is", "[scene-loaders]") {
    const std::string declaration = "<?xml version=\"1.0\"?>\r\n";
    for (const bool is_big : {false, true}) {
        CHECK(loader_of_text(wide(declaration + "<irr_scene>", is_big)) == "irr");
        CHECK(loader_of_text(wide(declaration + "<COLLADA version=\"1.4.1\">", is_big)) == "collada");
        CHECK(loader_of_text(wide("  *3DSMAX_ASCIIEXPORT 200", is_big)) == "ase");
        CHECK(loader_of_text(wide(declaration + "<svg>", is_big)).empty());
        CHECK(loader_of_text(wide("", is_big)).empty());
    }
    CHECK(loader_of_text("\xEF\xBB\xBF" + declaration + "<irr_scene>") == "irr");
    // U+013C is not a "<".
    CHECK(loader_of_text(std::string("\xFF\xFE<\x01i\0r\0r\0_\0s\0c\0e\0n\0e\0", 22)).empty());
}

TEST_CASE("an Ogre mesh may share its geometry", "[scene-loaders]") {
    CHECK(loader_of_text("<mesh>\n <sharedgeometry vertexcount=\"3\">") == "ogre");
    CHECK(loader_of_text("<mesh>\n <submeshes><submesh><geometry vertexcount=\"3\">") == "ogre");
    CHECK(loader_of_text("<mesh>\n <animations>").empty());
}

TEST_CASE("a glTF needs no nodes to be known", "[scene-loaders]") {
    CHECK(loader_of_text(R"({"asset":{"version":"2.0"}})") == "gltf");
    CHECK(loader_of_text(
              "{ \"buffers\": [],\n \"asset\" : { \"generator\": \"x\", \"version\" : \"2.0\" } }") ==
          "gltf");
    CHECK(loader_of_text(R"({"asset":"version"})").empty());
    CHECK(loader_of_text(R"({"name":"asset", "version": 1})").empty());
    CHECK(loader_of_text(R"({"format":"scene","nodes":[{"name":"asset"}]})").empty());
    CHECK(loader_of_text("{\"asset\"").empty());
    CHECK(loader_of_text("{\"asset\":").empty());
}
