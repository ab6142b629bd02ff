// SPDX-License-Identifier: MIT
// Written documents: what animbridge.h promises at ab_document_write, format by format.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>

#include "catch.h"
#include "library/armature.h"
#include "support.h"

using namespace animbridge::test;
using nlohmann::json;

namespace {

namespace fs = std::filesystem;

/// The document, or null if the file cannot be read.
DocumentHandle read_or_none(const FileBytes& bytes, const char* format = nullptr) {
    ab_document* document = nullptr;
    ab_document_read(bytes.data(), bytes.size(), format, nullptr, nullptr, &document, nullptr);
    return DocumentHandle(document);
}

json whole_of(const ab_document* document) {
    ab_buffer* buffer = nullptr;
    REQUIRE(ab_document_json(document, &buffer, nullptr) == AB_OK);
    const BufferHandle owner(buffer);
    return json::parse(text_of(buffer));
}

/// Only the values: notes depend on the text that was read.
json values_of(const ab_document* document) {
    json whole = whole_of(document);
    whole.erase("notes");
    return whole;
}

std::vector<fs::path> files_below(const fs::path& folder, const std::string& extension) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.path().extension() == extension) {
            files.push_back(entry.path());
        }
    }
    return files;
}

fs::path all_fixtures() { return fixture_folder().parent_path(); }

FileBytes bytes_of_text(const std::string& text) { return {text.begin(), text.end()}; }

/// Checks that every value is kept, and that writing again gives the same bytes.
void check_text(const ab_document* document) {
    const FileBytes written = bytes_of(document);
    const DocumentHandle again = read_document(written);
    CHECK(values_of(again.get()) == values_of(document));
    CHECK(bytes_of(again.get()) == written);
}

DocumentHandle edited(const ab_document* document, const char* edits) {
    ab_document* out = nullptr;
    ab_error error = empty_error();
    ab_document_edit(document, edits, &out, nullptr, &error);
    INFO(error.message);
    REQUIRE(out != nullptr);
    return DocumentHandle(out);
}

/// A level with 32 bytes after the keys of one record.
DocumentHandle level_with_tail(const std::string& name) {
    const DocumentHandle level = read_document(load(all_fixtures() / "oban" / "level_pc.dat"));
    ab_document* record = nullptr;
    REQUIRE(ab_document_child(level.get(), name.c_str(), &record, nullptr) == AB_OK);
    const DocumentHandle owner(record);
    json whole = whole_of(record);
    whole["record"]["tail_hex"] = std::string(64, 'a');
    const DocumentHandle with_tail = read_document(bytes_of_text(whole.dump()));
    ab_document* made = nullptr;
    REQUIRE(ab_document_with_child(level.get(), name.c_str(), with_tail.get(), &made, nullptr) == AB_OK);
    return DocumentHandle(made);
}

}  // namespace

TEST_CASE("binary files are written to the byte", "[documents]") {
    // Named, because a raw record may begin like a text.
    for (const auto& [extension, format, least] :
         {std::tuple(".anim", "sl_anim", 100), std::tuple(".oban", "oban", 50), std::tuple(".oni", "oban", 5),
          std::tuple(".dat", "oban_level", 5)}) {
        int read = 0;
        for (const fs::path& file : files_below(all_fixtures(), extension)) {
            INFO(file);
            const FileBytes bytes = load(file);
            if (const DocumentHandle document = read_or_none(bytes, format)) {
                ++read;
                CHECK(bytes_of(document.get()) == bytes);
            }
        }
        INFO(extension);
        CHECK(read >= least);
    }
}

TEST_CASE("text files are written with every value, and then stay as they are", "[documents]") {
    int others = 0;
    for (const auto& [extension, least] : {std::pair(".bvh", 30), std::pair(".xml", 3)}) {
        int read = 0;
        for (const fs::path& file : files_below(all_fixtures(), extension)) {
            INFO(file);
            const FileBytes bytes = load(file);
            const DocumentHandle document = read_or_none(bytes);
            const bool has_older_name = document && whole_of(document.get()).value("name", json("")) != "";
            if (document && !has_older_name) {
                ++read;
                check_text(document.get());
                others += bytes_of(document.get()) == bytes ? 0 : 1;
            }
        }
        INFO(extension);
        CHECK(read >= least);
    }
    CHECK(others > 10);  // the layout is AnimBridge's own
}

TEST_CASE("the name of OniSplit's older XML is in no XML that is written", "[documents]") {
    const std::string matrix = "1 0 0 0 1 0 0 0 1 0 0 0";
    const std::string xml =
        "<Oni><Instance id=\"0\" type=\"OBAN\" name=\"OBANdoor\"><Flags/><InitialTransform>" + matrix +
        "</InitialTransform><BaseTransform>" + matrix +
        "</BaseTransform><FrameLength>1</FrameLength><FrameCount>1</FrameCount>"
        "<HalfStopFrame>0</HalfStopFrame><KeyFrames/></Instance></Oni>";
    const DocumentHandle document = read_document(bytes_of_text(xml));
    json before = whole_of(document.get());
    CHECK(before.at("name") == "door");
    const FileBytes written = bytes_of(document.get());
    const DocumentHandle again = read_document(written);
    json after = whole_of(again.get());
    CHECK(after.at("name") == "");
    before.erase("name");
    after.erase("name");
    CHECK(after == before);
    CHECK(bytes_of(again.get()) == written);
}

TEST_CASE("AnimBridge's JSON is written as the file that it tells of", "[documents]") {
    for (const fs::path& file : {fixture_folder() / "minimal.anim", all_fixtures() / "oban" / "swing.oban",
                                 all_fixtures() / "oban" / "level_pc.dat"}) {
        INFO(file);
        const FileBytes bytes = load(file);
        const std::string text = whole_of(read_document(bytes).get()).dump();
        CHECK(bytes_of(read_document(bytes_of_text(text)).get()) == bytes);
    }
}

TEST_CASE("a record out of a level is written as it lies there, its tail included", "[documents]") {
    const DocumentHandle level = level_with_tail("swing");
    ab_document* out = nullptr;
    REQUIRE(ab_document_child(level.get(), "swing", &out, nullptr) == AB_OK);
    const DocumentHandle record(out);
    const FileBytes in_level = bytes_of(level.get());
    const FileBytes written = bytes_of(record.get());
    CHECK(std::search(in_level.begin(), in_level.end(), written.begin(), written.end()) != in_level.end());
    CHECK(FileBytes(written.end() - 32, written.end()) == FileBytes(32, 0xaa));
    // A raw file cannot hold the tail.
    CHECK(read_or_none(written, "oban") == nullptr);
    // JSON and a .oni can.
    const json whole = whole_of(record.get());
    CHECK(whole_of(read_document(bytes_of_text(whole.dump())).get()) == whole);
    const DocumentHandle oni = edited(record.get(), R"({"container": "oni"})");
    const DocumentHandle oni_again = read_document(bytes_of(oni.get()));
    CHECK(whole_of(oni_again.get())["record"]["tail_hex"] == std::string(64, 'a'));
    // Without the tail, raw files and XML can be read.
    for (const char* const container : {R"({"container": "raw"})", R"({"container": "xml"})"}) {
        const DocumentHandle other = edited(record.get(), container);
        const DocumentHandle again = read_or_none(bytes_of(other.get()), "oban");
        REQUIRE(again != nullptr);
        CHECK(whole_of(again.get())["record"]["tail_hex"] == "");
    }
}
