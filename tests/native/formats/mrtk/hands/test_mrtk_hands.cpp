// SPDX-License-Identifier: MIT
// What the bones of a recording show, against the witness's poses; and the hand of no recording.
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "catch.h"
#include "formats/mrtk/hands/hands.h"
#include "formats/mrtk/scene/scene.h"
#include "model/clip/clip.h"
#include "mrtk_fixtures.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

/// Spec 4.1: Unity's (x, y, z) is (x, z, y) in Blender, and its x, y, z, w is w, -x, -z, -y.
Transform pose_in_blender(const Json& pose) {
    const Json& p = pose["position"];
    const Json& q = pose["meant"];
    const auto number = [](const Json& row, std::size_t i) { return row[i].get<double>(); };
    return {{number(q, 3), -number(q, 0), -number(q, 2), -number(q, 1)},
            {number(p, 0), number(p, 2), number(p, 1)}};
}

struct Bound {
    double metres = 0;
    double degrees = 0;
};

/// How far a fixture's poses are from those that a clip shows.
class ShownPoses {
public:
    ShownPoses(const std::string& file, const Json& options)
        : clip_(mrtk::scene::document_to_clip(mrtk_document(file), options).value().clip), poser_(clip_) {}

    /// Checks a pose of the manifest: camera and joints that the clip has. Returns the number compared.
    int check(const Json& row, const Bound& bound) {
        poser_.pose(row["time"].get<double>());
        int compared = row.contains("camera") ? check_node("Camera", row["camera"], bound) : 0;
        for (const auto& [hand, letter] : {std::pair{"left", "L_"}, std::pair{"right", "R_"}}) {
            if (!row.contains(hand)) {
                continue;
            }
            for (const auto& [joint, pose] : row[hand]["joints"].items()) {
                compared += check_node(letter + std::string(joint), pose, bound);
            }
        }
        return compared;
    }

    void check_gaze(const Json& gaze) {
        const auto origin = clip_.skeleton.find("Gaze");
        const auto direction = clip_.skeleton.find("GazeDirection");
        REQUIRE((origin && direction));
        check_vector(poser_.world()[*origin].translation, gaze["origin"]);
        // The parent of the direction's node is the origin's, which does not turn.
        check_vector(poser_.local()[*direction].translation, gaze["direction"]);
    }

private:
    static void check_vector(const glm::dvec3& shown, const Json& unity) {
        const glm::dvec3 wanted{unity[0].get<double>(), unity[2].get<double>(), unity[1].get<double>()};
        CHECK(glm::length(shown - wanted) < 1e-12);
    }

    int check_node(const std::string& name, const Json& pose, const Bound& bound) {
        const auto node = clip_.skeleton.find(name);
        if (!node || pose["meant"].is_null()) {
            return 0;
        }
        INFO(name);
        const Transform wanted = pose_in_blender(pose);
        const Transform& shown = poser_.world()[*node];
        CHECK(glm::length(shown.translation - wanted.translation) < bound.metres);
        CHECK(angle_between_degrees(shown.rotation, wanted.rotation) < bound.degrees);
        return 1;
    }

    Clip clip_;
    ClipPoser poser_;
};

/// Which of the manifest's times to check: those up to the first key and after the last one, or all.
enum class Times : std::uint8_t { ends, all };

void check_fixtures(const Json& options, const Bound& bound, const std::set<std::string>& others,
                    Times times) {
    int compared = 0;
    for (const Json& row : mrtk_rows()) {
        const auto file = row["file"].get<std::string>();
        if (!row.contains("poses") || others.count(file) > 0) {
            continue;
        }
        INFO(file);
        ShownPoses shown(file, options);
        for (const Json& pose : row["poses"]) {
            const auto seconds = pose["time"].get<double>();
            const bool is_end = seconds == 0.0 || seconds >= row["duration"].get<double>();
            if (times == Times::ends &&
                (!is_end || row["file"] == "negative_times.bin" || row["file"] == "negative_switches.bin")) {
                continue;
            }
            INFO(seconds);
            compared += shown.check(pose, bound);
            if (pose.contains("gaze")) {
                shown.check_gaze(pose["gaze"]);
            }
        }
    }
    // The camera of nearly all of 69 files, two to five times, and the joints of a third of them.
    CHECK(compared > (times == Times::all ? 500 : 200));
}

/// A clip holds the first and last key; these curves repeat.
const std::set<std::string> repeating = {"wrap_loop.bin", "wrap_loop_then_ping_pong.bin",
                                         "wrap_ping_pong.bin"};

}  // namespace

TEST_CASE("bones without parents show the witness's poses at every time", "[mrtk-hands]") {
    // Both solve cubics in doubles.
    check_fixtures({{"rig", "exact"}}, {1e-9, 1e-6}, repeating, Times::all);
}

TEST_CASE("hands with bones that hang on each other show the witness's poses", "[mrtk-hands]") {
    // At 0, before the first key or on it, and after the end. Angles are those of normalised sums.
    constexpr Bound on_keys{1e-9, 1e-6};
    // The bounds in docs/mrtk.md.
    constexpr Bound between_keys{0.5e-3, 0.25};
    for (const Json& options : {Json{{"rig", "hands"}}, Json{{"rig", "hands"}, {"rest", "flat"}}}) {
        check_fixtures(options, on_keys, repeating, Times::ends);
        check_fixtures(options, between_keys, repeating, Times::all);
    }
}

TEST_CASE("joints hang on those that OpenXR says", "[mrtk-hands]") {
    // Spec 3.1, by MRTK's ids; 99: nothing.
    constexpr std::array<std::size_t, mrtk::file::joint_count> parents = {
        99, 99, 1, 1, 3, 4, 5, 1, 7, 8, 9, 10, 1, 12, 13, 14, 15, 1, 17, 18, 19, 20, 1, 22, 23, 24, 25};
    for (std::size_t joint = 0; joint < mrtk::file::joint_count; ++joint) {
        INFO(joint);
        CHECK(mrtk::hands::parent_of(joint).value_or(99) == parents.at(joint));
        // A bone points to its child joint, but the wrist to the knuckle (spec 3.2).
        const auto next = mrtk::hands::next_of(joint);
        if (joint == mrtk::file::wrist) {
            CHECK(next == std::optional<std::size_t>(13));
        } else if (next) {
            CHECK(parents.at(*next) == joint);
        } else {
            for (std::size_t other = 0; other < mrtk::file::joint_count; ++other) {
                CHECK(parents.at(other) != joint);
            }
        }
    }
}

TEST_CASE("the flat hand's bones point to the next joint, as in recordings", "[mrtk-hands]") {
    for (std::size_t hand = 0; hand < mrtk::file::hand_count; ++hand) {
        const auto places = mrtk::hands::flat_hand(hand);
        CHECK(places[mrtk::file::wrist].translation == glm::dvec3(0));
        for (std::size_t joint = mrtk::file::thumb_metacarpal; joint < mrtk::file::joint_count; ++joint) {
            INFO(mrtk::file::joint_names.at(joint));
            const Transform& place = places.at(joint);
            CHECK(std::abs(glm::length(place.rotation) - 1.0) < 1e-14);
            const glm::dvec3 forward = place.rotation * glm::dvec3(0, 1, 0);
            const glm::dvec3 back = place.rotation * glm::dvec3(0, 0, 1);
            CHECK(forward.y > 0.5);
            // The palm faces -Z; the thumb's nail looks sideways.
            CHECK(back.z > (joint < 7 ? 0.0 : 0.99));
            if (const auto next = mrtk::hands::next_of(joint)) {
                const glm::dvec3 to = places.at(*next).translation - place.translation;
                CHECK(glm::length(glm::cross(forward, to)) < 1e-15);
                // Phalanges and metacarpals of adults are 15 to 70 mm long.
                CHECK((glm::length(to) > 0.015 && glm::length(to) < 0.07));
                CHECK(glm::dot(forward, to) > 0);
            } else {
                const auto before = mrtk::hands::parent_of(joint);
                REQUIRE(before);
                // Spec 3.2: a tip has the rotation of the distal joint.
                CHECK(places.at(*before).rotation == place.rotation);
            }
        }
    }
}

TEST_CASE("the right hand mirrors the left, with the thumbs inside", "[mrtk-hands]") {
    const auto left = mrtk::hands::flat_hand(0);
    const auto right = mrtk::hands::flat_hand(1);
    const auto mirrored = [](const glm::dvec3& v) { return glm::dvec3(-v.x, v.y, v.z); };
    for (std::size_t joint = mrtk::file::wrist; joint < mrtk::file::joint_count; ++joint) {
        INFO(mrtk::file::joint_names.at(joint));
        const Transform& l = left.at(joint);
        const Transform& r = right.at(joint);
        CHECK(r.translation == mirrored(l.translation));
        // The anatomical axes of a hand: towards the tip, and out of its back.
        for (const glm::dvec3 axis : {glm::dvec3(0, 1, 0), glm::dvec3(0, 0, 1)}) {
            CHECK(glm::length(r.rotation * axis - mirrored(l.rotation * axis)) < 1e-15);
        }
    }
    // Spec 3.2: the thumb is at +X of the left hand, at -X of the right one.
    CHECK(left.at(6).translation.x > left.at(26).translation.x);
    CHECK(right.at(6).translation.x < right.at(26).translation.x);
}
