// SPDX-License-Identifier: MIT
// Every fixture through the C interface.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "catch.h"
#include "library/armature.h"
#include "support.h"

using namespace animbridge::test;
using nlohmann::json;

namespace {

template <typename Call>
json answer_json(Call&& call) {
    ab_buffer* buffer = nullptr;
    ab_error error = empty_error();
    const ab_status status = call(&buffer, &error);
    const BufferHandle owner(buffer);
    INFO(error.message);
    REQUIRE(status == AB_OK);
    const std::string text = text_of(buffer);
    CHECK(text.find('\0') == std::string::npos);
    return json::parse(text);
}

}  // namespace

TEST_CASE("fixtures go through the library without loss", "[documents]") {
    for (const Fixture& row : fixtures()) {
        INFO(row.file);
        const auto bytes = row.bytes();
        ab_document* document = nullptr;
        ab_error error = empty_error();
        const ab_status status = ab_document_read(bytes.data(), bytes.size(), "sl_anim", row.file.c_str(),
                                                  nullptr, &document, &error);
        const DocumentHandle owner(document);
        CHECK((status == AB_OK) == row.readable);
        if (status != AB_OK) {
            CHECK(std::string(error.field) == row.error_field);
            CHECK(error.byte_offset == row.error_offset);
            CHECK(document == nullptr);
            continue;
        }
        CHECK(std::string(ab_document_format(document)) == "sl_anim");
        CHECK(bytes_of(document) == bytes);
        const json whole =
            answer_json([&](ab_buffer** out, ab_error* e) { return ab_document_json(document, out, e); });
        const std::string text = whole.dump();
        CHECK(bytes_of(read_document({text.begin(), text.end()}).get()) == bytes);
        const json info =
            answer_json([&](ab_buffer** out, ab_error* e) { return ab_document_info(document, out, e); });
        CHECK(info.is_object());
        for (const auto& [level, expected] : row.findings) {
            const json report = answer_json([&, name = level.c_str()](ab_buffer** out, ab_error* e) {
                return ab_document_check(document, name, out, e);
            });
            std::set<std::string> ids;
            for (const json& finding : report.at("findings")) {
                ids.insert(finding.at("id").get<std::string>());
            }
            CHECK(ids == expected);
        }
    }
}

TEST_CASE("the predicted upload, or why there is none", "[documents]") {
    int stored = 0;
    int refused = 0;
    for (const Fixture& row : fixtures()) {
        if (!row.readable) {
            continue;
        }
        INFO(row.file);
        const DocumentHandle document = read_document(row.bytes());
        ab_document* out = nullptr;
        ab_buffer* findings = nullptr;
        ab_error error = empty_error();
        const ab_status status = ab_document_as_stored(document.get(), &out, &findings, &error);
        const DocumentHandle owner(out);
        const BufferHandle told(findings);
        REQUIRE(findings != nullptr);
        CHECK(json::parse(text_of(findings)).at("findings").is_array());
        if (status == AB_OK) {
            ++stored;
            CHECK(bytes_of(read_document(bytes_of(out)).get()) == bytes_of(out));
        } else {
            ++refused;
            CHECK(status == AB_ERROR_REJECTED);
            CHECK(out == nullptr);
        }
    }
    CHECK(stored > 50);
    CHECK(refused > 20);
}

TEST_CASE("the table of formats and the skeleton", "[documents]") {
    const json formats = answer_json([](ab_buffer** out, ab_error* e) { return ab_formats_json(out, e); });
    REQUIRE(formats.at("formats").size() >= 1);
    CHECK(formats["formats"][0].at("id") == "sl_anim");
    CHECK(formats["formats"][0].at("extensions") == json::array({".anim"}));
    const json skeleton = answer_json(
        [](ab_buffer** out, ab_error* e) { return ab_skeleton_json("sl_anim", nullptr, nullptr, out, e); });
    CHECK(skeleton.at("joints").size() == 133 + 26 + 55);
    std::set<std::string> before;
    for (const json& joint : skeleton["joints"]) {
        // Parents come before their children.
        CHECK((joint.at("parent").is_null() || before.contains(joint["parent"].get<std::string>()) ||
               joint.at("kind") != "bone"));
        before.insert(joint.at("name").get<std::string>());
    }
}

TEST_CASE("comparing documents", "[documents]") {
    const DocumentHandle a = read_document(fixture("rotation_half_turn.anim"));
    const DocumentHandle refused = read_document(fixture("hand_pose_max.anim"));
    const json same = answer_json(
        [&](ab_buffer** out, ab_error* e) { return ab_document_compare(a.get(), a.get(), nullptr, out, e); });
    CHECK(same.at("max_position_mm") == 0.0);
    CHECK(same.at("max_rotation_degrees") == 0.0);
    ab_buffer* out = nullptr;
    ab_error error = empty_error();
    CHECK(ab_document_compare(a.get(), refused.get(), nullptr, &out, &error) == AB_ERROR_REJECTED);
    CHECK(out == nullptr);
}

TEST_CASE("nothing is read beyond the given bytes, and nothing is kept of them", "[documents]") {
    std::vector<std::uint8_t> bytes = fixture("minimal.anim");
    const auto original = bytes;
    const DocumentHandle document = read_document(bytes);
    std::fill(bytes.begin(), bytes.end(), std::uint8_t{0xff});
    CHECK(bytes_of(document.get()) == original);
    // NULL with size 0 is an empty file.
    ab_document* out = nullptr;
    CHECK(ab_document_read(nullptr, 0, nullptr, nullptr, nullptr, &out, nullptr) == AB_ERROR_UNKNOWN_FORMAT);
    CHECK(ab_document_read(nullptr, 0, "sl_anim", nullptr, nullptr, &out, nullptr) == AB_ERROR_TRUNCATED);
}
