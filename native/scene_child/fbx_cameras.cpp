// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <glm/trigonometric.hpp>
#include <iterator>
#include <utility>

#include "scene_child/fbx_fix.h"
#include "scene_child/write_cameras.h"

namespace animbridge::scene_child {

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

FbxNode camera_settings(const scene::Camera& camera) {
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

void add_fbx_cameras(FbxNode& objects, FbxNode& connections, const scene::Document& document,
                     const std::vector<FbxNode*>& models) {
    std::int64_t id = next_id(objects);
    std::vector<FbxNode> made;  // `models` point into the objects, which must not move yet
    for (const scene::Camera& camera : document.cameras) {
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

}  // namespace animbridge::scene_child
