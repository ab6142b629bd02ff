// SPDX-License-Identifier: MIT
// Files of other programs with our extension: the error names the program.
#include <string_view>
#include <utility>
#include <vector>

#include "catch.h"
#include "convert/convert.h"
#include "convert/foreign.h"
#include "support.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

using namespace std::string_view_literals;

const std::vector<std::pair<std::string_view, std::string_view>>& foreign_files() {
    static const std::vector<std::pair<std::string_view, std::string_view>> files = {
        {"%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!74 &7400000\n"sv, "a Unity animation"},
        {"\xEF\xBB\xBF%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"sv, "a Unity animation"},
        {"%YAML 1.2\n---\n"sv, "a YAML file"},
        {"animVersion 1.1;\nmayaVersion 2024;\n"sv, "a Maya animation"},
        {"//Maya ASCII 2024 scene\n"sv, "a Maya scene"},
        {"RSRC\0\0\0\0"sv, "a Godot animation (binary"},
        {"RSCC\2\0\0\0"sv, "a Godot animation (compressed"},
        {"[gd_resource type=\"Animation\" format=3]\n"sv, "a Godot animation (text"},
        {"FORM\0\0\1\0ANIMFORM"sv, "an Amiga animation"},
        {"BLENDER-v304"sv, "a Blender file"},
        {"SEAnim\1\0"sv, "an SEAnim animation"},
        {"\x89PNG\r\n\x1a\n"sv, "a PNG image"},
        {"\xFF\xD8\xFF\xE0"sv, "a JPEG image"},
        {"GIF89a"sv, "a GIF image"},
        {"PK\3\4"sv, "a ZIP file"},
        {"%PDF-1.7"sv, "a PDF file"},
        {"\xFF\xFE<\0l\0l\0s\0d\0>\0"sv, "text in UTF-16"},
        {"\xFE\xFF\0<\0l\0l\0s\0d\0>"sv, "text in UTF-16"},
        {"<!DOCTYPE html>\n<html></html>"sv, "a web page"},
        {"<html><body></body></html>"sv, "a web page"},
    };
    return files;
}

}  // namespace

TEST_CASE("files of other programs are told apart", "[foreign]") {
    for (const auto& [text, kind] : foreign_files()) {
        INFO(kind);
        CHECK(foreign_kind(view_of(text)).starts_with(kind));
    }
}

TEST_CASE("what is known to nobody gets no name", "[foreign]") {
    CHECK(foreign_kind({}).empty());
    CHECK(foreign_kind(view_of("FORM\0\0\1\0ILBM"sv)).empty());
    CHECK(foreign_kind(view_of("animVersio"sv)).empty());
    CHECK(foreign_kind(view_of(" HIERARCHY"sv)).empty());
    // Our own formats have no foreign kind either.
    CHECK(foreign_kind(fixture("minimal.anim")).empty());
}

TEST_CASE("an error names the other program", "[foreign]") {
    for (const auto& [text, kind] : foreign_files()) {
        INFO(kind);
        const auto document = read_document(view_of(text), "", "walk.anim");
        REQUIRE_FALSE(document.has_value());
        const std::string message = document.error().message();
        CHECK(message.starts_with("walk.anim: this looks like " + std::string(kind)));
        CHECK(message.find("allowed here is: Second Life animation") != std::string::npos);
        const auto unnamed = read_document(view_of(text), "", "walk.dat");
        REQUIRE_FALSE(unnamed.has_value());
        CHECK(unnamed.error().code == ErrorCode::unknown_format);
        CHECK(unnamed.error().message().find(std::string(kind)) != std::string::npos);
    }
}

TEST_CASE("an error of an unknown file shows its first bytes", "[foreign]") {
    const auto document = read_document(view_of("\x01\x02\x03\x04zzzz"sv), "", "walk.anim");
    REQUIRE_FALSE(document.has_value());
    const std::string message = document.error().message();
    CHECK(message.find("010203047a7a7a7a") != std::string::npos);
    CHECK(message.find("allowed are 1.0 and 0.1") != std::string::npos);
}

TEST_CASE("XML that nobody knows is compared with all formats that are called .xml", "[foreign]") {
    for (const std::string_view text : {"<COLLAGE></COLLAGE>"sv, "<LLSD><map></map></LLSD>"sv}) {
        const auto document = read_document(view_of(text), "", "walk.xml");
        REQUIRE_FALSE(document.has_value());
        const std::string message = document.error().message();
        CHECK(message.starts_with("walk.xml: this looks like XML of another program; allowed here is: "));
        CHECK(message.find("Oni object animation") != std::string::npos);
        CHECK(message.find("Second Life pose") != std::string::npos);
    }
    const auto empty = read_document({}, "", "walk.xml");
    REQUIRE_FALSE(empty.has_value());
    CHECK(empty.error().message().starts_with("walk.xml: the file is empty; allowed here is: "));
}
