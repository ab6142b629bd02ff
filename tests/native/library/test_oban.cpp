// SPDX-License-Identifier: MIT
// OBAN through the C interface: out of levels and into them.
#include <animbridge/animbridge.h>

#include <string>

#include "catch.h"
#include "support.h"

using namespace animbridge::test;

namespace {

FileBytes oban_bytes(const std::string& name) { return load(fixture_folder().parent_path() / "oban" / name); }

ab_error error_of_oban() {
    ab_error error{};
    error.struct_size = sizeof(error);
    return error;
}

/// A document that frees itself.
struct HeldOban {
    ab_document* document = nullptr;

    HeldOban() = default;
    explicit HeldOban(const std::string& file, const char* format = nullptr) {
        const FileBytes bytes = oban_bytes(file);
        REQUIRE(ab_document_read(bytes.data(), bytes.size(), format, file.c_str(), nullptr, &document,
                                 nullptr) == AB_OK);
    }
    ~HeldOban() { ab_document_free(document); }
    HeldOban(const HeldOban&) = delete;
    HeldOban& operator=(const HeldOban&) = delete;
    HeldOban(HeldOban&&) = delete;
    HeldOban& operator=(HeldOban&&) = delete;

    [[nodiscard]] FileBytes written() const {
        ab_buffer* buffer = nullptr;
        REQUIRE(ab_document_write(document, nullptr, &buffer, nullptr) == AB_OK);
        const auto* const data = ab_buffer_data(buffer);
        FileBytes bytes(data, data + ab_buffer_size(buffer));
        ab_buffer_free(buffer);
        return bytes;
    }
};

}  // namespace

TEST_CASE("an OBAN comes out of a level through the library", "[oban]") {
    const HeldOban level("level_pc.dat");
    CHECK(std::string(ab_document_format(level.document)) == "oban_level");
    HeldOban swing;
    ab_error error = error_of_oban();
    REQUIRE(ab_document_child(level.document, "swing", &swing.document, &error) == AB_OK);
    CHECK(std::string(ab_document_format(swing.document)) == "oban");
    // Everything except the ids of its position in the level.
    const FileBytes alone = oban_bytes("swing.oban");
    const FileBytes bytes = swing.written();
    CHECK(FileBytes(bytes.begin() + 8, bytes.end()) == FileBytes(alone.begin() + 8, alone.end()));
}

TEST_CASE("an OBAN goes into a level through the library", "[oban]") {
    const HeldOban level("level_pc.dat");
    const HeldOban longer("replaced/longer.oban", "oban");
    HeldOban changed;
    REQUIRE(ab_document_with_child(level.document, "OBANDoor_A", longer.document, &changed.document,
                                   nullptr) == AB_OK);
    CHECK(changed.written() == oban_bytes("replaced/level_pc_door_a_longer.dat"));
    CHECK(level.written() == oban_bytes("level_pc.dat"));
}

TEST_CASE("the library says what is wrong with a name in a level", "[oban]") {
    const HeldOban level("level_pc.dat");
    const HeldOban swing("swing.oban", "oban");
    ab_document* out = nullptr;
    for (const char* const name : {static_cast<const char*>(nullptr), "nobody"}) {
        ab_error error = error_of_oban();
        CHECK(ab_document_child(level.document, name, &out, &error) == AB_ERROR_INVALID_ARGUMENT);
        CHECK(std::string(error.message).find("Door_A, swing") != std::string::npos);
        CHECK(ab_document_with_child(level.document, name, swing.document, &out, &error) ==
              AB_ERROR_INVALID_ARGUMENT);
    }
    CHECK(out == nullptr);
}

TEST_CASE("the library takes levels and OBANs for nothing else", "[oban]") {
    const HeldOban level("level_pc.dat");
    const HeldOban swing("swing.oban", "oban");
    ab_document* out = nullptr;
    CHECK(ab_document_child(nullptr, "swing", &out, nullptr) == AB_ERROR_INVALID_ARGUMENT);
    CHECK(ab_document_child(swing.document, "swing", &out, nullptr) == AB_ERROR_INVALID_ARGUMENT);
    CHECK(ab_document_child(level.document, "swing", nullptr, nullptr) == AB_ERROR_INVALID_ARGUMENT);
    CHECK(ab_document_with_child(nullptr, "swing", swing.document, &out, nullptr) ==
          AB_ERROR_INVALID_ARGUMENT);
    CHECK(ab_document_with_child(level.document, "swing", level.document, &out, nullptr) ==
          AB_ERROR_INVALID_ARGUMENT);
    CHECK(ab_document_with_child(level.document, "swing", nullptr, &out, nullptr) ==
          AB_ERROR_INVALID_ARGUMENT);
    CHECK(ab_document_with_child(level.document, "swing", swing.document, nullptr, nullptr) ==
          AB_ERROR_INVALID_ARGUMENT);
    CHECK(out == nullptr);
}
