// SPDX-License-Identifier: MIT
// Where the joints of hands get keys besides those of the file, and how many.
#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "allocations.h"
#include "catch.h"
#include "formats/mrtk/clip/clip.h"
#include "formats/mrtk/hands/hands.h"
#include "model/clip/clip.h"
#include "mrtk_small.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

mrtk::clip::HandMotion motion_of(const mrtk::file::Document& document) {
    const mrtk::play::Player player(document);
    return mrtk::clip::hand_motion(document, player, mrtk::hands::hand_rig(player, {}));
}

const Track& track_of(const Clip& clip, std::string_view node, Channel channel) {
    const auto found = std::find_if(clip.tracks.begin(), clip.tracks.end(), [&](const Track& track) {
        return clip.skeleton.nodes[track.node].name == node && track.channel == channel;
    });
    REQUIRE(found != clip.tracks.end());
    return *found;
}

}  // namespace

TEST_CASE("joints follow the lines of a file with few keys", "[mrtk-hand-times]") {
    const mrtk::clip::HandMotion motion = motion_of(recording_of(quarter_turn()));
    const auto palm = motion.clip.skeleton.find("L_Palm");
    REQUIRE(palm);
    REQUIRE(motion.clip.skeleton.nodes[*palm].parent);
    ClipPoser poser(motion.clip);
    double worst_mm = 0.0;
    for (int i = 0; i <= 997; ++i) {
        const double share = i / 997.0;
        poser.pose(share);
        // A straight line in the file: x from 0 to 0.1 m, z, which is Blender's Y, from 0.1 m to 0.
        const glm::dvec3 wanted{0.1 * share, 0.1 * (1.0 - share), 0.0};
        worst_mm = std::max(worst_mm, 1000.0 * glm::length(poser.world()[*palm].translation - wanted));
    }
    CHECK(worst_mm <= 0.5);
    // Without more keys, the palm would follow an arc: 0.1 m (1 - sqrt(1/2)) = 29.3 mm off.
    CHECK(worst_mm > 0.01);
    CHECK(std::abs(motion.difference.position_mm - worst_mm) < 0.05);
    CHECK(motion.difference.joint == "L_Palm");
    CHECK_FALSE(motion.warning());
}

TEST_CASE("keys that no joint has in the file are marked", "[mrtk-hand-times]") {
    const mrtk::clip::HandMotion motion = motion_of(recording_of(quarter_turn()));
    for (const char* const node : {"L_Wrist", "L_Palm"}) {
        for (const Channel channel : {Channel::rotation, Channel::translation}) {
            const Track& track = track_of(motion.clip, node, channel);
            REQUIRE(track.inserted.size() == track.key_count());
            REQUIRE(track.key_count() > 2);
            for (std::size_t key = 0; key < track.key_count(); ++key) {
                const bool is_of_file = track.times[key] == 0.0 || track.times[key] == 1.0;
                CHECK(track.inserted[key] != is_of_file);
            }
        }
    }
}

TEST_CASE("hands that move as their bones do need no more keys", "[mrtk-hand-times]") {
    mrtk::curves::LooseCurves curves(mrtk::file::curve_count);
    add_pose(curves, mrtk::file::pose_of(0, mrtk::file::wrist), 0.0, {0, 0, 0, 0, 0, 0, 1});
    add_pose(curves, mrtk::file::pose_of(0, mrtk::file::wrist), 1.0, {1, 2, 3, 0, 0, 0, 1});
    add_pose(curves, mrtk::file::pose_of(0, mrtk::file::palm), 0.0, {0, 0, 0.1, 0, 0, 0, 1});
    add_pose(curves, mrtk::file::pose_of(0, mrtk::file::palm), 0.5, {0.5, 1, 1.6, 0, 0, 0, 1});
    const mrtk::clip::HandMotion motion = motion_of(recording_of(curves));
    const Track& track = track_of(motion.clip, "L_Wrist", Channel::translation);
    CHECK(track.times == std::vector<double>{0.0, 0.5, 1.0});
    CHECK(track.inserted.empty());
    CHECK(motion.difference.position_mm < 1e-3);
}

TEST_CASE("key times that no two curves share make hands of bounded size", "[mrtk-hand-times]") {
    for (const std::size_t keys : {std::size_t{2000}, std::size_t{5000}}) {
        const mrtk::file::Document document = disjoint_times(keys);
        const std::size_t most = std::max<std::size_t>(16384, 16 * keys);
        const mrtk::play::Player player(document);
        const mrtk::hands::HandRig rig = mrtk::hands::hand_rig(player, {});
        std::size_t peak = 0;
        mrtk::clip::HandMotion motion;
        {
            const Allocations counting;
            motion = mrtk::clip::hand_motion(document, player, rig);
            peak = Allocations::peak_bytes();
        }
        const Track& track = track_of(motion.clip, "L_Palm", Channel::rotation);
        INFO(keys << " keys of each curve, " << track.key_count() << " times, " << peak << " bytes");
        CHECK(track.key_count() <= most);
        // 16384 are fewer than the 28 000 times of the smaller file; the larger one has room for its 70 000.
        CHECK(track.key_count() >= (keys == 2000 ? 16384 : 70000));
        CHECK(std::is_sorted(track.times.begin(), track.times.end()));
        // What hand_motion() takes at most, as a multiple of the size of the keys of a file of version 1.1,
        // or of the size that fewest_most_times allows without a larger file.
        constexpr double most_memory_factor = 32.0;
        // The file's keys take 8 bytes each.
        const std::size_t key_bytes =
            two_joints.size() * mrtk::file::pose_curves * keys * sizeof(mrtk::file::SimpleKey);
        const double allowed =
            most_memory_factor * std::max(static_cast<double>(key_bytes), 16384.0 / 16.0 * 2 * 7 * 8);
        CHECK(static_cast<double>(peak) <= allowed);
        // With such an error, the report has a warning.
        CHECK(motion.warning().has_value());
    }
}
