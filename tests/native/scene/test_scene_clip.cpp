// SPDX-License-Identifier: MIT
// Scenes as clips and back, against plain 4x4 matrices.
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat4x4.hpp>
#include <limits>
#include <random>
#include <string>

#include "catch.h"
#include "formats/scene/clip.h"
#include "formats/scene/frames.h"
#include "formats/scene/from_clip.h"
#include "formats/scene/human_rig.h"
#include "formats/scene/tracks.h"
#include "formats/scene/wire.h"
#include "formats/sl_anim/heading.h"
#include "formats/sl_anim/skeleton.h"
#include "model/clip_poser.h"

using namespace animbridge;

namespace {

// Sums and products of a few doubles of size 10.
constexpr double near_enough = 1e-9;

struct Random {
    std::mt19937 engine{30};

    double number(double low = -2.0, double high = 2.0) {
        return std::uniform_real_distribution<double>(low, high)(engine);
    }
    std::size_t below(std::size_t end) { return engine() % end; }
    glm::dvec3 vector() { return {number(), number(), number()}; }
    glm::dquat rotation() { return glm::normalize(glm::dquat(number(), number(), number(), number() + 2.5)); }
    /// The same size along each axis; any signs.
    glm::dvec3 scale() {
        const double size = number(0.5, 2.0);
        const auto sign = [&] { return below(4) == 0 ? -1.0 : 1.0; };
        return {sign() * size, sign() * size, sign() * size};
    }
};

/// Written out, and not by glm's conversions of placements.
glm::dmat4 matrix_of(const scene::Placement& placement) {
    glm::dmat4 matrix = glm::mat4_cast(placement.rotation);
    for (int column = 0; column < 3; ++column) {
        matrix[column] *= placement.scale[column];
    }
    matrix[3] = glm::dvec4(placement.translation, 1.0);
    return matrix;
}

glm::dvec3 direction(scene::Axis axis) {
    switch (axis) {
        case scene::Axis::plus_x:
            return {1, 0, 0};
        case scene::Axis::minus_x:
            return {-1, 0, 0};
        case scene::Axis::plus_y:
            return {0, 1, 0};
        case scene::Axis::minus_y:
            return {0, -1, 0};
        case scene::Axis::plus_z:
            return {0, 0, 1};
        case scene::Axis::minus_z:
            return {0, 0, -1};
    }
    return {};
}

/// From the file's space to clip space: its rows are where the clip's axes are in the file.
glm::dmat4 to_clip_space(const scene::Space& space) {
    const glm::dvec3 z = direction(space.up);
    const glm::dvec3 y = -direction(space.front);
    const glm::dvec3 x = glm::cross(y, z);
    glm::dmat4 matrix(1.0);
    for (int column = 0; column < 3; ++column) {
        matrix[column] = space.metres_per_unit * glm::dvec4(x[column], y[column], z[column], 0.0);
    }
    return matrix;
}

/// All nodes are joints.
scene::Document random_tree(Random& random, bool scales) {
    scene::Document made{"gltf"};
    made.space.up = static_cast<scene::Axis>(random.below(6));
    const auto line = static_cast<std::size_t>(made.space.up) / 2;
    made.space.front = static_cast<scene::Axis>((2 * line + 2 + random.below(4)) % 6);
    made.space.metres_per_unit = random.number(0.01, 2.0);
    for (std::uint32_t i = 0; i < 8; ++i) {
        scene::Node node{"joint " + std::to_string(i)};
        if (i > 0) {
            node.parent = static_cast<std::uint32_t>(random.below(i));
        }
        node.rest = {random.vector(), random.rotation(), scales ? random.scale() : glm::dvec3(1)};
        node.is_skinned = true;
        made.nodes.push_back(std::move(node));
    }
    return made;
}

std::vector<glm::dmat4> worlds_of(const scene::Document& made,
                                  const std::vector<scene::Placement>& placements) {
    std::vector<glm::dmat4> worlds;
    for (std::size_t i = 0; i < made.nodes.size(); ++i) {
        const glm::dmat4 above =
            made.nodes[i].parent ? worlds[*made.nodes[i].parent] : to_clip_space(made.space);
        worlds.push_back(above * matrix_of(placements[i]));
    }
    return worlds;
}

std::vector<scene::Placement> rests_of(const scene::Document& made) {
    std::vector<scene::Placement> placements;
    for (const scene::Node& node : made.nodes) {
        placements.push_back(node.rest);
    }
    return placements;
}

/// A world matrix of even scales is a turn, then a size, then a mirror along x if it mirrors.
void check_pose(const std::vector<Transform>& shown, const std::vector<glm::dmat4>& worlds) {
    REQUIRE(shown.size() == worlds.size());
    for (std::size_t i = 0; i < shown.size(); ++i) {
        CHECK(glm::distance(shown[i].translation, glm::dvec3(worlds[i][3])) < near_enough);
        const glm::dmat3 linear(worlds[i]);
        const double volume = glm::determinant(linear);
        const double size = std::cbrt(std::abs(volume));
        const glm::dmat3 turn = glm::mat3_cast(shown[i].rotation);
        for (int column = 0; column < 3; ++column) {
            const double sign = column == 0 && volume < 0.0 ? -1.0 : 1.0;
            CHECK(glm::distance(turn[column], sign * linear[column] / size) < near_enough);
        }
    }
}

std::vector<Transform> resting(const Skeleton& skeleton) {
    std::vector<Transform> world;
    for (const Node& node : skeleton.nodes) {
        world.push_back(node.parent ? world[*node.parent] * node.rest_local : node.rest_local);
    }
    return world;
}

std::array<double, 4> row_of(const glm::dquat& q) { return {q.w, q.x, q.y, q.z}; }

/// Channels of all nodes with keys at the same times, some of rotations and some of translations.
void animate(Random& random, const std::vector<double>& times, scene::Document& made) {
    scene::Animation& animation = made.animations.emplace_back();
    animation.name = "Any";
    for (std::uint32_t node = 0; node < made.nodes.size(); ++node) {
        scene::Channel turns{node, scene::Target::rotation};
        scene::Channel moves{node, scene::Target::translation};
        turns.times_seconds = moves.times_seconds = times;
        for (std::size_t key = 0; key < times.size(); ++key) {
            const auto q = row_of(random.rotation());
            const glm::dvec3 t = random.vector();
            turns.values.insert(turns.values.end(), q.begin(), q.end());
            moves.values.insert(moves.values.end(), {t.x, t.y, t.z});
        }
        if (random.below(4) > 0) {
            animation.channels.push_back(turns);
        }
        if (random.below(2) > 0) {
            animation.channels.push_back(moves);
        }
    }
}

std::vector<scene::Placement> keyed(const scene::Document& made, std::size_t key) {
    auto placements = rests_of(made);
    for (const scene::Channel& channel : made.animations[0].channels) {
        const double* v = channel.values.data() + key * scene::width_of(channel.target);
        if (channel.target == scene::Target::rotation) {
            placements[channel.node].rotation = {v[0], v[1], v[2], v[3]};
        } else if (channel.target == scene::Target::translation) {
            placements[channel.node].translation = {v[0], v[1], v[2]};
        }
    }
    return placements;
}

/// De Boor would do; Hermite's own formula is the glTF specification's.
double hermite(double p0, double m0, double p1, double m1, double u) {
    const double u2 = u * u;
    const double u3 = u2 * u;
    return (2 * u3 - 3 * u2 + 1) * p0 + (u3 - 2 * u2 + u) * m0 + (3 * u2 - 2 * u3) * p1 + (u3 - u2) * m1;
}

Clip clip_of(const scene::Document& made) { return scene::to_clip(made, {std::nullopt, made.space}).clip; }

}  // namespace

TEST_CASE("a scene's space is turned so that up is +Z and the front is -Y", "[scene-clip]") {
    std::size_t spaces = 0;
    for (int up = 0; up < 6; ++up) {
        for (int front = 0; front < 6; ++front) {
            if (up / 2 != front / 2) {
                const scene::Space space{static_cast<scene::Axis>(up), static_cast<scene::Axis>(front)};
                const glm::dquat turn = scene::turn_of(space);
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
        const scene::Document made = random_tree(random, turn % 2 == 0);
        const Clip clip = clip_of(made);
        REQUIRE(clip.skeleton.nodes.size() == made.nodes.size());
        check_pose(resting(clip.skeleton), worlds_of(made, rests_of(made)));
    }
}

TEST_CASE("joints of random trees move as matrices do, at keys", "[scene-clip]") {
    Random random;
    const std::vector<double> times = {0.0, 0.25, 1.0};
    for (int turn = 0; turn < 200; ++turn) {
        scene::Document made = random_tree(random, turn % 2 == 0);
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
        scene::Document made = random_tree(random, true);
        // A chain of carriers above two joints.
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

TEST_CASE("a scale that differs by axis moves children along their parent's axes", "[scene-clip]") {
    scene::Document made{"gltf"};
    made.space.up = scene::Axis::plus_z;
    made.space.front = scene::Axis::minus_y;
    made.nodes = {{"above"}, {"below", 0U}};
    made.nodes[0].is_skinned = made.nodes[1].is_skinned = true;
    made.nodes[0].rest = {
        {1, 0, 0}, {std::sqrt(0.5), 0, 0, std::sqrt(0.5)}, {2, 3, 4}};  // 90 degrees about Z
    made.nodes[1].rest.translation = {1, 1, 1};
    const auto made_clip = scene::to_clip(made, {std::nullopt, made.space});
    const auto world = resting(made_clip.clip.skeleton);
    CHECK(glm::distance(world[1].translation, glm::dvec3(1 - 3, 2, 4)) < near_enough);
    CHECK(made_clip.stretched == 1);
}

TEST_CASE("joints rest where the skin was bound, and stay where their nodes are", "[scene-clip]") {
    Random random;
    scene::Document made = random_tree(random, false);
    std::vector<scene::Placement> binds = rests_of(made);
    for (scene::Placement& bind : binds) {
        bind.rotation = random.rotation();
    }
    // Bind poses are in the file's world.
    scene::Document bound = made;
    bound.space = {};
    bound.space.up = scene::Axis::plus_z;
    bound.space.front = scene::Axis::minus_y;
    const auto bind_worlds = worlds_of(bound, binds);
    for (std::size_t i = 0; i < made.nodes.size(); ++i) {
        made.nodes[i].bind_world = scene::Placement{
            glm::dvec3(bind_worlds[i][3]), glm::quat_cast(glm::dmat3(bind_worlds[i])), {1, 1, 1}};
    }
    binds[0] = made.nodes[0].rest;  // a root has no parent that was bound
    const Clip still = clip_of(made);
    check_pose(resting(still.skeleton), worlds_of(made, binds));
    animate(random, {0.0}, made);
    const auto done = scene::to_clip(made, {std::nullopt, made.space});
    ClipPoser poser(done.clip);
    poser.pose(0.0);
    check_pose(poser.world(), worlds_of(made, keyed(made, 0)));
    CHECK(done.bind_degrees > 1.0);
    CHECK_FALSE(done.bind_joint.empty());
}

TEST_CASE("cubic keys of a scene become handles of the same curve", "[scene-clip]") {
    Random random;
    for (const scene::Target target : {scene::Target::translation, scene::Target::rotation}) {
        scene::Channel channel{0, target, scene::KeyKind::cubic, {0.5, 1.25, 3.0}};
        const std::size_t width = scene::width_of(target);
        for (std::size_t key = 0; key < 3; ++key) {
            const auto q = row_of(random.rotation());
            channel.values.insert(channel.values.end(), q.begin(),
                                  q.begin() + static_cast<std::ptrdiff_t>(width));
        }
        for (std::size_t i = 0; i < 6 * width; ++i) {
            channel.tangents.push_back(random.number());
        }
        const Track track = scene::track_of(channel, {}, {1, 1, 1}, 3, 0.5);
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
        scene::Channel channel{0, scene::Target::rotation, scene::KeyKind::linear, {0.0, 1.0, 2.0}};
        std::vector<glm::dquat> keys;
        for (int key = 0; key < 3; ++key) {
            keys.push_back((random.below(2) == 0 ? -1.0 : 1.0) * random.rotation());
            const auto q = row_of(keys.back());
            channel.values.insert(channel.values.end(), q.begin(), q.end());
        }
        const Track track = scene::track_of(channel, {}, {1, 1, 1}, 0, 0.0);
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
            CHECK(angle_between_degrees(poser.local()[0].rotation, wanted) <= 0.002);  // clip.h's own bound
        }
    }
}

TEST_CASE("a step holds until the next key of a scene", "[scene-clip]") {
    const scene::Channel channel{
        0, scene::Target::translation, scene::KeyKind::step, {1.0, 2.0}, {1, 0, 0, 5, 0, 0}};
    const Track track = scene::track_of(channel, {}, {1, 1, 1}, 0, 0.0);
    CHECK(evaluate(track, 0.0) == 1.0);
    CHECK(evaluate(track, std::nextafter(2.0, 0.0)) == 1.0);
    CHECK(evaluate(track, 2.0) == 5.0);
}

TEST_CASE("times before 0 move a clip to its beginning", "[scene-clip]") {
    scene::Document made{"gltf"};
    made.nodes = {{"joint"}};
    made.animations = {
        {"A",
         1.0,
         {{0, scene::Target::translation, scene::KeyKind::linear, {-0.75, 2.0}, {0, 0, 0, 1, 0, 0}}}}};
    const auto done = scene::to_clip(made, {std::nullopt, made.space});
    CHECK(done.shift_seconds == 0.75);
    CHECK(done.clip.duration_seconds == 2.75);
    REQUIRE(done.clip.tracks.size() == 1);
    CHECK(done.clip.tracks[0].times == std::vector<double>{0.0, 2.75});
}

TEST_CASE("names of joints are made unique, in the order of the nodes", "[scene-clip]") {
    scene::Document made{"gltf"};
    for (const char* const name : {"Bone", "", "Bone", "Bone.1", "Bone", ""}) {
        made.nodes.push_back({name});
        made.nodes.back().is_skinned = true;
    }
    const auto joints = scene::to_clip(made, {std::nullopt, made.space}).joints;
    CHECK(joints.names == std::vector<std::string>{"Bone", "node", "Bone.1", "Bone.1.1", "Bone.2", "node.1"});
    CHECK(joints.renamed == 5);
}

TEST_CASE("the animation that moves most is the main one", "[scene-clip]") {
    using enum scene::Target;
    scene::Document made{"gltf"};
    made.nodes = {{"a"}, {"b"}};
    CHECK(scene::main_animation(made) == std::nullopt);
    const auto moving = [](std::uint32_t node) {
        return scene::Channel{node, translation, scene::KeyKind::linear, {0, 1}, {0, 0, 0, 1, 0, 0}};
    };
    const auto still = scene::Channel{1, rotation, scene::KeyKind::linear, {0, 9}, {1, 0, 0, 0, 1, 0, 0, 0}};
    made.animations = {{"still", 9.0, {still}}};
    CHECK(scene::main_animation(made) == 0U);
    made.animations.push_back({"one", 1.0, {moving(0), still}});
    CHECK(scene::main_animation(made) == 1U);
    made.animations.push_back({"longer", 2.0, {moving(1)}});
    CHECK(scene::main_animation(made) == 2U);
    made.animations.push_back({"two", 0.5, {moving(0), moving(1)}});
    made.animations.push_back({"two again", 0.5, {moving(0), moving(1)}});
    CHECK(scene::main_animation(made) == 3U);
}

TEST_CASE("a clip becomes a scene and the same clip again, in every space", "[scene-clip]") {
    Random random;
    const std::vector<double> times = {0.0, 0.25, 1.0};
    for (int turn = 0; turn < 48; ++turn) {
        scene::Document any = random_tree(random, false);
        animate(random, times, any);
        const Clip clip = clip_of(any);
        scene::FromClip options;
        options.turns_to_front = false;
        options.is_skinned = turn % 2 == 0;
        const scene::Document made =
            scene::in_space(scene::from_clip(clip, options), random_tree(random, false).space);
        REQUIRE(scene::validate(made).has_value());
        REQUIRE(made.nodes.size() == clip.skeleton.nodes.size() + 1);
        CHECK(made.nodes[0].name == "Armature");
        // By plain matrices, not by to_clip alone.
        const auto rest = worlds_of(made, rests_of(made));
        check_pose(resting(clip.skeleton), {rest.begin() + 1, rest.end()});
        ClipPoser before(clip);
        const Clip back = clip_of(made);
        ClipPoser after(back);
        // Without a skin, roots that stand still only carry what is below them.
        const std::size_t least = options.is_skinned ? clip.skeleton.nodes.size() : 1;
        REQUIRE(back.skeleton.nodes.size() >= least);
        for (const double seconds : times) {
            before.pose(seconds);
            after.pose(seconds);
            for (std::size_t joint = 0; joint < back.skeleton.nodes.size(); ++joint) {
                const auto same = clip.skeleton.find(back.skeleton.nodes[joint].name);
                REQUIRE(same.has_value());
                const Transform& a = before.world()[*same];
                const Transform& b = after.world()[joint];
                CHECK(glm::distance(a.translation, b.translation) < near_enough);
                CHECK(angle_between_degrees(a.rotation, b.rotation) < 1e-6);
            }
        }
    }
}

TEST_CASE("a scene's even turns follow a clip's straight ones", "[scene-clip]") {
    for (const double degrees : {5.0, 30.0, 90.0, 170.0}) {
        const double half = degrees * std::acos(-1.0) / 360.0;
        Track track{0, Channel::rotation};
        track.add_key(0.0, std::array{1.0, 0.0, 0.0, 0.0});
        track.add_key(1.0, std::array{std::cos(half), std::sin(half), 0.0, 0.0});
        const Clip clip{{{{"joint"}}}, {track}, {}, 1.0};
        const scene::Document made = scene::from_clip(clip, {});
        const scene::Channel& channel = made.animations.at(0).channels.at(0);
        ClipPoser poser(clip);
        std::size_t key = 0;
        for (int i = 0; i <= 1000; ++i) {
            const double seconds = i / 1000.0;
            while (key + 2 < channel.times_seconds.size() && channel.times_seconds[key + 1] < seconds) {
                ++key;
            }
            const auto at = [&](std::size_t row) {
                const double* v = channel.values.data() + 4 * row;
                return glm::dquat(v[0], v[1], v[2], v[3]);
            };
            const double share = (seconds - channel.times_seconds[key]) /
                                 (channel.times_seconds[key + 1] - channel.times_seconds[key]);
            poser.pose(seconds);
            const glm::dquat even = glm::slerp(at(key), at(key + 1), share);
            CHECK(angle_between_degrees(poser.local()[0].rotation, even) <= 0.006);
        }
    }
}

TEST_CASE("a file's body parts become a rig of its joints' names", "[scene-clip]") {
    scene::Document made{"gltf"};
    made.nodes = {{"J"}, {"J", 0U}};
    CHECK(scene::human_rig(made).empty());
    made.human_bones = {{"hips", 0}, {"spine", 1}};
    const auto rig = parse_json(scene::human_rig(made));
    REQUIRE(rig.has_value());
    CHECK((*rig)["slots"] == Json({{"hips", {"J"}}, {"spine", {"J.1"}}}));
}

TEST_CASE("a turned avatar is turned back by quarters, with its motion", "[scene-clip]") {
    const Skeleton& avatar = sl_anim::playing_skeleton();
    const double half = std::sqrt(0.5);
    Clip clip{avatar, {}, {}, 1.0};
    Track hips{*avatar.find("mPelvis"), Channel::translation};
    hips.add_key(0.0, std::array{0.1, 0.2, 1.0});
    clip.tracks.push_back(hips);
    for (const glm::dquat& turn : {glm::dquat(1, 0, 0, 0), glm::dquat(half, 0, 0, half),
                                   glm::dquat(0, 0, 0, 1), glm::dquat(half, 0, 0, -half)}) {
        Clip turned = clip;
        for (Node& node : turned.skeleton.nodes) {
            if (!node.parent) {
                node.rest_local = Transform{turn, {0, 0, 0}} * node.rest_local;
            }
        }
        const bool moves_root = !avatar.nodes[hips.node].parent;
        if (moves_root) {
            const glm::dvec3 moved = turn * glm::dvec3(0.1, 0.2, 1.0);
            turned.tracks[0].values = {moved.x, moved.y, moved.z};
        }
        const Clip back = sl_anim::turned_like_avatar(turned);
        const auto wanted = resting(avatar);
        const auto found = resting(back.skeleton);
        for (std::size_t joint = 0; joint < wanted.size(); ++joint) {
            CHECK(glm::distance(wanted[joint].translation, found[joint].translation) < near_enough);
            CHECK(angle_between_degrees(wanted[joint].rotation, found[joint].rotation) < 1e-6);
        }
        CHECK(glm::distance(back.tracks[0].translation(0), glm::dvec3(0.1, 0.2, 1.0)) < near_enough);
    }
    // Another skeleton stays as it is.
    Clip other{{{{"Bone"}}}, {}, {}, 1.0};
    other.skeleton.nodes[0].rest_local.rotation = {0, 0, 0, 1};
    CHECK(sl_anim::turned_like_avatar(other).skeleton.nodes[0].rest_local.rotation.z == 1.0);
}
