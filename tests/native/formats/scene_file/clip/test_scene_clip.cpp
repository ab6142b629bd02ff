// SPDX-License-Identifier: MIT
// Scenes as clips, against plain 4x4 matrices.
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <string>

#include "base/json/json.h"
#include "catch.h"
#include "formats/scene_file/clip/clip.h"
#include "model/clip/clip.h"
#include "random_scene.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

/// Hermite's own formula, from the glTF specification.
double hermite(double p0, double m0, double p1, double m1, double u) {
    const double u2 = u * u;
    const double u3 = u2 * u;
    return (2 * u3 - 3 * u2 + 1) * p0 + (u3 - 2 * u2 + u) * m0 + (3 * u2 - 2 * u3) * p1 + (u3 - u2) * m1;
}

}  // namespace

TEST_CASE("a scene's space is turned so that up is +Z and the front is -Y", "[scene-clip]") {
    std::size_t spaces = 0;
    for (int up = 0; up < 6; ++up) {
        for (int front = 0; front < 6; ++front) {
            if (up / 2 != front / 2) {
                const scene_file::file::Space space{static_cast<scene_file::file::Axis>(up),
                                                    static_cast<scene_file::file::Axis>(front)};
                const glm::dquat turn = scene_file::clip::turn_of(space);
                CHECK(glm::distance(turn * direction(space.up), glm::dvec3(0, 0, 1)) < near_enough);
                CHECK(glm::distance(turn * direction(space.front), glm::dvec3(0, -1, 0)) < near_enough);
                ++spaces;
            }
        }
    }
    CHECK(spaces == 24);
}

TEST_CASE("joints of random trees rest where matrices put them", "[scene-clip]") {
    Random random;
    for (int turn = 0; turn < 200; ++turn) {
        const scene_file::file::Document made = random_tree(random, turn % 2 == 0);
        const Clip clip = clip_of(made);
        REQUIRE(clip.skeleton.nodes.size() == made.nodes.size());
        check_pose(resting(clip.skeleton), worlds_of(made, rests_of(made)));
    }
}

TEST_CASE("joints of random trees move as matrices do, at keys", "[scene-clip]") {
    Random random;
    const std::vector<double> times = {0.0, 0.25, 1.0};
    for (int turn = 0; turn < 200; ++turn) {
        scene_file::file::Document made = random_tree(random, turn % 2 == 0);
        animate(random, times, made);
        const Clip clip = clip_of(made);
        ClipPoser poser(clip);
        for (std::size_t key = 0; key < times.size(); ++key) {
            poser.pose(times[key]);
            check_pose(poser.world(), worlds_of(made, keyed(made, key)));
        }
    }
}

TEST_CASE("nodes that carry joints place them, scale and mirror them", "[scene-clip]") {
    Random random;
    for (int turn = 0; turn < 100; ++turn) {
        scene_file::file::Document made = random_tree(random, true);
        // A chain of nodes above two joints.
        for (std::uint32_t i = 0; i < made.nodes.size(); ++i) {
            made.nodes[i].parent = i == 0 ? std::nullopt : std::optional(i - 1);
            made.nodes[i].is_skinned = i >= 6;
        }
        const Clip clip = clip_of(made);
        REQUIRE(clip.skeleton.nodes.size() == 2);
        CHECK(clip.skeleton.nodes[0].name == "joint 6");
        const auto worlds = worlds_of(made, rests_of(made));
        check_pose(resting(clip.skeleton), {worlds[6], worlds[7]});
    }
}

TEST_CASE("hips that no skin names are a joint, also where they have a scale", "[scene-clip]") {
    scene_file::file::Document made{"glb"};
    made.nodes = {{"hips"}, {"left leg", 0U}, {"right leg", 0U}, {"spine", 0U}};
    scene_file::file::Animation still;
    for (std::uint32_t node = 0; node < 4; ++node) {
        made.nodes[node].is_skinned = node > 0;
    }
    made.nodes[0].rest.scale = {0.01, 0.01, 0.01};
    scene_file::file::Channel channel;
    channel.node = 0;
    channel.target = scene_file::file::Target::rotation;
    channel.times_seconds = {0.0};
    channel.values = {1, 0, 0, 0};
    still.channels.push_back(channel);
    made.animations.push_back(still);
    const auto names = [&] { return scene_file::clip::joints_of(made).names; };
    CHECK(names().size() == 3);  // at the origin it only scales
    made.nodes[0].rest.translation = {0, 0.9, 0};
    CHECK(names() == std::vector<std::string>{"hips", "left leg", "right leg", "spine"});
    made.nodes[3].is_skinned = false;  // the third one is not a joint
    CHECK(names().size() == 2);
}

TEST_CASE("without skins, what moving joints carry at their end is a joint too", "[scene-clip]") {
    scene_file::file::Document made{"fbx"};
    made.nodes = {{"arm"}, {"forearm", 0U}, {"hand", 1U}, {"lamp", 1U}, {"floor"}};
    made.nodes[3].role = scene_file::file::NodeRole::light;
    scene_file::file::Animation moves;
    for (const std::uint32_t node : {0U, 1U}) {
        scene_file::file::Channel channel;
        channel.node = node;
        channel.target = scene_file::file::Target::rotation;
        channel.times_seconds = {0.0, 1.0};
        channel.values = {1, 0, 0, 0, 0.8, 0.6, 0, 0};
        moves.channels.push_back(channel);
    }
    made.animations.push_back(moves);
    const auto names = [&] { return scene_file::clip::joints_of(made).names; };
    CHECK(names() == std::vector<std::string>{"arm", "forearm", "hand"});
    made.nodes[0].is_skinned = true;  // a skin says itself what its joints are
    CHECK(names() == std::vector<std::string>{"arm", "forearm"});
}

TEST_CASE("a scale that differs by axis moves children along their parent's axes", "[scene-clip]") {
    scene_file::file::Document made{"gltf"};
    made.space.up = scene_file::file::Axis::plus_z;
    made.space.front = scene_file::file::Axis::minus_y;
    made.nodes = {{"above"}, {"below", 0U}};
    made.nodes[0].is_skinned = made.nodes[1].is_skinned = true;
    made.nodes[0].rest = {
        {1, 0, 0}, {std::sqrt(0.5), 0, 0, std::sqrt(0.5)}, {2, 3, 4}};  // 90 degrees about Z
    made.nodes[1].rest.translation = {1, 1, 1};
    const auto made_clip = scene_file::clip::to_clip(made, {std::nullopt, made.space});
    const auto world = resting(made_clip.clip.skeleton);
    CHECK(glm::distance(world[1].translation, glm::dvec3(1 - 3, 2, 4)) < near_enough);
    CHECK(made_clip.stretched == 1);
}

TEST_CASE("joints rest where the skin was bound, and stay where their nodes are", "[scene-clip]") {
    Random random;
    scene_file::file::Document made = random_tree(random, false);
    std::vector<scene_file::file::Placement> binds = rests_of(made);
    for (scene_file::file::Placement& bind : binds) {
        bind.rotation = random.rotation();
    }
    // Bind poses are in the file's world.
    scene_file::file::Document bound = made;
    bound.space = {};
    bound.space.up = scene_file::file::Axis::plus_z;
    bound.space.front = scene_file::file::Axis::minus_y;
    const auto bind_worlds = worlds_of(bound, binds);
    for (std::size_t i = 0; i < made.nodes.size(); ++i) {
        made.nodes[i].bind_world = scene_file::file::Placement{
            glm::dvec3(bind_worlds[i][3]), glm::quat_cast(glm::dmat3(bind_worlds[i])), {1, 1, 1}};
    }
    binds[0] = made.nodes[0].rest;  // a root has no parent that was bound
    const Clip still = clip_of(made);
    check_pose(resting(still.skeleton), worlds_of(made, binds));
    animate(random, {0.0}, made);
    const auto done = scene_file::clip::to_clip(made, {std::nullopt, made.space});
    ClipPoser poser(done.clip);
    poser.pose(0.0);
    check_pose(poser.world(), worlds_of(made, keyed(made, 0)));
    CHECK(done.bind_degrees > 1.0);
    CHECK_FALSE(done.bind_joint.empty());
}

TEST_CASE("cubic keys of a scene become handles of the same curve", "[scene-clip]") {
    Random random;
    for (const scene_file::file::Target target :
         {scene_file::file::Target::translation, scene_file::file::Target::rotation}) {
        scene_file::file::Channel channel{0, target, scene_file::file::KeyKind::cubic, {0.5, 1.25, 3.0}};
        const std::size_t width = scene_file::file::width_of(target);
        std::vector<double>& values = channel.values.edit();
        for (std::size_t key = 0; key < 3; ++key) {
            const auto q = row_of(random.rotation());
            values.insert(values.end(), q.begin(), q.begin() + static_cast<std::ptrdiff_t>(width));
        }
        for (std::size_t i = 0; i < 6 * width; ++i) {
            channel.tangents.edit().push_back(random.number());
        }
        const Track track = scene_file::clip::track_of(channel, {}, {1, 1, 1}, 3, 0.5);
        CHECK(track.node == 3);
        REQUIRE(track.handles.size() == 3 * width);
        for (std::size_t number = 0; number < width; ++number) {
            for (std::size_t key = 0; key < 2; ++key) {
                const double span = channel.times_seconds[key + 1] - channel.times_seconds[key];
                const double out = channel.tangents[(2 * key + 1) * width + number];
                const double in = channel.tangents[(2 * key + 2) * width + number];
                for (const double u : {0.0, 0.2, 0.5, 0.9}) {
                    const double wanted = hermite(channel.values[key * width + number], span * out,
                                                  channel.values[(key + 1) * width + number], span * in, u);
                    const double seconds = 0.5 + channel.times_seconds[key] + span * u;
                    // The root of a cubic for the time costs some digits.
                    CHECK(evaluate(track, seconds, number) == Approx(wanted).margin(1e-5));
                }
            }
        }
    }
}

TEST_CASE("between linear rotations a clip follows the arc, and no key turns around", "[scene-clip]") {
    Random random;
    for (int turn = 0; turn < 50; ++turn) {
        scene_file::file::Channel channel{
            0, scene_file::file::Target::rotation, scene_file::file::KeyKind::linear, {0.0, 1.0, 2.0}};
        std::vector<glm::dquat> keys;
        for (int key = 0; key < 3; ++key) {
            keys.push_back((random.below(2) == 0 ? -1.0 : 1.0) * random.rotation());
            const auto q = row_of(keys.back());
            std::vector<double>& values = channel.values.edit();
            values.insert(values.end(), q.begin(), q.end());
        }
        const Track track = scene_file::clip::track_of(channel, {}, {1, 1, 1}, 0, 0.0);
        REQUIRE(track.inserted.size() == track.key_count());
        CHECK(std::count(track.inserted.begin(), track.inserted.end(), false) == 3);
        for (std::size_t key = 1; key < track.key_count(); ++key) {
            CHECK(glm::dot(track.rotation(key - 1), track.rotation(key)) > 0.0);
        }
        Clip clip{{{{"joint"}}}, {track}, {}, 2.0};
        ClipPoser poser(clip);
        for (int i = 0; i <= 200; ++i) {
            const double seconds = i / 100.0;
            const std::size_t key = i >= 100 ? 1 : 0;
            const glm::dquat to = glm::dot(keys[key], keys[key + 1]) < 0.0 ? -keys[key + 1] : keys[key + 1];
            const glm::dquat wanted = glm::slerp(keys[key], to, seconds - static_cast<double>(key));
            poser.pose(seconds);
            CHECK(angle_between_degrees(poser.local()[0].rotation, wanted) <= 0.002);  // the bound of to_clip
        }
    }
}

TEST_CASE("a step holds until the next key of a scene", "[scene-clip]") {
    const scene_file::file::Channel channel{0,
                                            scene_file::file::Target::translation,
                                            scene_file::file::KeyKind::step,
                                            {1.0, 2.0},
                                            {1, 0, 0, 5, 0, 0}};
    const Track track = scene_file::clip::track_of(channel, {}, {1, 1, 1}, 0, 0.0);
    CHECK(evaluate(track, 0.0) == 1.0);
    CHECK(evaluate(track, std::nextafter(2.0, 0.0)) == 1.0);
    CHECK(evaluate(track, 2.0) == 5.0);
}

TEST_CASE("times before 0 move a clip to its beginning", "[scene-clip]") {
    scene_file::file::Document made{"gltf"};
    made.nodes = {{"joint"}};
    made.animations = {{"A",
                        1.0,
                        {{0,
                          scene_file::file::Target::translation,
                          scene_file::file::KeyKind::linear,
                          {-0.75, 2.0},
                          {0, 0, 0, 1, 0, 0}}}}};
    const auto done = scene_file::clip::to_clip(made, {std::nullopt, made.space});
    CHECK(done.shift_seconds == 0.75);
    CHECK(done.clip.duration_seconds == 2.75);
    REQUIRE(done.clip.tracks.size() == 1);
    CHECK(done.clip.tracks[0].times == std::vector<double>{0.0, 2.75});
}

TEST_CASE("names of joints are made unique, in the order of the nodes", "[scene-clip]") {
    scene_file::file::Document made{"gltf"};
    for (const char* const name : {"Bone", "", "Bone", "Bone.1", "Bone", ""}) {
        made.nodes.push_back({name});
        made.nodes.back().is_skinned = true;
    }
    const auto joints = scene_file::clip::to_clip(made, {std::nullopt, made.space}).joints;
    CHECK(joints.names == std::vector<std::string>{"Bone", "node", "Bone.1", "Bone.1.1", "Bone.2", "node.1"});
    CHECK(joints.renamed == 5);
}

TEST_CASE("the animation that moves most is the main one", "[scene-clip]") {
    using enum scene_file::file::Target;
    scene_file::file::Document made{"gltf"};
    made.nodes = {{"a"}, {"b"}};
    CHECK(scene_file::clip::main_animation(made) == std::nullopt);
    const auto moving = [](std::uint32_t node) {
        return scene_file::file::Channel{
            node, translation, scene_file::file::KeyKind::linear, {0, 1}, {0, 0, 0, 1, 0, 0}};
    };
    const auto still = scene_file::file::Channel{
        1, rotation, scene_file::file::KeyKind::linear, {0, 9}, {1, 0, 0, 0, 1, 0, 0, 0}};
    made.animations = {{"still", 9.0, {still}}};
    CHECK(scene_file::clip::main_animation(made) == 0U);
    made.animations.push_back({"one", 1.0, {moving(0), still}});
    CHECK(scene_file::clip::main_animation(made) == 1U);
    made.animations.push_back({"longer", 2.0, {moving(1)}});
    CHECK(scene_file::clip::main_animation(made) == 2U);
    made.animations.push_back({"two", 0.5, {moving(0), moving(1)}});
    made.animations.push_back({"two again", 0.5, {moving(0), moving(1)}});
    CHECK(scene_file::clip::main_animation(made) == 3U);
}

TEST_CASE("a file's body parts become a rig of its joints' names", "[scene-clip]") {
    scene_file::file::Document made{"gltf"};
    made.nodes = {{"J"}, {"J", 0U}};
    CHECK(scene_file::clip::human_rig(made).empty());
    made.human_bones = {{"hips", 0}, {"spine", 1}};
    const auto rig = parse_json(scene_file::clip::human_rig(made));
    REQUIRE(rig.has_value());
    CHECK((*rig)["slots"] == Json({{"hips", {"J"}}, {"spine", {"J.1"}}}));
}
