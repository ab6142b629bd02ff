// SPDX-License-Identifier: MIT
// What verifies written COLLADA, beside Assimp's reader and on damaged files.
#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "catch.h"
#include "scene_child/attempts.h"
#include "scene_child/expectation.h"
#include "scene_child/read/read.h"
#include "scene_child/read_any.h"
#include "scene_child/write/write.h"
#include "support.h"

using namespace animbridge;

namespace {

/// The file that is written for a fixture.
Bytes written_of(const char* fixture) {
    const test::FileBytes bytes = test::load(test::scene_folder() / fixture);
    auto document = test::read_any({bytes, "gltf", fixture});
    REQUIRE(document.has_value());
    for (scene_file::file::Animation& animation : document->animations) {
        for (scene_file::file::Channel& channel : animation.channels) {
            REQUIRE(channel.kind == scene_file::file::KeyKind::linear);
        }
    }
    return scene_child::write::write_scene(*document, "dae").value();
}

using Channels = std::map<std::pair<std::string, scene_file::file::Target>, const scene_file::file::Channel*>;

Channels channels_of(const scene_file::file::Document& document) {
    Channels channels;
    for (const scene_file::file::Channel& channel : document.animations.at(0).channels) {
        channels.emplace(std::pair(document.nodes[channel.node].name, channel.target), &channel);
    }
    return channels;
}

}  // namespace

TEST_CASE("Written COLLADA is to us what it is to Assimp", "[scene]") {
    for (const char* fixture : {"linear.glb", "cameras.glb", "walk.glb", "rest_not_bind.glb"}) {
        INFO(fixture);
        const Bytes file = written_of(fixture);
        const auto ours = scene_child::read::read_written_dae(file).value();
        const auto theirs = scene_child::read::read_scene({file, "collada", "made.dae"}).value();
        REQUIRE(ours.nodes.size() == theirs.nodes.size());
        CHECK(ours.space.up == theirs.space.up);
        CHECK(ours.frames_per_second == theirs.frames_per_second);
        REQUIRE(ours.cameras.size() == theirs.cameras.size());
        for (std::size_t i = 0; i < ours.cameras.size(); ++i) {
            CHECK(ours.cameras[i].node == theirs.cameras[i].node);
            CHECK(ours.cameras[i].horizontal_field_degrees ==
                  Approx(theirs.cameras[i].horizontal_field_degrees).margin(1e-3));
        }
        for (std::size_t i = 0; i < ours.nodes.size(); ++i) {
            const scene_file::file::Node& node = ours.nodes[i];
            const scene_file::file::Node& other = theirs.nodes[i];
            CHECK(node.name == other.name);
            CHECK(node.parent == other.parent);
            CHECK(node.role == other.role);
            CHECK(node.is_skinned == other.is_skinned);
            CHECK(glm::distance(node.rest.translation, other.rest.translation) < 1e-5);
            CHECK(std::abs(glm::dot(node.rest.rotation, other.rest.rotation)) > 1 - 1e-9);
            REQUIRE(node.bind_world.has_value() == other.bind_world.has_value());
            CHECK((!node.bind_world ||
                   glm::distance(node.bind_world->translation, other.bind_world->translation) < 1e-5));
        }
        const Channels mine = channels_of(ours);
        for (const auto& [what, channel] : channels_of(theirs)) {
            if (what.second == scene_file::file::Target::scale) {
                continue;  // Assimp gives one to each node
            }
            INFO(what.first);
            const auto found = mine.find(what);
            REQUIRE(found != mine.end());
            REQUIRE(found->second->times_seconds.size() == channel->times_seconds.size());
            for (std::size_t i = 0; i < channel->values.size(); ++i) {
                CHECK(std::abs(found->second->values[i] - channel->values[i]) < 1e-4);
            }
        }
    }
}

TEST_CASE("Damaged COLLADA of our own is valid, or an error", "[scene][damaged]") {
    Bytes bytes = written_of("linear.glb");
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        REQUIRE_NOTHROW(test::try_dae_read(ByteView(bytes).first(size)));
    }
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        const std::uint8_t own = bytes[at];
        INFO("byte " << at);
        bytes[at] = static_cast<std::uint8_t>(own ^ (1U << (at % 8)));
        REQUIRE_NOTHROW(test::try_dae_read(bytes));
        bytes[at] = own;
    }
}

TEST_CASE("COLLADA of others is no file to verify", "[scene]") {
    const test::FileBytes bytes = test::load(test::scene_folder() / "pivot_stack.dae");
    CHECK(scene_child::read::read_written_dae(bytes).error().reason.find("not as AnimBridge writes it") !=
          std::string::npos);
    CHECK(!scene_child::read::read_written_dae({}).has_value());
}
