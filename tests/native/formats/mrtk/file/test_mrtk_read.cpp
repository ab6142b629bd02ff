// SPDX-License-Identifier: MIT
// MRTK recordings: what is read, what is refused and where, and what is written again.
#include <array>
#include <string>
#include <vector>

#include "catch.h"
#include "formats/mrtk/curves/curves.h"
#include "formats/mrtk/file/file.h"
#include "formats/mrtk/file/layouts.h"
#include "mrtk_fixtures.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

void must_be_refused(const Json& row, const Result<mrtk::file::Document>& document) {
    REQUIRE_FALSE(document.has_value());
    CHECK(document.error().field == row["error_field"].get<std::string>());
    if (!row["error_offset"].is_null()) {
        CHECK(document.error().byte_offset == row["error_offset"].get<std::int64_t>());
    }
    CHECK_FALSE(document.error().reason.empty());
}

std::size_t joints_of(const mrtk::file::Document& document, std::size_t hand) {
    std::size_t count = 0;
    for (std::size_t joint = 0; joint < mrtk::file::joint_count; ++joint) {
        count += mrtk::curves::has_keys(document, mrtk::file::pose_of(hand, joint)) ? 1 : 0;
    }
    return count;
}

void must_be(const Json& row, const mrtk::file::Document& document, const FileBytes& bytes) {
    CHECK(mrtk::file::write(document) == bytes);
    CHECK(mrtk::file::file_bytes(document) == bytes.size());
    CHECK(mrtk::file::version_text(document) == row["version"].get<std::string>());
    CHECK(mrtk::file::name_of(document.layout) == row["layout"].get<std::string>());
    CHECK(document.markers.size() == row["markers"].get<std::size_t>());
    std::size_t switch_keys = 0;
    for (std::size_t i = 0; i < mrtk::file::switch_count; ++i) {
        switch_keys += document.curves[mrtk::file::first_switch + i].count;
    }
    CHECK(switch_keys == row["keys"]["bool"].get<std::size_t>());
    CHECK(document.full_keys.size() + document.simple_keys.size() - switch_keys ==
          row["keys"]["float"].get<std::size_t>());
    for (std::size_t hand = 0; hand < mrtk::file::hand_count; ++hand) {
        const Json count = row["joints"].value(mrtk::file::hand_names.at(hand), Json(0));
        CHECK(joints_of(document, hand) == count.get<std::size_t>());
    }
}

/// Version 1.1 with only a camera, from hand-written bytes.
Bytes camera_alone(const std::vector<std::array<float, 2>>& keys_of_each, std::int32_t wrap = 8) {
    ByteWriter writer(0);
    writer.write(mrtk::file::magic);
    writer.write(std::int32_t{1});
    writer.write(std::int32_t{1});
    writer.write(std::array<std::uint8_t, 3>{1, 0, 0});
    for (std::size_t i = 0; i < mrtk::file::pose_curves; ++i) {
        writer.write(std::array<std::int32_t, 3>{wrap, wrap, static_cast<std::int32_t>(keys_of_each.size())});
        for (const auto& key : keys_of_each) {
            writer.write(key);
        }
    }
    writer.write(std::int32_t{0});
    return writer.take();
}

}  // namespace

TEST_CASE("every MRTK fixture is read or refused as the witness says", "[mrtk-read]") {
    std::size_t tolerated = 0;
    for (const Json& row : mrtk_rows()) {
        const auto file = row["file"].get<std::string>();
        INFO(file);
        const FileBytes bytes = mrtk_fixture(file);
        const auto strict = mrtk::file::read(bytes, Reading::strict);
        const auto lenient = mrtk::file::read(bytes, Reading::lenient);
        INFO((strict ? "" : strict.error().message()) << " " << (lenient ? "" : lenient.error().message()));
        if (row["strict"] == "ok") {
            REQUIRE(strict.has_value());
            must_be(row, *strict, bytes);
        } else {
            must_be_refused(row, strict);
        }
        if (row["lenient"] == "ok") {
            REQUIRE(lenient.has_value());
            must_be(row, *lenient, bytes);
            tolerated += row["strict"] == "ok" ? 0 : 1;
        } else {
            must_be_refused(row, lenient);
        }
        CHECK(mrtk::file::sniff(bytes) == (row.value("error_field", Json("")) != "magic"));
    }
    CHECK(tolerated >= 8);
}

TEST_CASE("bytes after the markers do not change the layout of a plausible recording", "[mrtk-read]") {
    Bytes bytes = camera_alone({{0.0F, 1.0F}, {0.5F, 2.0F}});
    bytes.insert(bytes.end(), {1, 2, 3, 4});
    for (const Reading reading : {Reading::strict, Reading::lenient}) {
        const auto document = mrtk::file::read(bytes, reading);
        REQUIRE(document.has_value());
        CHECK(document->layout == mrtk::file::Layout::specified);
        CHECK(document->trailing == Bytes{1, 2, 3, 4});
        CHECK(mrtk::file::write(*document) == bytes);
    }
}

TEST_CASE("a layout that fits by accident gives way to one that explains the file", "[mrtk-read]") {
    // Without sections, only the markers follow. Read as 1.1 as specified, the first curve of a camera with
    // full keys would have to end in its second key. In this file it does so by chance: its keys hold the
    // headers of six empty curves, with a wrap mode that Unity lacks.
    ByteWriter writer(0);
    writer.write(mrtk::file::magic);
    writer.write(std::array<std::int32_t, 2>{1, 1});
    writer.write(std::array<std::uint8_t, 3>{1, 0, 0});
    const std::array<std::int32_t, 3> one_key = {8, 8, 1};
    const std::array<float, 6> key = {0.5F, 1.0F, 0.0F, 0.0F, 0.0F, 0.0F};
    for (std::size_t i = 0; i < mrtk::file::pose_curves; ++i) {
        writer.write(one_key);
        writer.write(key);
        writer.write(std::int32_t{i == 0 ? 0 : 3});
    }
    writer.write(std::int32_t{0});
    const Bytes bytes = writer.take();
    const auto lenient = mrtk::file::read(bytes, Reading::lenient);
    REQUIRE(lenient.has_value());
    CHECK(lenient->layout == mrtk::file::Layout::wide_keys);
    CHECK(lenient->full_keys.size() == 7);
    CHECK(mrtk::file::write(*lenient) == bytes);
}

TEST_CASE("a tolerated layout needs known wrap modes and times in order", "[mrtk-read]") {
    Bytes bytes = camera_alone({{0.0F, 1.0F}, {0.5F, 2.0F}});
    bytes.resize(bytes.size() - 4);
    REQUIRE(mrtk::file::read(bytes, Reading::lenient).has_value());
    CHECK_FALSE(mrtk::file::read(bytes, Reading::strict).has_value());
    Bytes unknown_wrap = bytes;
    unknown_wrap[19] = 3;
    CHECK_FALSE(mrtk::file::read(unknown_wrap, Reading::lenient).has_value());
    Bytes out_of_order = camera_alone({{0.5F, 1.0F}, {0.0F, 2.0F}});
    REQUIRE(mrtk::file::read(out_of_order, Reading::lenient).has_value());
    out_of_order.resize(out_of_order.size() - 4);
    CHECK_FALSE(mrtk::file::read(out_of_order, Reading::lenient).has_value());
}

TEST_CASE("the curves of a recording have the names of the format's page", "[mrtk-read]") {
    CHECK(mrtk::file::curve_name(0) == "camera.position.x");
    CHECK(mrtk::file::curve_name(7) == "left.tracked");
    CHECK(mrtk::file::curve_name(10) == "right.pinch");
    CHECK(mrtk::file::curve_name(11 + 7 + 6) == "left.Wrist.rotation.w");
    CHECK(mrtk::file::curve_name(394) == "gaze.direction.z");
    CHECK(mrtk::file::pose_name(0) == "Camera");
    CHECK(mrtk::file::pose_name(mrtk::file::pose_of(1, 11)) == "R_IndexTip");
    for (std::size_t pose = 0; pose < mrtk::file::pose_count; ++pose) {
        CHECK(mrtk::file::pose_named(mrtk::file::pose_name(pose)) == pose);
    }
}
