// SPDX-License-Identifier: MIT
// MRTK recordings as clips and back.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "catch.h"
#include "formats/mrtk/edit/edit.h"
#include "formats/mrtk/file/file.h"
#include "formats/mrtk/play/play.h"
#include "formats/mrtk/scene/scene.h"
#include "model/clip/clip.h"
#include "mrtk_fixtures.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

const Json exactly = {{"rig", "exact"}};

ClipMade clip_of(const std::string& file, const Json& options = exactly) {
    auto made = mrtk::scene::document_to_clip(mrtk_document(file), options);
    INFO((made ? "" : made.error().message()));
    REQUIRE(made.has_value());
    return *std::move(made);
}

Made back_from(const Clip& clip, const Json& options = Json::object()) {
    const Job job;
    auto made = mrtk::scene::document_from_clip({clip, options, job});
    INFO((made ? "" : made.error().message()));
    REQUIRE(made.has_value());
    return *std::move(made);
}

const mrtk::file::Document& inside(const Made& made) { return *as_mrtk(*made.document); }

}  // namespace

TEST_CASE("a clip of a recording has the witness's poses in clip space", "[mrtk-clip]") {
    const Clip clip = clip_of("two_hands_v11.bin").clip;
    ClipPoser poser(clip);
    const auto wrist = clip.skeleton.find("L_Wrist");
    REQUIRE(wrist.has_value());
    for (const Json& row : mrtk_rows()) {
        if (row["file"] != "two_hands_v11.bin") {
            continue;
        }
        for (const Json& pose : row["poses"]) {
            const Json& wanted = pose["left"]["joints"]["Wrist"];
            const auto seconds = pose["time"].get<double>();
            if (seconds > clip.duration_seconds) {
                continue;
            }
            poser.pose(seconds);
            const Transform& shown = poser.world()[*wrist];
            const auto number = [&](const char* what, std::size_t i) {
                return wanted[what][i].get<double>();
            };
            // Vectors (x, z, y), quaternions (w, -x, -z, -y): docs/mrtk-format.md, "Blender".
            CHECK(std::abs(shown.translation.x - number("position", 0)) < 1e-12);
            CHECK(std::abs(shown.translation.y - number("position", 2)) < 1e-12);
            CHECK(std::abs(shown.translation.z - number("position", 1)) < 1e-12);
            CHECK(std::abs(shown.rotation.w - number("meant", 3)) < 1e-12);
            CHECK(std::abs(shown.rotation.x + number("meant", 0)) < 1e-12);
            CHECK(std::abs(shown.rotation.y + number("meant", 2)) < 1e-12);
            CHECK(std::abs(shown.rotation.z + number("meant", 1)) < 1e-12);
        }
    }
}

TEST_CASE("a recording comes back from its clip, key for key", "[mrtk-clip]") {
    for (const char* const file : {"two_hands_v11.bin", "flags_camera_hands_gaze.bin", "flags_camera.bin",
                                   "flags_gaze.bin", "hands_come_and_go.bin", "three_partitions.bin"}) {
        INFO(file);
        const Made made = back_from(clip_of(file).clip);
        CHECK(inside(made) == mrtk_document(file));
        CHECK(made.report["left_out"].empty());
        CHECK(made.report["max_position_error_mm"].get<double>() < 1e-9);
    }
    for (const char* const file : {"two_hands_v10.bin", "camera_v10.bin", "steps.bin"}) {
        INFO(file);
        const Made made = back_from(clip_of(file).clip, {{"version", "1.0"}});
        CHECK(mrtk::file::file_bytes(inside(made)) == mrtk::file::file_bytes(mrtk_document(file)));
        // Lines and steps may be stored in several ways. A steep curve moves far in the last bit of a time.
        CHECK(made.report["max_position_error_mm"].get<double>() < 1e-6);
        // Chords of equal rotations are accurate to half of a double's digits.
        CHECK(made.report["max_rotation_error_degrees"].get<double>() < 1e-6);
    }
}

TEST_CASE("markers survive a clip", "[mrtk-clip]") {
    const mrtk::file::Document before = mrtk_document("markers.bin");
    const Made made = back_from(clip_of("markers.bin").clip);
    CHECK(inside(made).markers == before.markers);
    CHECK(inside(made).marker_names == before.marker_names);
}

TEST_CASE("tangents and weights survive a clip", "[mrtk-clip]") {
    for (const char* const file : {"weights.bin", "hermite.bin"}) {
        INFO(file);
        const mrtk::file::Document before = mrtk_document(file);
        const Made made = back_from(clip_of(file).clip);
        const mrtk::file::Document& after = inside(made);
        CHECK(mrtk::file::version_text(after) == "1.0");
        REQUIRE(after.full_keys.size() == before.full_keys.size());
        for (std::size_t i = 0; i < before.full_keys.size(); ++i) {
            CHECK(after.full_keys[i].time == before.full_keys[i].time);
            CHECK(after.full_keys[i].value == before.full_keys[i].value);
        }
        // A tangent is divided by its weight and multiplied again in doubles, then rounded to a float.
        CHECK(made.report["max_position_error_mm"].get<double>() < 1e-3);
        CHECK(made.report["max_rotation_error_degrees"].get<double>() < 1e-4);
    }
}

TEST_CASE("a clip has continuous signs unless they are asked for", "[mrtk-clip]") {
    const mrtk::file::Document flipped = mrtk_document("flipped_signs.bin");
    const Made continued = back_from(clip_of("flipped_signs.bin").clip, {{"version", "1.0"}});
    const auto repaired = mrtk::edit::edit(flipped, {{"continue_signs", true}});
    REQUIRE(repaired.has_value());
    CHECK(inside(continued).full_keys.size() == repaired->document.full_keys.size());
    const Clip raw = clip_of("flipped_signs.bin", {{"rig", "exact"}, {"signs", "recorded"}}).clip;
    const Clip smooth = clip_of("flipped_signs.bin").clip;
    const bool differ = !std::equal(raw.tracks.begin(), raw.tracks.end(), smooth.tracks.begin(),
                                    [](const Track& a, const Track& b) { return a.values == b.values; });
    CHECK(differ);
}

TEST_CASE("a clip without the joints of a recording is refused", "[mrtk-clip]") {
    Clip clip;
    clip.skeleton.nodes = {{"Hips"}};
    Track track;
    track.channel = Channel::translation;
    track.add_key(0.0, std::array<double, 3>{1, 2, 3});
    clip.tracks = {track};
    const Json options = Json::object();
    const Job job;
    const auto made = mrtk::scene::document_from_clip({clip, options, job});
    REQUIRE_FALSE(made.has_value());
    CHECK(made.error().code == ErrorCode::invalid_argument);
}

TEST_CASE("hands without switches are tracked, others are as their switches say", "[mrtk-clip]") {
    Clip clip = clip_of("two_hands_v11.bin").clip;
    std::erase_if(clip.tracks, [](const Track& track) { return track.channel == Channel::property; });
    const Made made = back_from(clip);
    const mrtk::play::Player player(inside(made));
    for (const double seconds : {0.0, 1.0}) {
        CHECK((player.is_on(0, seconds) && player.is_on(1, seconds)));
        CHECK_FALSE((player.is_on(2, seconds) || player.is_on(3, seconds)));
    }
    // No hand, no switch.
    CHECK(inside(back_from(clip_of("flags_camera.bin").clip)) == mrtk_document("flags_camera.bin"));
}

TEST_CASE("few names of a recording among many others are a character's", "[mrtk-clip]") {
    std::vector<std::string> names = {"Hips", "Spine", "Head"};
    CHECK(mrtk::file::is_character(names));
    names.emplace_back("L_Wrist");
    CHECK_FALSE(mrtk::file::is_character(names));
    names.insert(names.end(), {"a", "b", "c", "d", "e", "f", "g"});
    CHECK(mrtk::file::is_character(names));
    names = {"Camera", "Root"};
    CHECK_FALSE(mrtk::file::is_character(names));
    for (std::size_t joint = mrtk::file::wrist; joint < mrtk::file::joint_count; ++joint) {
        names.push_back(mrtk::file::pose_name(mrtk::file::pose_of(1, joint)));
    }
    for (int other = 0; other < 60; ++other) {
        names.push_back("other" + std::to_string(other));
    }
    CHECK_FALSE(mrtk::file::is_character(names));
}

TEST_CASE("joints with parents are sampled in the world", "[mrtk-clip]") {
    Clip clip;
    clip.skeleton.nodes = {{"Root"}, {"R_Wrist", {}, 0}};
    clip.skeleton.nodes[1].rest_local.translation = {0, 1, 0};
    Track track;
    track.channel = Channel::translation;
    track.add_key(0.0, std::array<double, 3>{0, 0, 0});
    track.add_key(1.0, std::array<double, 3>{2, 0, 0});
    clip.tracks = {track};
    clip.duration_seconds = 1.0;
    const Made made = back_from(clip);
    const mrtk::play::Player player(inside(made));
    const auto pose = mrtk::file::pose_named("R_Wrist");
    REQUIRE(pose.has_value());
    const glm::dvec3 half_way = player.pose(*pose, 0.5).position;
    CHECK(std::abs(half_way.x - 1.0) < 1e-6);
    CHECK(std::abs(half_way.z - 1.0) < 1e-6);
    CHECK(made.report["max_position_error_mm"].get<double>() < 1e-3);
}
