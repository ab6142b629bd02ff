// SPDX-License-Identifier: MIT
// A(f) of records whose poses can be computed by hand, and of every fixture as the witness plays it.
#include <algorithm>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <nlohmann/json.hpp>

#include "catch.h"
#include "formats/oban/file/file.h"
#include "formats/oban/play/play.h"
#include "oban_fixtures.h"
#include "oban_motions.h"
#include "support.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

nlohmann::json witness() {
    const FileBytes text = load(oban_folder() / "manifest.json");
    return nlohmann::json::parse(std::string(text.begin(), text.end()));
}

double largest_difference(const glm::dmat4& matrix, const nlohmann::json& wanted) {
    double largest = 0;
    for (int i = 0; i < 12; ++i) {
        largest = std::max(
            largest, std::abs(matrix[i / 3][i % 3] - wanted[static_cast<std::size_t>(i)].get<double>()));
    }
    return largest;
}

/// A rotation of 90 degrees about Z from frame 0 to 10, with ten units along X.
oban::file::Record quarter_turn() {
    const double half = std::sqrt(0.5);
    oban::file::Record record;
    record.keys = {oban_key(0, {1, 0, 0, 0}, {0, 0, 0}), oban_key(10, {half, 0, 0, half}, {10, 0, 0})};
    record.frame_count = 11;
    return record;
}

}  // namespace

TEST_CASE("the player shows what the witness does, in every fixture", "[oban-player]") {
    const nlohmann::json manifest = witness();
    std::size_t poses = 0;
    for (const auto& row : manifest["files"]) {
        const auto name = row["file"].get<std::string>();
        if (row["read"] != "ok" || name.ends_with(".dat")) {
            continue;
        }
        INFO(name);
        const auto document = oban::file::read(load(oban_folder() / name));
        REQUIRE(document.has_value());
        const auto& told = row["records"][0];
        const bool plays = told.contains("poses") && !told["poses"].empty();
        CHECK(oban::play::require_playable(document->record).has_value() == plays);
        if (!plays) {
            continue;
        }
        const oban::play::Player player(document->record);
        for (const auto& pose : told["poses"]) {
            const double frame = pose["frame"];
            INFO(frame);
            double size = 1.0;
            for (const double number : pose["matrix"]) {
                size = std::max(size, std::abs(number));
            }
            // The same operations in another order: only the last bits differ.
            CHECK(largest_difference(player.transform(frame), pose["matrix"]) <= 1e-13 * size);
            ++poses;
        }
    }
    CHECK(poses > 500);
}

TEST_CASE("loops are the witness's", "[oban-player]") {
    const nlohmann::json manifest = witness();
    for (const auto& row : manifest["loops"]) {
        oban::file::Record record = quarter_turn();
        record.flags = row["flags"];
        record.frame_count = row["frame_count"];
        const oban::play::Player player(record);
        for (std::size_t i = 0; i < row["times"].size(); ++i) {
            const double time = row["times"][i];
            INFO(record.flags << " " << record.frame_count << " " << time);
            CHECK(player.looped_frame(time) == row["frames"][i].get<double>());
        }
    }
    oban::file::Record record = quarter_turn();
    record.flags = oban::file::normal_loop;
    CHECK(oban::play::Player(record).looped_frame(-1.0) == 10.0);
    record.flags = oban::file::back_to_back_loop;
    CHECK(oban::play::Player(record).looped_frame(-3.0) == 3.0);
}

TEST_CASE("between keys the place goes straight and the turn the shorter way", "[oban-player]") {
    oban::file::Record record = quarter_turn();
    for (const bool flipped : {false, true}) {
        if (flipped) {
            for (RawFloat& part : record.keys[1].rotation) {
                part = RawFloat(-part.value());
            }
        }
        const oban::play::Pose middle = oban::play::Player(record).pose(5.0);
        CHECK(middle.position == glm::dvec3(5, 0, 0));
        CHECK(std::abs(middle.rotation.w) == Approx(std::cos(std::atan(1.0) / 2)).margin(1e-7));
        // A lerp, not a slerp: a fifth of the way is atan(0.2 sin / (0.8 + 0.2 cos)) of the half angle.
        const oban::play::Pose early = oban::play::Player(record).pose(2.0);
        const double half = std::sqrt(0.5);
        CHECK(std::abs(early.rotation.z / early.rotation.w) == Approx(0.2 * half / (0.8 + 0.2 * half)));
    }
    CHECK(oban::play::Player(record).pose(-4.0).position == glm::dvec3(0, 0, 0));
    CHECK(oban::play::Player(record).pose(99.0).position == glm::dvec3(10, 0, 0));
}

TEST_CASE("the whole Base comes first, shear and offset too", "[oban-player]") {
    oban::file::Record record = quarter_turn();
    record.base = oban::play::matrix_from(glm::dmat3(2, 0, 0, 1, 1, 0, 0, 0, -3), {0, 4, 0});
    const glm::dmat4 end = oban::play::Player(record).transform(10.0);
    // (x, y, z) becomes (2x + y, y + 4, -3z), then (-(y + 4), 2x + y, -3z), then ten units further.
    const glm::dvec4 shown = end * glm::dvec4(1, 2, 3, 1);
    CHECK(shown.x == Approx(-6.0 + 10.0).margin(1e-6));
    CHECK(shown.y == Approx(4.0).margin(1e-6));
    CHECK(shown.z == Approx(-9.0));
}

TEST_CASE("axes go to Blender as the witness has it, and back", "[oban-player]") {
    const nlohmann::json manifest = witness();
    REQUIRE_FALSE(manifest["blender"].empty());
    for (const auto& row : manifest["blender"]) {
        const auto document = oban::file::read(load(oban_folder() / row["file"].get<std::string>()));
        REQUIRE(document.has_value());
        for (const oban::file::Key& key : document->record.keys) {
            if (key.time != row["time"].get<std::int32_t>()) {
                continue;
            }
            for (const auto axes : {oban::play::Axes::file, oban::play::Axes::blender}) {
                const oban::play::Space space{axes, {1, 0, 0, 0}, glm::dvec3(0)};
                const auto& rotation =
                    row[axes == oban::play::Axes::file ? "rotation_raw_axes" : "rotation_converted"];
                const glm::dquat turned = space.rotation(oban::play::standard_rotation(key));
                const glm::dquat wanted(rotation[0].get<double>(), rotation[1].get<double>(),
                                        rotation[2].get<double>(), rotation[3].get<double>());
                CHECK(glm::length(turned - wanted) <= 1e-15);
                CHECK(glm::length(space.key_rotation(turned) - oban::play::standard_rotation(key)) <= 1e-15);
                const glm::dvec3 place = space.location(oban::play::position_of(key));
                for (int i = 0; i < 3; ++i) {
                    CHECK(place[i] == Approx(row["location"][static_cast<std::size_t>(i)].get<double>()));
                    CHECK(space.position(place)[i] == Approx(oban::play::position_of(key)[i]));
                }
            }
        }
    }
}

TEST_CASE("the object's matrix is location, rotation and Base, whatever the axes and the origin",
          "[oban-player]") {
    const oban::play::Affine base{{1, 2, 0, 0, 3, 0, 0.5, 0, -1}, {10, 20, 30}};
    const glm::dquat turn = glm::normalize(glm::dquat(0.3, 0.5, -0.2, 0.7));
    const glm::dvec3 place(7, -5, 3);
    const glm::dmat3 whole = glm::mat3_cast(turn) * base.linear;
    for (const auto axes : {oban::play::Axes::file, oban::play::Axes::blender}) {
        const oban::play::Space space{axes, glm::normalize(glm::dquat(0.9, 0.1, 0.2, 0.3)), {1, 2, 3}};
        const oban::play::Affine object = space.object_base(base);
        const glm::dmat3 rotation = glm::mat3_cast(space.rotation(turn));
        const oban::play::Affine world{rotation * object.linear,
                                       rotation * object.place + space.location(place)};
        const oban::play::Affine back = space.file_matrix(world);
        const oban::play::Affine base_back = space.file_base(object);
        for (int i = 0; i < 3; ++i) {
            CHECK(glm::length(back.linear[i] - whole[i]) <= 1e-13);
            CHECK(glm::length(base_back.linear[i] - base.linear[i]) <= 1e-13);
        }
        CHECK(glm::length(back.place - (glm::mat3_cast(turn) * base.place + place)) <= 1e-12);
        CHECK(glm::length(base_back.place - base.place) <= 1e-13);
    }
}
