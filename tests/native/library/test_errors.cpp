// SPDX-License-Identifier: MIT
// Errors: what they say, and that a failed call changes nothing else.
#include <cstring>
#include <fstream>
#include <string_view>

#include "catch.h"
#include "library/armature.h"
#include "support.h"

using namespace animbridge::test;

namespace {

struct Outcome {
    ab_status status;
    ab_error error;
};

Outcome read(const std::vector<std::uint8_t>& bytes, const char* format, const char* name) {
    ab_document* document = nullptr;
    Outcome outcome{AB_OK, empty_error()};
    outcome.status =
        ab_document_read(bytes.data(), bytes.size(), format, name, nullptr, &document, &outcome.error);
    if (outcome.status != AB_OK) {
        CHECK(document == nullptr);
    }
    ab_document_free(document);
    return outcome;
}

std::vector<std::uint8_t> bytes(std::string_view text) { return {text.begin(), text.end()}; }

bool is_utf8_start(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

}  // namespace

TEST_CASE("an error names file, place, field, and what was found", "[errors]") {
    const auto cut = read(fixture("cut_in_keys.anim"), nullptr, "walk.anim");
    CHECK(cut.status == AB_ERROR_TRUNCATED);
    CHECK(cut.error.code == AB_ERROR_TRUNCATED);
    CHECK(std::string(cut.error.field) == "joints[0].num_rot_keys");
    CHECK(cut.error.byte_offset == 74);
    CHECK(cut.error.line == -1);
    const std::string message = cut.error.message;
    CHECK(message.find("walk.anim: the file is cut off at byte 82: byte 74: joints[0].num_rot_keys: ") == 0);
    CHECK(read(fixture("version_2_0.anim"), "sl_anim", "x").status == AB_ERROR_UNSUPPORTED_VERSION);
    CHECK(read(fixture("count_rotations_minus_1.anim"), nullptr, "x").status == AB_ERROR_BAD_VALUE);
}

TEST_CASE("other programs' files are recognised as such", "[errors]") {
    for (const auto& [content, hint] :
         {std::pair("%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n", "Unity"),
          std::pair("animVersion 1.1;\nmayaVersion 2016;\n", "Maya"), std::pair("", "empty"),
          std::pair("SEAnim", "SEAnim"), std::pair("whatever", "776861")}) {
        for (const char* const name : {"x.anim", "x", "x.txt"}) {
            INFO(content << " as " << name);
            const auto outcome = read(bytes(content), nullptr, name);
            // The name makes it an animation, so the error is about its version.
            const bool named = std::string(name) == "x.anim" && *content != '\0';
            CHECK(outcome.status == (named ? AB_ERROR_UNSUPPORTED_VERSION : AB_ERROR_UNKNOWN_FORMAT));
            CHECK(std::string(outcome.error.message).find(hint) != std::string::npos);
            CHECK(std::string(outcome.error.message).find(name) == 0);
        }
    }
}

TEST_CASE("an error's text gives a terminal no orders", "[errors]") {
    const auto unknown = read(bytes(R"({"format": "\u001b[2J\u009b\u202e\nx"})"), nullptr, "a\nb\x1b.json");
    CHECK(unknown.status == AB_ERROR_BAD_VALUE);
    const std::string message = unknown.error.message;
    CHECK(message.find("a\\x0Ab\\x1B.json: ") == 0);
    CHECK(message.find("\\u009B\\u202E") != std::string::npos);
    for (const char c : message) {
        CHECK(static_cast<unsigned char>(c) >= 0x20U);
    }
}

TEST_CASE("text is cut on a character's boundary", "[errors]") {
    // Names in messages: two-, three- and four-byte characters at every shift.
    for (const char* const character : {"\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x90\x8c"}) {
        for (std::size_t shift = 0; shift < 5; ++shift) {
            std::string name(shift, 'x');
            while (name.size() < 700) {
                name += character;
            }
            const auto outcome = read({}, nullptr, name.c_str());
            CHECK(outcome.status != AB_OK);
            const std::string message = outcome.error.message;
            REQUIRE(message.size() < sizeof(outcome.error.message));
            CHECK(message.size() > sizeof(outcome.error.message) - 5);
            // The omitted rest starts with a whole character.
            CHECK(is_utf8_start(name[message.size()]));
            CHECK(name.compare(0, message.size(), message) == 0);
        }
    }
    // Bytes that are not UTF-8 are replaced.
    const auto outcome = read({}, nullptr, "\x80\x80\xff name");
    const std::string message = outcome.error.message;
    CHECK(message.find('\xff') == std::string::npos);
    CHECK(message.find(" name") != std::string::npos);
}

TEST_CASE("a field's name is cut as well", "[errors]") {
    std::string text = "{\"format\": \"sl_anim\"";
    const std::string key(200, 'k');
    const auto outcome = read(bytes("{\"as_stored\": 1}"), nullptr, nullptr);
    CHECK(outcome.status == AB_ERROR_BAD_VALUE);
    // ab_convert_file names the option at fault.
    ab_error error = empty_error();
    const std::string options = "{\"" + key + "\": 1}";
    CHECK(ab_convert_file("a.anim", "b.anim", options.c_str(), nullptr, nullptr, &error) ==
          AB_ERROR_BAD_VALUE);
    CHECK(std::string(error.field) == key.substr(0, sizeof(error.field) - 1));
}

TEST_CASE("files", "[errors]") {
    const ScratchFolder scratch;
    ab_error error = empty_error();
    ab_document* document = nullptr;
    const std::string missing = (scratch.path() / "missing.anim").string();
    CHECK(ab_document_read_file(missing.c_str(), nullptr, nullptr, &document, &error) == AB_ERROR_IO);
    CHECK(std::string(error.message).find(missing) == 0);
    CHECK(ab_document_read_file(scratch.path().string().c_str(), nullptr, nullptr, &document, &error) ==
          AB_ERROR_IO);
    CHECK(document == nullptr);
    const DocumentHandle good = read_document(fixture("minimal.anim"));
    const std::string nowhere = (scratch.path() / "no" / "x.anim").string();
    CHECK(ab_document_write_file(good.get(), nowhere.c_str(), nullptr, &error) == AB_ERROR_IO);
    CHECK(std::string(error.message).find(nowhere) == 0);
    const std::string path = (scratch.path() / "x.anim").string();
    CHECK(ab_document_write_file(good.get(), path.c_str(), nullptr, &error) == AB_OK);
    CHECK(load(path) == fixture("minimal.anim"));
}

TEST_CASE("a failed conversion leaves the output as it was", "[errors]") {
    const ScratchFolder scratch;
    const std::string path = (scratch.path() / "out.anim").string();
    save(path, {'o', 'l', 'd'});
    ab_error error = empty_error();
    ab_buffer* report = nullptr;
    for (const char* const broken : {"cut_in_keys.anim", "empty.anim", "version_2_0.anim"}) {
        const std::string input = (fixture_folder() / broken).string();
        CHECK(ab_convert_file(input.c_str(), path.c_str(), nullptr, nullptr, &report, &error) < 0);
        CHECK(std::string(error.message).find(input) == 0);
    }
    // The viewer refuses it, so it would store nothing.
    const std::string refused = (fixture_folder() / "hand_pose_max.anim").string();
    CHECK(ab_convert_file(refused.c_str(), path.c_str(), "{\"as_stored\": true}", nullptr, &report, &error) ==
          AB_ERROR_REJECTED);
    for (const char* const options : {"{", "[]", "1", "null", "{\"as_stored\": 1}", "{\"unknown\": true}"}) {
        INFO(options);
        const std::string input = (fixture_folder() / "minimal.anim").string();
        CHECK(ab_convert_file(input.c_str(), path.c_str(), options, nullptr, &report, &error) < 0);
    }
    const std::string input = (fixture_folder() / "minimal.anim").string();
    CHECK(ab_convert_file(input.c_str(), (scratch.path() / "out.mp4").string().c_str(), nullptr, nullptr,
                          &report, &error) == AB_ERROR_INVALID_ARGUMENT);
    CHECK(report == nullptr);
    CHECK(load(path) == std::vector<std::uint8_t>{'o', 'l', 'd'});
    CHECK(scratch.names() == std::set<std::string>{"out.anim"});
    CHECK(ab_convert_file(input.c_str(), path.c_str(), nullptr, nullptr, &report, &error) == AB_OK);
    const BufferHandle owner(report);
    CHECK(load(path) == fixture("minimal.anim"));
}

TEST_CASE("work can be cancelled by the callback", "[errors]") {
    const DocumentHandle a = read_document(load(fixture_folder().parent_path() / "demo" / "dance.anim"));
    struct Calls {
        int count = 0;
        int allowed = 0;
        double last = 0;
    };
    const ab_progress progress = [](void* user, double fraction) -> std::int32_t {
        auto& calls = *static_cast<Calls*>(user);
        if (!(fraction >= calls.last && fraction <= 1.0)) {
            return 1;
        }
        calls.last = fraction;
        return ++calls.count > calls.allowed ? 1 : 0;
    };
    for (const int allowed : {0, 1, 5}) {
        Calls calls{0, allowed};
        const ab_job job{sizeof(ab_job), progress, &calls};
        ab_buffer* out = nullptr;
        ab_error error = empty_error();
        CHECK(ab_document_compare(a.get(), a.get(), &job, &out, &error) == AB_ERROR_CANCELLED);
        CHECK(out == nullptr);
        CHECK(error.code == AB_ERROR_CANCELLED);
        CHECK(calls.count == allowed + 1);
    }
    Calls patient{0, 1 << 30};
    const ab_job job{sizeof(ab_job), progress, &patient};
    ab_buffer* out = nullptr;
    CHECK(ab_document_compare(a.get(), a.get(), &job, &out, nullptr) == AB_OK);
    const BufferHandle owner(out);
    CHECK(patient.count > 5);
    const ab_job silent{sizeof(ab_job), nullptr, nullptr};
    CHECK(ab_document_compare(a.get(), a.get(), &silent, &out, nullptr) == AB_OK);
    const BufferHandle second(out);
}
