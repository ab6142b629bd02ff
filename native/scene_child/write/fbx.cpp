// SPDX-License-Identifier: MIT
#include "scene_child/common/common.h"

#include <assimp/scene.h>
#include <assimp/version.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <glm/trigonometric.hpp>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "scene_child/write/parts.h"

namespace animbridge::scene_child::write {

namespace {

constexpr std::pair<unsigned int, unsigned int> first_version_that_writes{5, 4};

std::pair<unsigned int, unsigned int> version() { return {aiGetVersionMajor(), aiGetVersionMinor()}; }

/// An FBX camera looks along its +X, one in a document along its -Z.
scene_file::file::Document with_fbx_cameras(scene_file::file::Document document) {
    const std::optional<glm::dquat> turn = common::camera_turn({1, 0, 0}, {0, 1, 0});
    std::map<std::uint32_t, glm::dquat> turns;
    for (const scene_file::file::Camera& camera : document.cameras) {
        turns[camera.node] = glm::inverse(*turn);
    }
    common::turn_cameras(document, turns);
    return document;
}

/// The first and the last key of each target: Assimp writes the structure of the file with them. The curves
/// that it makes for rotations spin between keys, so all keys are added later.
std::vector<NodeMotion> outlines_of(const std::vector<NodeMotion>& motions) {
    std::vector<NodeMotion> outlines;
    for (const NodeMotion& motion : motions) {
        NodeMotion& outline = outlines.emplace_back();
        outline.duration_seconds = motion.duration_seconds;
        for (const NodeKeys& keys : motion.nodes) {
            NodeKeys& ends = outline.nodes.emplace_back();
            ends.node = keys.node;
            for (std::size_t i = 0; i < keys.targets.size(); ++i) {
                const Keys& all = keys.targets[i];
                const auto width = static_cast<std::ptrdiff_t>(all.values.size() / all.times_seconds.size());
                ends.targets[i].times_seconds = {all.times_seconds.front(), all.times_seconds.back()};
                ends.targets[i].values.assign(all.values.begin(), all.values.begin() + width);
                ends.targets[i].values.insert(ends.targets[i].values.end(), all.values.end() - width,
                                              all.values.end());
            }
        }
    }
    return outlines;
}

Result<Bytes> write_turned(const scene_file::file::Document& document) {
    TRY(std::vector<NodeMotion> motions, motions_of(document));
    const double frame_seconds = 1.0 / (document.frames_per_second > 0 ? document.frames_per_second : 30.0);
    for (NodeMotion& motion : motions) {
        for (NodeKeys& keys : motion.nodes) {
            add_rotations_for(Blend::euler, keys.of(scene_file::file::Target::rotation),
                              document.uneven_degrees);
            // Readers drop curves with one key.
            fill_targets(keys, document.nodes[keys.node].rest, frame_seconds);
        }
    }
    const std::vector<std::string> names = numbered_names(document);
    const AssimpScene scene = make_scene(document, {names, outlines_of(motions), true});
    TRY(const Bytes file, export_scene(*scene, "fbx"));
    TRY(FbxFile tree, read_fbx_tree(file));
    TRY_VOID(mend_fbx(tree, document, motions));
    return write_fbx_tree(tree);
}

}  // namespace

bool writes_fbx() { return version() >= first_version_that_writes; }

Result<Bytes> write_fbx(const scene_file::file::Document& document) {
    if (!writes_fbx()) {
        const auto [major, minor] = version();
        return fail(ErrorCode::rejected,
                    "this program has Assimp " + std::to_string(major) + '.' + std::to_string(minor) +
                        ", whose FBX files no program reads; it takes Assimp 5.4 or later");
    }
    return document.cameras.empty() ? write_turned(document) : write_turned(with_fbx_cameras(document));
}

namespace {

using scene_file::file::Axis;

/// FBX's number of an axis, 0 to 2, and its sign.
struct FbxAxis {
    int number = 0;
    int sign = 1;
};

FbxAxis fbx_axis(Axis axis) {
    const int value = static_cast<int>(axis);
    return {value / 2, value % 2 == 0 ? 1 : -1};
}

/// The axis to the right in a picture: up x front, in a right-handed space.
FbxAxis right_of(const FbxAxis& up, const FbxAxis& front) {
    const bool is_cyclic = (up.number + 1) % 3 == front.number;
    return {3 - up.number - front.number, (is_cyclic ? 1 : -1) * up.sign * front.sign};
}

constexpr int custom_mode = 14;

/// FBX's number of a frame rate ("time mode").
int time_mode(double frames_per_second) {
    constexpr std::array<std::pair<double, int>, 9> modes = {
        {{120, 1}, {100, 2}, {60, 3}, {50, 4}, {48, 5}, {30, 6}, {25, 10}, {24, 11}, {1000, 12}}};
    // Frame times in text, such as 0.016667, are about this far off.
    constexpr double tolerated = 5e-5;
    const auto* const found = std::ranges::find_if(modes, [&](const auto& mode) {
        return std::abs(mode.first - frames_per_second) < tolerated * mode.first;
    });
    return found == modes.end() ? custom_mode : found->second;
}

}  // namespace

void add_fbx_settings(aiScene& scene, const scene_file::file::Document& document) {
    const scene_file::file::Space& space = document.space;
    const FbxAxis up = fbx_axis(space.up);
    const FbxAxis front = fbx_axis(space.front);
    const FbxAxis right = right_of(up, front);
    const double fps = document.frames_per_second > 0 ? document.frames_per_second : 30.0;
    const int mode = time_mode(fps);
    constexpr double centimetres_per_metre = 100;
    scene.mMetaData = new aiMetadata;
    aiMetadata& data = *scene.mMetaData;
    data.Add("UpAxis", up.number);
    data.Add("UpAxisSign", up.sign);
    data.Add("FrontAxis", front.number);
    data.Add("FrontAxisSign", front.sign);
    data.Add("CoordAxis", right.number);
    data.Add("CoordAxisSign", right.sign);
    data.Add("OriginalUpAxis", up.number);
    data.Add("OriginalUpAxisSign", up.sign);
    data.Add("UnitScaleFactor", space.metres_per_unit * centimetres_per_metre);
    data.Add("OriginalUnitScaleFactor", space.metres_per_unit * centimetres_per_metre);
    data.Add("TimeMode", mode);
    data.Add("CustomFrameRate", mode == custom_mode ? fps : -1.0);
}

namespace {

constexpr double film_mm = 36;
constexpr double mm_per_inch = 25.4;
constexpr std::int32_t field_is_horizontal = 1;

FbxNode fbx_node(std::string_view name, std::vector<FbxProperty> properties) {
    FbxNode node;
    node.name = name;
    node.properties = std::move(properties);
    return node;
}

FbxNode camera_settings(const scene_file::file::Camera& camera) {
    const double field = written_field_degrees(camera);
    const double film_inches = film_mm / mm_per_inch;
    FbxNode list = fbx_node("Properties70", {});
    const auto add = [&](std::string_view name, std::string_view type, FbxProperty value) {
        const std::string_view label = type == "double" ? "Number" : "";
        list.children.push_back(fbx_entry(name, type, label, {std::move(value)}));
    };
    add("AspectWidth", "double", fbx_number(written_aspect));
    add("AspectHeight", "double", fbx_number(1.0));
    add("FilmWidth", "double", fbx_number(film_inches));
    add("FilmHeight", "double", fbx_number(film_inches / written_aspect));
    add("FilmAspectRatio", "double", fbx_number(written_aspect));
    add("ApertureMode", "enum", fbx_number(field_is_horizontal));
    add("FieldOfView", "FieldOfView", fbx_number(field));
    add("FocalLength", "Number", fbx_number(0.5 * film_mm / std::tan(0.5 * glm::radians(field))));
    return list;
}

std::int64_t next_id(const FbxNode& objects) {
    std::int64_t highest = 0;
    for (const FbxNode& object : objects.children) {
        highest = std::max(highest, fbx_id(object));
    }
    return highest + 1;
}

}  // namespace

void add_fbx_cameras(FbxNode& objects, FbxNode& connections, const scene_file::file::Document& document,
                     const std::vector<FbxNode*>& models) {
    std::int64_t id = next_id(objects);
    std::vector<FbxNode> made;  // `models` point into the objects, which must not move yet
    for (const scene_file::file::Camera& camera : document.cameras) {
        if (document.nodes[camera.node].is_skinned) {
            continue;  // a bone of FBX can't be a camera too
        }
        FbxNode& model = *models[camera.node];
        model.properties[2] = fbx_text("Camera");
        const FbxProperty name = fbx_object_name(document.nodes[camera.node].name, "NodeAttribute");
        FbxNode attribute = fbx_node("NodeAttribute", {fbx_number(id), name, fbx_text("Camera")});
        attribute.children.push_back(camera_settings(camera));
        attribute.children.push_back(fbx_node("TypeFlags", {fbx_text("Camera")}));
        attribute.children.push_back(fbx_node("GeometryVersion", {fbx_number(std::int32_t{124})}));
        made.push_back(std::move(attribute));
        connections.children.push_back(
            fbx_node("C", {fbx_text("OO"), fbx_number(id), fbx_number(fbx_id(model))}));
        ++id;
    }
    std::move(made.begin(), made.end(), std::back_inserter(objects.children));
}

}  // namespace animbridge::scene_child::write
