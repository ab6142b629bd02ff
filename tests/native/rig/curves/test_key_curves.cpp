// SPDX-License-Identifier: MIT
// Tracks of single numbers with Bezier keys, to F-curves and back: keys and handles survive.
#include <algorithm>

#include "catch.h"
#include "model/clip/clip.h"
#include "rig/curves/curves.h"
#include "rig_support.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

const rig::curves::Timing thirty{30.0, 1.0};

Skeleton one_joint() {
    Skeleton skeleton;
    skeleton.nodes = {{"hand", {}, std::nullopt, {{1, 0, 0, 0}, {0.5, 0.25, 1.0}}}};
    return skeleton;
}

rig::armature::Armature one_bone(const glm::dquat& axes) {
    rig::armature::Armature armature;
    armature.bones.push_back({"hand"});
    armature.bones[0].rest = {axes, {0.5, 0.25, 1.0}};
    return armature;
}

rig::armature::BoneMap one_map() {
    rig::armature::BoneMap map;
    map.bone_of_node = {0};
    map.node_of_bone = {0};
    map.by = {"name"};
    return map;
}

Track number_track(Channel channel, std::uint8_t number, double first) {
    Track track{0, channel};
    track.component = number;
    track.times = {0.0, 0.5 + 0.25 * number, 2.0};
    track.values = {first, 0.25, -0.5};
    track.interpolation = {Interpolation::bezier, Interpolation::bezier, Interpolation::step};
    // Weights other than a third, and handles that no smooth curve has.
    track.handles = {{-0.125, 0.5, 0.25, 0.125}, {-0.25, -0.375, 0.0625, 1.0}, {-1.0, 0.25, 0.5, -0.5}};
    return track;
}

Clip unity_like() {
    Clip clip{one_joint(), {}, {}, 2.0};
    for (std::uint8_t number = 0; number < 4; ++number) {
        clip.tracks.push_back(number_track(Channel::rotation, number, number == 0 ? 1.0 : 0.125 * number));
    }
    for (std::uint8_t number = 0; number < 3; ++number) {
        clip.tracks.push_back(number_track(Channel::translation, number, 0.5));
    }
    return clip;
}

/// The result of foreach_get for curves that foreach_set got.
std::vector<rig::curves::CurveView> views_of(const rig::curves::CurvesFromClip& made) {
    std::vector<rig::curves::CurveView> views;
    for (const rig::curves::BoneCurves& curves : made.curves) {
        for (std::size_t c = 0; c < curves.points.size(); ++c) {
            if (!curves.points[c].empty()) {
                rig::curves::CurveView view{curves.bone, curves.channel, c, curves.points[c], {}, {}, {}, {}};
                if (!curves.interpolation.empty()) {
                    view.interpolation = curves.interpolation[c];
                }
                if (!curves.handles_left.empty()) {
                    view.handles_left = curves.handles_left[c];
                    view.handles_right = curves.handles_right[c];
                }
                views.push_back(view);
            }
        }
    }
    return views;
}

/// The bone's pose, only from its F-curves.
Transform shown_at(const std::vector<rig::curves::CurveView>& views, const rig::armature::Armature& armature,
                   double seconds) {
    std::vector<BonePose> poses(1);
    std::array<double, 4> turn = {1, 0, 0, 0};
    for (const rig::curves::CurveView& view : views) {
        Track curve{0, Channel::property};
        for (std::size_t key = 0; 2 * key < view.points.size(); ++key) {
            curve.times.push_back(view.points[2 * key]);
            curve.values.push_back(view.points[2 * key + 1]);
            curve.interpolation.push_back(view.interpolation.empty()
                                              ? Interpolation::linear
                                              : static_cast<Interpolation>(view.interpolation[key]));
            if (!view.handles_left.empty()) {
                curve.handles.push_back({view.handles_left[2 * key] - curve.times[key],
                                         view.handles_left[2 * key + 1] - curve.values[key],
                                         view.handles_right[2 * key] - curve.times[key],
                                         view.handles_right[2 * key + 1] - curve.values[key]});
            }
        }
        const double value = evaluate(curve, thirty.frame_at(seconds));
        if (view.channel == rig::armature::BoneChannel::quaternion) {
            turn.at(view.component) = value;
        } else {
            poses[0].location[static_cast<int>(view.component)] = value;
        }
    }
    poses[0].rotation = glm::normalize(glm::dquat(turn[0], turn[1], turn[2], turn[3]));
    const glm::dmat4 matrix = posed(armature, poses, 0);
    return {glm::quat_cast(glm::dmat3(matrix)), glm::dvec3(matrix[3])};
}

const glm::dquat quarter_x = glm::angleAxis(std::acos(-1.0) / 2.0, glm::dvec3(1, 0, 0));
const glm::dquat half_z = glm::angleAxis(std::acos(-1.0), glm::dvec3(0, 0, 1));

}  // namespace

TEST_CASE("keys and handles survive F-curves and the way back", "[key-curves]") {
    const Clip clip = unity_like();
    const rig::armature::BoneMap map = one_map();
    for (const glm::dquat& axes : {glm::dquat(1, 0, 0, 0), quarter_x, half_z * quarter_x}) {
        const rig::armature::Armature armature = one_bone(axes);
        const auto made = rig::curves::curves_from_clip(clip, armature, map, thirty);
        CHECK(made.inserted_keys == 0);
        const auto views = views_of(made);
        REQUIRE(views.size() == 7);
        const auto again =
            rig::curves::clip_of_keys(views, clip.skeleton, armature, map, thirty, clip.duration_seconds);
        REQUIRE(again);
        REQUIRE(again->tracks.size() == clip.tracks.size());
        for (const Track& track : clip.tracks) {
            const auto found =
                std::find_if(again->tracks.begin(), again->tracks.end(), [&](const Track& other) {
                    return other.channel == track.channel && other.component == track.component;
                });
            REQUIRE(found != again->tracks.end());
            REQUIRE(found->key_count() == track.key_count());
            CHECK(found->interpolation == track.interpolation);
            for (std::size_t key = 0; key < track.key_count(); ++key) {
                // Single precision near frame 60 and near 1.
                CHECK(found->times[key] == Approx(track.times[key]).margin(2e-7));
                CHECK(found->values[key] == Approx(track.values[key]).margin(2e-7));
                CHECK(found->handles[key].in_time == Approx(track.handles[key].in_time).margin(4e-7));
                CHECK(found->handles[key].out_time == Approx(track.handles[key].out_time).margin(4e-7));
                CHECK(found->handles[key].in_value == Approx(track.handles[key].in_value).margin(4e-7));
                CHECK(found->handles[key].out_value == Approx(track.handles[key].out_value).margin(4e-7));
            }
        }
    }
}

TEST_CASE("the bone shows what the clip does, with its handles or sampled", "[key-curves]") {
    const Clip clip = unity_like();
    const rig::armature::BoneMap map = one_map();
    std::mt19937 random(7);
    for (const bool aligned : {true, false}) {
        const glm::dquat axes = aligned ? quarter_x : random_rotation(random);
        const rig::armature::Armature armature = one_bone(axes);
        const auto made = rig::curves::curves_from_clip(clip, armature, map, thirty);
        CHECK((made.inserted_keys > 0) == !aligned);
        const auto views = views_of(made);
        ClipPoser poser(clip);
        for (int frame = 0; frame < 60; ++frame) {
            const double seconds = frame / 30.0;
            poser.pose(seconds);
            const Transform shown = shown_at(views, armature, seconds);
            const glm::dquat wanted = poser.world()[0].rotation * axes;
            CHECK(angle_between_degrees(shown.rotation, wanted) < 1e-4);
            CHECK(glm::length(shown.translation - poser.world()[0].translation) < 1e-6);
        }
    }
}

TEST_CASE("a property becomes a curve of the object and comes back", "[key-curves]") {
    Clip clip{one_joint(), {}, {}, 2.0};
    Track pinch{0, Channel::property};
    pinch.property = "pinch strength";
    pinch.times = {0.0, 1.5};
    pinch.values = {1.0, 0.25};
    pinch.interpolation = {Interpolation::step, Interpolation::step};
    clip.tracks = {pinch};
    const rig::armature::Armature armature = one_bone({1, 0, 0, 0});
    const auto made = rig::curves::curves_from_clip(clip, armature, one_map(), thirty);
    REQUIRE(made.curves.size() == 1);
    CHECK(made.curves[0].bone == rig::curves::no_bone);
    CHECK(made.curves[0].channel == rig::armature::BoneChannel::property);
    CHECK(made.curves[0].property == "pinch strength");
    CHECK(made.curves[0].points == std::vector<std::vector<float>>{{1.0F, 1.0F, 46.0F, 0.25F}});
    CHECK(made.curves[0].interpolation == std::vector<std::vector<std::uint8_t>>{{0, 0}});
    CHECK(made.warnings.empty());

    auto views = views_of(made);
    REQUIRE(views.size() == 1);
    views[0].property = made.curves[0].property;
    const auto again = rig::curves::clip_of_keys(views, clip.skeleton, armature, one_map(), thirty, 2.0);
    REQUIRE(again);
    REQUIRE(again->tracks.size() == 1);
    CHECK(again->tracks[0].channel == Channel::property);
    CHECK(again->tracks[0].property == "pinch strength");
    CHECK(!again->tracks[0].component);
    CHECK(again->tracks[0].times == pinch.times);
    CHECK(again->tracks[0].values == pinch.values);
    CHECK(again->tracks[0].interpolation == pinch.interpolation);
}

TEST_CASE("an error in a property's curve names the property", "[key-curves]") {
    const std::vector<float> points = {2.0F, 0.0F, 1.0F, 0.0F};
    const rig::curves::CurveView view{
        rig::curves::no_bone, rig::armature::BoneChannel::property, 0, points, {}, {}, {}, {}, "tracked"};
    const auto made = rig::curves::clip_of_keys(std::vector{view}, one_joint(), one_bone({1, 0, 0, 0}),
                                                one_map(), thirty, 2.0);
    REQUIRE(!made);
    CHECK(made.error().message() ==
          "tracked: the curve of the property tracked has keys out of the order of time");
}
