// SPDX-License-Identifier: MIT
#include "formats/scene_file/check/check.h"

#include <algorithm>

#include "base/options/options.h"
#include "formats/scene_file/clip/clip.h"

namespace animbridge::scene_file::check {

namespace {

/// Shortened: nobody reads more of a name, and children repeat it.
Json shown(const std::string& text) {
    constexpr std::size_t longest = 256;
    return json_text(shortened(text, longest));
}

Json animation_info(const file::Animation& animation) {
    std::size_t keys = 0;
    for (const file::Channel& channel : animation.channels) {
        keys += channel.times_seconds.size();
    }
    return {{"name", shown(animation.name)},
            {"duration_seconds", animation.duration_seconds},
            {"channels", animation.channels.size()},
            {"keys", keys}};
}

Json joints_info(const clip::SceneClip& made) {
    const auto& nodes = made.clip.skeleton.nodes;
    return list_json(nodes, [&](const animbridge::Node& node) -> Json {
        return {{"name", shown(node.name)},
                {"parent", node.parent ? shown(nodes[*node.parent].name) : Json(nullptr)}};
    });
}

/// "FBX scene", "LightWave scene", "Half-Life model"
std::string title_of(const file::Loader* loader) {
    if (loader == nullptr) {
        return "Scene";
    }
    const std::string title(loader->title);
    return title.ends_with("scene") || title.ends_with("model") ? title : title + " scene";
}

std::size_t count_of(const file::Document& document, file::NodeRole role) {
    return static_cast<std::size_t>(
        std::ranges::count_if(document.nodes, [&](const file::Node& node) { return node.role == role; }));
}

}  // namespace

Json info(const file::Document& document) {
    const file::Loader* loader = file::find_loader(document.loader);
    const clip::SceneClip made = clip::skeleton_of(document);
    const auto name = [](file::Axis axis) { return file::axis_names.at(static_cast<std::size_t>(axis)); };
    return {{"format", "scene"},
            {"title", title_of(loader)},
            {"generator", shown(document.generator)},
            {"program", document.program},
            {"up", name(document.space.up)},
            {"front", name(document.space.front)},
            {"metres_per_unit", document.space.metres_per_unit},
            {"says_axes", document.space.says_axes},
            {"says_unit", document.space.says_unit},
            {"frames_per_second",
             document.frames_per_second > 0.0 ? Json(document.frames_per_second) : Json(nullptr)},
            {"human_format", document.human_format.empty() ? Json(nullptr) : Json(document.human_format)},
            {"nodes", document.nodes.size()},
            {"meshes", count_of(document, file::NodeRole::mesh)},
            {"cameras", document.cameras.size()},
            {"joint_count", made.joints.nodes.size()},
            {"animations", list_json(document.animations, animation_info)},
            {"animation", made.animation},
            {"notes", document.notes.size()},
            {"joints", joints_info(made)}};
}

std::string describe(const std::string& file, const Json& info) {
    std::string text = file + ": " + plain_text(info["title"]) + "\n";
    const auto row = [&](const std::string& label, const std::string& value) {
        text += "  " + left_aligned(label, 18) + value + "\n";
    };
    if (info["generator"] != "") {
        row("made by", plain_text(info["generator"]));
    }
    row("axes", "up " + plain_text(info["up"]) + ", front " + plain_text(info["front"]) +
                    (info["says_axes"].get<bool>() ? "" : " (the file does not say)"));
    row("unit", six_digits(info["metres_per_unit"]) + " m" +
                    (info["says_unit"].get<bool>() ? "" : " (the file does not say)"));
    if (!info["frames_per_second"].is_null()) {
        row("frame rate", six_digits(info["frames_per_second"]));
    }
    if (!info["human_format"].is_null()) {
        row("body parts", "named, by " + plain_text(info["human_format"]));
    }
    row("nodes", plain_text(info["nodes"]) + ", of which " + plain_text(info["joint_count"]) + " joints, " +
                     plain_text(info["meshes"]) + " meshes, " + plain_text(info["cameras"]) + " cameras");
    row("animations", info["animations"].empty() ? "none" : plain_text(Json(info["animations"].size())));
    for (const Json& animation : info["animations"]) {
        const std::string name = plain_text(animation["name"]);
        row("", (name.empty() ? "(no name)" : name) + ": " + six_digits(animation["duration_seconds"]) +
                    " s, " + plain_text(animation["channels"]) + " channels, " +
                    plain_text(animation["keys"]) + " keys");
    }
    if (info["notes"] != 0) {
        row("notes", plain_text(info["notes"]) + "; see animbridge check");
    }
    text += "  " + left_aligned("joint", 32) + "parent\n";
    for (const Json& joint : info["joints"]) {
        const Json& parent = joint["parent"];
        text += "  " + left_aligned(plain_text(joint["name"]), 32) +
                (parent.is_null() ? "" : plain_text(parent)) + "\n";
    }
    return text;
}

namespace {

std::string quoted(const Json& name) { return "\"" + plain_text(name) + "\""; }

}  // namespace

std::string describe_written(const Json& report, bool is_measured) {
    if (!report.contains("verified_by")) {
        return "";
    }
    std::string text;
    if (is_measured) {
        text = "Largest difference: " + measured_text(report["max_position_error_mm"].get<double>()) +
               " mm, " + measured_text(report["max_rotation_error_degrees"].get<double>()) + " degrees\n";
    }
    std::string renamed;
    for (const Json& one : report.value("renamed", Json::array())) {
        renamed += (renamed.empty() ? "" : ", ") + quoted(one["name"]) + " is " + quoted(one["written"]);
    }
    if (const auto keys = report.find("dropped_keys"); keys != report.end()) {
        text += "Keys: " + plain_text((*keys)["after"]) + " of " + plain_text((*keys)["before"]) +
                ", chosen to stay within " + shown_number((*keys)["bound"]["max_position_mm"].get<double>()) +
                " mm and " + shown_number((*keys)["bound"]["max_rotation_degrees"].get<double>()) +
                " degrees\n";
    }
    return text + (renamed.empty() ? "" : "Names that the file cannot hold: " + renamed + "\n");
}

}  // namespace animbridge::scene_file::check
