// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/trigonometric.hpp>
#include <set>
#include <string>
#include <vector>

#include "catch.h"
#include "scene_child/common/common.h"
#include "scene_child/read_any.h"
#include "scene_child/write/fbx_tree.h"
#include "scene_child/write/parts.h"
#include "scene_child/write/write.h"
#include "support.h"

using namespace animbridge;
using scene_file::file::Target;

namespace {

constexpr double pi = 3.141592653589793;

scene_file::file::Document two_bones() {
    scene_file::file::Document document;
    document.loader = "gltf";
    document.frames_per_second = 30;
    document.nodes.resize(2);
    document.nodes[0].name = "Hips";
    document.nodes[1].name = "Spine";
    document.nodes[1].parent = 0;
    document.nodes[1].rest.translation = {0, 0.5, 0};
    for (scene_file::file::Node& node : document.nodes) {
        node.is_skinned = true;
    }
    return document;
}

scene_file::file::Channel turns(std::uint32_t node, const std::vector<double>& times,
                                const std::vector<double>& degrees) {
    scene_file::file::Channel channel;
    channel.node = node;
    channel.target = Target::rotation;
    channel.times_seconds = times;
    std::vector<double>& values = channel.values.edit();
    for (const double angle : degrees) {
        const glm::dquat q = glm::angleAxis(glm::radians(angle), glm::normalize(glm::dvec3(1, 2, 3)));
        values.insert(values.end(), {q.w, q.x, q.y, q.z});
    }
    return channel;
}

scene_file::file::Document turning() {
    scene_file::file::Document document = two_bones();
    document.animations.push_back({"Turn", 1.0, {turns(1, {0.0, 0.5, 1.0}, {0.0, 80.0, 170.0})}});
    return document;
}

double degrees_between(const glm::dquat& a, const glm::dquat& b) {
    return glm::degrees(
        2.0 * std::asin(std::min(1.0, glm::length(glm::dvec3((glm::inverse(a) * b).x, (glm::inverse(a) * b).y,
                                                             (glm::inverse(a) * b).z)))));
}

}  // namespace

TEST_CASE("Corners of the carrier are apart, wherever joints are", "[scene-write]") {
    for (const double far : {0.0, 1.0, 5000.0}) {
        // Four joints at one position, and one at the corner of another's triangle.
        std::vector<glm::dvec3> places(4, glm::dvec3(far, 1, 0));
        places.emplace_back(far, 1.001, 0);
        places.emplace_back(far, 2, 0);
        const auto triangles = scene_child::write::carrier_triangles(places);
        REQUIRE(triangles.size() == places.size());
        std::vector<glm::vec3> corners;  // as files have them
        for (std::size_t i = 0; i < places.size(); ++i) {
            for (const glm::dvec3& corner : triangles[i]) {
                CHECK(glm::distance(corner, places[i]) < 0.01 * std::max(1.0, far));
                corners.emplace_back(corner);
            }
        }
        for (std::size_t i = 0; i < corners.size(); ++i) {
            for (std::size_t k = 0; k < i; ++k) {
                CHECK(glm::distance(corners[i], corners[k]) > 1e-5F);  // Assimp merges nearer corners
            }
        }
    }
    CHECK(scene_child::write::carrier_triangles({}).empty());
}

TEST_CASE("The carrier's triangles stay near their joints, however many are in one place", "[scene-write]") {
    for (const double extent : {0.0, 0.001, 1.0}) {
        std::vector<glm::dvec3> places(2000, glm::dvec3(0.3, -0.2, 0));
        places.emplace_back(0.3 + extent, -0.2, 0);
        std::vector<glm::vec3> corners;
        double farthest = 0;
        double narrowest = 1;
        std::size_t index = 0;
        for (const scene_child::write::Triangle& triangle : scene_child::write::carrier_triangles(places)) {
            for (const glm::dvec3& corner : triangle) {
                farthest = std::max(farthest, glm::distance(corner, places[index]));
                corners.emplace_back(corner);
            }
            ++index;
            const glm::dvec3 one = triangle[1] - triangle[0];
            const glm::dvec3 other = triangle[2] - triangle[0];
            narrowest =
                std::min(narrowest, glm::length(glm::cross(glm::normalize(one), glm::normalize(other))));
        }
        CHECK(index == places.size());
        CHECK(farthest < 0.003);
        CHECK(narrowest > 0.1);
        std::sort(corners.begin(), corners.end(),
                  [](const glm::vec3& a, const glm::vec3& b) { return a.x < b.x; });
        float nearest = 1;
        for (std::size_t i = 0; i < corners.size(); ++i) {
            for (std::size_t k = i + 1; k < corners.size() && corners[k].x - corners[i].x <= 1e-5F; ++k) {
                nearest = std::min(nearest, glm::distance(corners[i], corners[k]));
            }
        }
        CHECK(nearest > 1e-5F);
    }
}

TEST_CASE("Euler angles are the rotation, and go on from those before", "[scene-write]") {
    glm::dvec3 before(0);
    for (int step = 0; step < 2000; ++step) {
        const double t = 0.01 * step;
        // Y goes around several times, through both poles.
        const glm::dquat turn = glm::angleAxis(1.3 * t, glm::dvec3(0, 1, 0)) *
                                glm::angleAxis(0.4 * t, glm::normalize(glm::dvec3(1, 0.2, 0)));
        const glm::dvec3 angles = scene_child::common::angles_of(turn, before);
        CHECK(degrees_between(turn, scene_child::common::rotation_of(angles)) < 1e-6);
        before = angles;
    }
    // Straight up: X is kept, and Z has the rest.
    const glm::dquat pole = glm::angleAxis(pi / 2, glm::dvec3(0, 1, 0));
    const glm::dvec3 locked = scene_child::common::angles_of(pole, {0.3, 1.5, 0.2});
    CHECK(locked.x == 0.3);
    CHECK(degrees_between(pole, scene_child::common::rotation_of(locked)) < 1e-6);
    // A full turn later.
    const glm::dvec3 next =
        scene_child::common::angles_of(glm::angleAxis(0.1, glm::dvec3(0, 0, 1)), {0, 0, 2 * pi});
    CHECK(std::abs(next.z - (2 * pi + 0.1)) < 1e-9);
}

TEST_CASE("Keys are added until Euler angles follow the rotation", "[scene-write]") {
    const auto motions = scene_child::write::motions_of(turning());
    REQUIRE(motions.has_value());
    const scene_child::write::Keys meant = motions->front().nodes.front().of(Target::rotation);
    scene_child::write::Keys keys = meant;
    scene_child::write::add_rotations_for(scene_child::write::Blend::slerp, keys, 0.002);
    CHECK(keys.times_seconds == meant.times_seconds);
    scene_child::write::add_rotations_for(scene_child::write::Blend::euler, keys, 0.002);
    CHECK(keys.times_seconds.size() > 10);
    for (const double time : meant.times_seconds) {
        CHECK(std::count(keys.times_seconds.begin(), keys.times_seconds.end(), time) == 1);
    }
    glm::dvec3 from = scene_child::common::angles_of(scene_child::write::rotation_at(keys, 0), glm::dvec3(0));
    for (std::size_t i = 1; i < keys.times_seconds.size(); ++i) {
        const glm::dvec3 to = scene_child::common::angles_of(scene_child::write::rotation_at(keys, i), from);
        for (const double share : {0.1, 0.35, 0.6, 0.9}) {
            const double time = keys.times_seconds[i - 1] * (1 - share) + keys.times_seconds[i] * share;
            const double angle = time < 0.5 ? 160.0 * time : 80.0 + 180.0 * (time - 0.5);
            const glm::dquat exact = glm::angleAxis(glm::radians(angle), glm::normalize(glm::dvec3(1, 2, 3)));
            CHECK(degrees_between(exact, scene_child::common::rotation_of(from * (1 - share) + to * share)) <
                  0.003);
        }
        from = to;
    }
}

TEST_CASE("Targets of a node get equal times and the same motion", "[scene-write]") {
    scene_file::file::Document document = turning();
    scene_file::file::Channel path;
    path.node = 1;
    path.target = Target::translation;
    path.times_seconds = {0.25, 2.0};
    path.values = {0, 0, 0, 7, 0, 0};
    document.animations[0].channels.push_back(path);
    document.animations[0].duration_seconds = 3.0;
    auto motions = scene_child::write::motions_of(document);
    REQUIRE(motions.has_value());
    scene_child::write::NodeKeys& keys = motions->front().nodes.front();
    scene_child::write::fill_targets(keys, document.nodes[1].rest, 0.0);
    scene_child::write::unite_times(keys);
    const std::vector<double> expected = {0.0, 0.25, 0.5, 1.0, 2.0, 3.0};
    for (const Target target : {Target::translation, Target::rotation, Target::scale}) {
        CHECK(keys.of(target).times_seconds == expected);
    }
    CHECK(std::abs(scene_child::write::vector_at(keys.of(Target::translation), 2).x - 1.0) < 1e-12);
    CHECK(scene_child::write::vector_at(keys.of(Target::scale), 3) == glm::dvec3(1));
    const glm::dquat quarter = glm::angleAxis(glm::radians(40.0), glm::normalize(glm::dvec3(1, 2, 3)));
    CHECK(degrees_between(scene_child::write::rotation_at(keys.of(Target::rotation), 1), quarter) < 1e-6);
}

TEST_CASE("Rotations do not change sign from key to key", "[scene-write]") {
    scene_file::file::Document document = turning();
    std::vector<double>& values = document.animations[0].channels[0].values.edit();
    std::transform(values.begin() + 4, values.begin() + 8, values.begin() + 4, [](double v) { return -v; });
    const auto motions = scene_child::write::motions_of(document);
    REQUIRE(motions.has_value());
    const scene_child::write::Keys& keys = motions->front().nodes.front().of(Target::rotation);
    for (std::size_t i = 1; i < keys.times_seconds.size(); ++i) {
        CHECK(glm::dot(scene_child::write::rotation_at(keys, i - 1),
                       scene_child::write::rotation_at(keys, i)) > 0.0);
    }
}

TEST_CASE("Keys that are one as floats are written once", "[scene-write]") {
    scene_file::file::Document document = two_bones();
    document.animations.push_back(
        {"Close", 2.0, {turns(0, {0.0, 1.0, 1.0 + 1e-9, 2.0}, {0.0, 10.0, 11.0, 20.0})}});
    const auto motions = scene_child::write::motions_of(document);
    REQUIRE(motions.has_value());
    CHECK(motions->front().nodes.front().of(Target::rotation).times_seconds ==
          std::vector<double>{0.0, 1.0, 2.0});
}

TEST_CASE("A file of Assimp's, read as a tree and written, is the same", "[scene-write]") {
    const auto containers = scene_child::write::written_containers();
    if (std::find(containers.begin(), containers.end(), "fbx") == containers.end()) {
        const auto refused = scene_child::write::write_scene(turning(), "fbx");
        REQUIRE_FALSE(refused.has_value());
        CHECK(refused.error().code == ErrorCode::rejected);
        return;
    }
    const auto file = scene_child::write::write_scene(turning(), "fbx");
    REQUIRE(file.has_value());
    const auto tree = scene_child::write::read_fbx_tree(*file);
    REQUIRE(tree.has_value());
    CHECK(scene_child::write::write_fbx_tree(*tree) == *file);
    for (std::size_t size = 0; size < file->size(); size += 97) {
        const auto cut = scene_child::write::read_fbx_tree(ByteView(*file).first(size));
        CHECK((!cut.has_value() || size + 200 > file->size()));
    }
}

TEST_CASE("Written scenes come back through the program's own readers", "[scene-write]") {
    const scene_file::file::Document document = turning();
    for (const std::string_view container : scene_child::write::written_containers()) {
        INFO(std::string(container));
        const auto file = scene_child::write::write_scene(document, container);
        REQUIRE(file.has_value());
        const std::string loader = container == "fbx" ? "fbx" : container == "dae" ? "collada" : "gltf";
        const auto read = test::read_any({*file, loader, "scene." + std::string(container), ""});
        REQUIRE(read.has_value());
        CHECK(std::count_if(read->nodes.begin(), read->nodes.end(),
                            [](const scene_file::file::Node& node) { return node.is_skinned; }) == 2);
        REQUIRE(read->animations.size() == 1);
        CHECK(read->animations[0].name == "Turn");
        CHECK(std::abs(read->animations[0].duration_seconds - 1.0) < 1e-6);
    }
}

TEST_CASE("Motion stays with joints whose names have dots", "[scene-write]") {
    for (const std::string_view container : scene_child::write::written_containers()) {
        INFO(std::string(container));
        scene_file::file::Document document = turning();
        document.nodes[0].name = "shin.L.001";
        document.nodes[1].name = "shin.L_001";  // equal once dots are gone
        document.animations[0].channels.push_back(turns(0, {0.0, 1.0}, {0.0, 20.0}));
        const auto file = scene_child::write::write_scene(document, container);
        REQUIRE(file.has_value());
        const std::string loader = container == "fbx" ? "fbx" : container == "dae" ? "collada" : "gltf";
        const auto read = test::read_any({*file, loader, "scene." + std::string(container), ""});
        REQUIRE(read.has_value());
        REQUIRE(read->animations.size() == 1);
        std::set<std::string> turned;
        for (const scene_file::file::Channel& channel : read->animations[0].channels) {
            if (channel.target == Target::rotation) {
                turned.insert(read->nodes[channel.node].name);
            }
        }
        CHECK(turned == std::set<std::string>{"shin.L.001", "shin.L_001"});
    }
}

TEST_CASE("What a container cannot hold is an error that says so", "[scene-write]") {
    scene_file::file::Document two = turning();
    two.animations.push_back(two.animations.front());
    CHECK(scene_child::write::write_scene(two, "dae").error().code == ErrorCode::rejected);
    CHECK(scene_child::write::write_scene(two, "obj").error().code == ErrorCode::invalid_argument);
    CHECK(scene_child::write::write_scene(scene_file::file::Document{}, "glb").error().code ==
          ErrorCode::rejected);
    scene_file::file::Document step = turning();
    step.animations[0].channels[0].kind = scene_file::file::KeyKind::step;
    CHECK(scene_child::write::write_scene(step, "dae").error().code == ErrorCode::rejected);
    CHECK(scene_child::write::write_scene(step, "glb").has_value());
    scene_file::file::Document early = turning();
    early.animations[0].channels[0].times_seconds.edit()[0] = -0.5;
    CHECK(scene_child::write::write_scene(early, "glb").error().code == ErrorCode::rejected);
}
