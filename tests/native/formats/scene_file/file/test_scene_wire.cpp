// SPDX-License-Identifier: MIT
// The forms in which scenes are exchanged: through a pipe and as JSON; and what a scene promises.
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <utility>

#include "allocations.h"
#include "catch.h"
#include "formats/scene_file/file/file.h"
#include "fuzz_inputs.h"
#include "fuzz_scene_documents.h"
#include "invariants.h"

using namespace animbridge;
using namespace animbridge::test;

namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
constexpr double endless = std::numeric_limits<double>::infinity();

/// Two nodes, and a channel of each kind of keys.
scene_file::file::Document small_scene() {
    using namespace scene_file::file;
    Document made{"gltf"};
    made.nodes = {{"Hips"}, {"Spine", 0U}};
    made.cameras = {{1, 40.0}};
    made.human_bones = {{"hips", 0}};
    made.notes = {{NoteKind::other, 1U, 1, "Something."}};
    Animation walk{"Walk", 1.0};
    walk.channels = {
        {0, Target::translation, KeyKind::step, {0.0, 1.0}, {0, 0, 0, 1, 2, 3}},
        {1, Target::rotation, KeyKind::linear, {0.5}, {1, 0, 0, 0}},
        {1, Target::scale, KeyKind::cubic, {0.0}, {1, 1, 1}, {0, 0, 0, 0, 0, 0}},
    };
    made.animations = {walk};
    return made;
}

struct Broken {
    const char* field;
    std::function<void(scene_file::file::Document&)> change;
};

/// Each guarantee of scene_file::file::Document, broken once, and the field that the error names.
std::vector<Broken> broken_scenes() {
    using scene_file::file::Document;
    const auto channel = [](Document& made, std::size_t index) -> scene_file::file::Channel& {
        return made.animations[0].channels[index];
    };
    return {
        {"nodes[0].parent", [](Document& made) { made.nodes[0].parent = 0U; }},
        {"nodes[0].parent", [](Document& made) { made.nodes[0].parent = 1U; }},
        {"nodes[1].parent", [](Document& made) { made.nodes[1].parent = 9U; }},
        {"nodes[1].rest", [](Document& made) { made.nodes[1].rest.translation.y = no_number; }},
        {"nodes[1].rest", [](Document& made) { made.nodes[1].rest.scale.z = endless; }},
        {"nodes[1].rest",
         [](Document& made) {
             made.nodes[1].rest.rotation = {0, 0, 0, 0};
         }},
        {"nodes[1].rest", [](Document& made) { made.nodes[1].rest.rotation.w = no_number; }},
        {"nodes[0].rest",
         [](Document& made) {
             made.nodes[0].bind_world = {{}, {2, 0, 0, 0}, {1, 1, 1}};
         }},
        {"nodes", [](Document& made) { made.cameras[0].node = 2; }},
        {"nodes", [](Document& made) { made.human_bones[0].node = 2; }},
        {"nodes", [](Document& made) { made.notes[0].node = 2; }},
        {"notes", [](Document& made) { made.notes[0].count = 1ULL << 63U; }},
        {"human_bones", [](Document& made) { made.human_bones.resize(3); }},
        {"space.metres_per_unit", [](Document& made) { made.space.metres_per_unit = 0; }},
        {"space.metres_per_unit", [](Document& made) { made.space.metres_per_unit = no_number; }},
        {"space.front", [](Document& made) { made.space.front = scene_file::file::Axis::minus_y; }},
        {"frames_per_second", [](Document& made) { made.frames_per_second = -1; }},
        {"frames_per_second", [](Document& made) { made.frames_per_second = endless; }},
        {"camera.horizontal_field", [](Document& made) { made.cameras[0].horizontal_field_degrees = 180; }},
        {"camera.horizontal_field",
         [](Document& made) { made.cameras[0].horizontal_field_degrees = no_number; }},
        {"animations[0].duration", [](Document& made) { made.animations[0].duration_seconds = -0.5; }},
        {"animations[0].duration", [](Document& made) { made.animations[0].duration_seconds = no_number; }},
        {"animations[0].channels[0].node", [=](Document& made) { channel(made, 0).node = 2; }},
        {"animations[0].channels[0].times",
         [=](Document& made) { channel(made, 0).times_seconds.edit()[1] = 0; }},
        {"animations[0].channels[0].times",
         [=](Document& made) { channel(made, 0).times_seconds.edit()[1] = no_number; }},
        {"animations[0].channels[1].times",
         [=](Document& made) { channel(made, 1).times_seconds.edit().clear(); }},
        {"animations[0].channels[0].values",
         [=](Document& made) { channel(made, 0).values.edit().pop_back(); }},
        {"animations[0].channels[0].values",
         [=](Document& made) { channel(made, 0).values.edit()[0] = endless; }},
        {"animations[0].channels[0].values", [=](Document& made) { channel(made, 0).tangents = {1.0}; }},
        {"animations[0].channels[1].values",
         [=](Document& made) { channel(made, 1).values.edit()[0] = 0.5; }},
        {"animations[0].channels[2].values",
         [=](Document& made) { channel(made, 2).tangents.edit().pop_back(); }},
        {"animations[0].channels[2].values",
         [=](Document& made) { channel(made, 2).tangents.edit()[0] = no_number; }},
        {"animations[0].channels[2]", [=](Document& made) { channel(made, 2) = channel(made, 1); }},
    };
}

/// The peak of from_wire in bytes.
std::size_t peak_of(ByteView wire, bool is_scene) {
    const Allocations counting;
    CHECK(scene_file::file::from_wire(wire).has_value() == is_scene);
    return Allocations::peak_bytes();
}

void check_memory(const Bytes& wire, bool is_scene = true) {
    const std::size_t peak = peak_of(wire, is_scene);
    INFO(peak << " bytes for " << wire.size());
    CHECK(peak <= 4 * wire.size() + (1U << 20U));
}

void put(Bytes& bytes, std::size_t at, std::uint32_t value) {
    for (std::size_t i = 0; i < 4; ++i) {
        bytes[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
    }
}

}  // namespace

TEST_CASE("a scene's wire form and JSON read back to the scene", "[scene-wire]") {
    std::mt19937 random(20);
    for (int turn = 0; turn < 500; ++turn) {
        const scene_file::file::Document made = any_scene(random);
        REQUIRE(scene_file::file::validate(made).has_value());
        const auto by_wire = scene_file::file::from_wire(scene_file::file::to_wire(made));
        REQUIRE(by_wire.has_value());
        CHECK(are_equal(*by_wire, made));
        const auto by_json = scene_file::file::from_json(scene_file::file::to_json(made));
        if (!by_json) {
            FAIL(by_json.error().message());
        }
        CHECK(are_equal(*by_json, made));
        // Also as text, the form of files.
        const auto by_text = parse_json(print_json(scene_file::file::to_json(made)));
        REQUIRE(by_text.has_value());
        CHECK(are_equal(*scene_file::file::from_json(*by_text), made));
    }
}

TEST_CASE("a broken promise of a scene is an error that names the field", "[scene-wire]") {
    REQUIRE(scene_file::file::validate(small_scene()).has_value());
    for (const Broken& broken : broken_scenes()) {
        scene_file::file::Document made = small_scene();
        broken.change(made);
        INFO(broken.field);
        const auto checked = scene_file::file::validate(made);
        REQUIRE_FALSE(checked.has_value());
        CHECK(checked.error().field == broken.field);
        CHECK(checked.error().code == ErrorCode::bad_value);
        CHECK_FALSE(scene_file::file::from_wire(scene_file::file::to_wire(made)).has_value());
    }
}

TEST_CASE("a scene is as deep as it may be", "[scene-wire]") {
    scene_file::file::Document made{"gltf"};
    for (std::uint32_t i = 0; i <= scene_file::file::deepest_node; ++i) {
        made.nodes.push_back({"node"});
        if (i > 0) {
            made.nodes.back().parent = i - 1;
        }
    }
    CHECK(scene_file::file::from_wire(scene_file::file::to_wire(made)).has_value());
    made.nodes.push_back({"node", static_cast<std::uint32_t>(scene_file::file::deepest_node)});
    const auto checked = scene_file::file::from_wire(scene_file::file::to_wire(made));
    REQUIRE_FALSE(checked.has_value());
    CHECK(checked.error().field == "nodes[1001]");
}

TEST_CASE("a wire form cut anywhere is refused", "[scene-wire]") {
    const Bytes wire = scene_file::file::to_wire(small_scene());
    for (std::size_t size = 0; size < wire.size(); ++size) {
        const Bytes cut(wire.begin(), wire.begin() + static_cast<std::ptrdiff_t>(size));
        CHECK_FALSE(scene_file::file::from_wire(cut).has_value());
        CHECK_NOTHROW(try_scene_wire(cut));
    }
    Bytes longer = wire;
    longer.push_back(0);
    CHECK_FALSE(scene_file::file::from_wire(longer).has_value());
}

TEST_CASE("a wire form changed at any byte breaks nothing", "[scene-wire]") {
    Bytes wire = scene_file::file::to_wire(small_scene());
    std::size_t read = 0;
    for (std::size_t place = 0; place < wire.size(); ++place) {
        const std::uint8_t original = wire[place];
        for (const int patch : {0x00, 0x01, 0x7f, 0xff, original + 1, original - 1, original ^ 0x80}) {
            wire[place] = static_cast<std::uint8_t>(patch);
            INFO(patch << " at " << place);
            CHECK_NOTHROW(try_scene_wire(wire));
            read += scene_file::file::from_wire(wire).has_value() ? 1U : 0U;
        }
        wire[place] = original;
    }
    CHECK(read > wire.size());  // the size of numbers in a scene may differ
}

TEST_CASE("wire forms of random scenes, changed at random, break nothing", "[scene-wire][damaged]") {
    std::mt19937 random(21);
    for (int turn = 0; turn < 20000; ++turn) {
        Bytes wire = scene_file::file::to_wire(any_scene(random));
        for (std::size_t change = 0; change < 1 + random() % 3; ++change) {
            wire[random() % wire.size()] = static_cast<std::uint8_t>(random());
        }
        CHECK_NOTHROW(try_scene_wire(wire));
    }
}

TEST_CASE("reading a wire form takes at most four times its bytes", "[scene-wire]") {
    constexpr std::size_t many = 100000;
    scene_file::file::Document names{"gltf"};
    names.nodes.resize(many);
    check_memory(scene_file::file::to_wire(names));
    names.human_bones.resize(many);
    check_memory(scene_file::file::to_wire(names));
    scene_file::file::Document notes{"gltf"};
    notes.notes.resize(many);
    check_memory(scene_file::file::to_wire(notes));
    scene_file::file::Document animations{"gltf"};
    animations.animations.resize(many);
    check_memory(scene_file::file::to_wire(animations));
    scene_file::file::Document keys = small_scene();
    keys.animations[0].channels.resize(1);
    keys.animations[0].channels[0] = {0, scene_file::file::Target::rotation};
    std::vector<double>& times = keys.animations[0].channels[0].times_seconds.edit();
    std::vector<double>& values = keys.animations[0].channels[0].values.edit();
    for (std::size_t key = 0; key < many; ++key) {
        times.push_back(static_cast<double>(key));
        values.insert(values.end(), {1, 0, 0, 0});
    }
    check_memory(scene_file::file::to_wire(keys));
    scene_file::file::Document text{"gltf", std::string(many * 10, 'x')};
    check_memory(scene_file::file::to_wire(text));
    scene_file::file::Document channels{"gltf"};
    channels.nodes.resize(many);
    channels.animations.resize(1);
    for (std::uint32_t node = 0; node < many; ++node) {
        channels.animations[0].channels.push_back(
            {node, scene_file::file::Target::scale, scene_file::file::KeyKind::linear, {0.0}, {1, 1, 1}});
    }
    check_memory(scene_file::file::to_wire(channels));
}

TEST_CASE("counts that promise more than there is take no memory", "[scene-wire]") {
    // Each list in turn claims all remaining bytes, and so does the first list inside it.
    Bytes wire = scene_file::file::to_wire(scene_file::file::Document{"gltf"});
    const std::size_t lists = wire.size() - 5 * 4;
    for (std::size_t list = 0; list < 5; ++list) {
        for (const std::uint32_t least : {88U, 12U, 16U, 8U, 14U}) {
            Bytes forged = wire;
            forged.resize(forged.size() + 4'000'000, 0);
            put(forged, lists + 4 * list, static_cast<std::uint32_t>(4'000'000 / least - 2));
            check_memory(forged, false);
            put(forged, lists + 4 * list, std::numeric_limits<std::uint32_t>::max());
            check_memory(forged, false);
        }
    }
    // The first of many animations claims to have all channels.
    Bytes nested = wire;
    nested.resize(nested.size() + 4'000'000, 0);
    put(nested, lists + 8, 200'000);
    put(nested, lists + 12 + 4 + 8, 130'000);
    check_memory(nested, false);
}

TEST_CASE("a scene's JSON names what is wrong with it", "[scene-wire]") {
    const Json good = scene_file::file::to_json(small_scene());
    const auto field_of = [](const Json& json) {
        const auto read = scene_file::file::from_json(json);
        return read ? std::string("nothing") : read.error().field;
    };
    CHECK(field_of(good) == "nothing");
    Json bad = good;
    bad["nodes"][1]["role"] = "joint";
    CHECK(field_of(bad) == "nodes[1].role");
    bad = good;
    bad["nodes"][1]["rest"]["scale"] = {1, 1};
    CHECK(field_of(bad) == "nodes[1].rest.scale");
    bad = good;
    bad["animations"][0]["channels"][2]["interpolation"] = "smooth";
    CHECK(field_of(bad) == "animations[0].channels[2].interpolation");
    bad = good;
    bad["animations"][0]["channels"][0]["times_seconds"] = {0.0, "one"};
    CHECK(field_of(bad).starts_with("animations[0].channels[0].times_seconds"));
    bad = good;
    bad["nodes"][1]["parent"] = 1;  // a guarantee of the scene itself
    CHECK(field_of(bad) == "nodes[1].parent");
    bad = good;
    bad.erase("space");
    CHECK(field_of(bad) != "nothing");
}
