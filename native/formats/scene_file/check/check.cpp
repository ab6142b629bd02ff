// SPDX-License-Identifier: MIT
#include "formats/scene_file/check/check.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/options/options.h"
#include "formats/scene_file/clip/clip.h"

namespace animbridge::scene_file::check {

namespace {

using enum FindingClass;
using enum CheckLevel;

// clang-format off
constexpr std::array<Rule, 22> all_rules = {{
    {"no_nodes", risky, playback,
     "The scene is empty. There is nothing to convert.",
     "Export the scene again, with its skeleton."},
    {"no_animation", advice, playback,
     "The scene has no animation. Conversions give its rest pose.",
     "Export again with animation, if there should be one."},
    {"no_motion", risky, playback,
     "No node moves in any animation.",
     "Export again and bake the animation: constraints and drivers are not part of scene files."},
    {"no_skeleton", risky, playback,
     "No node is a bone of a skin, and none moves. Every node that is not a mesh, camera or light is read as a joint.",
     "Export the skeleton with its mesh, or check the joints with `animbridge rig FILE`."},
    {"side_file_missing", risky, playback,
     "The file names another file that could not be read. What is in it is missing.",
     "Keep both files in one folder."},
    {"bad_number", altered, playback,
     "Numbers are not finite. The keys or placements that have them are left out.",
     "Export the file again."},
    {"zero_length", altered, playback,
     "Rotations have no length. Their keys are left out.",
     "Export the file again."},
    {"key_order", altered, playback,
     "Keys are not in order of time. Those that come too late are left out.",
     "Export the file again."},
    {"scale_on_joint", altered, playback,
     "The size of a joint changes. Conversions move the joints below it accordingly, but keep its own size at "
     "the first key.",
     "Apply the scale, or animate without it."},
    {"scale_differs_by_axis", altered, playback,
     "A joint is below a scale that differs by axis. Its rotations are not exact, nor the positions of joints below it.",
     "Apply the scale before you export."},
    {"mirrored", altered, playback,
     "A joint is below a negative scale. Conversions mirror its motion instead.",
     "Apply the scale before you export."},
    {"shear", altered, playback,
     "A node shears. The shear is left out.",
     "Apply the node's transform before you export."},
    {"axes_guessed", advice, strict,
     "The file does not say which way is up. The usual axes of its format are taken.",
     "If the motion lies on its side, name the axes (command: --up, --forward)."},
    {"unit_guessed", advice, strict,
     "The file does not say how long its unit is. The usual unit of its format is taken.",
     "Check the size of the result."},
    {"no_frame_rate", risky, playback,
     "The file does not say how fast it plays. 25 frames a second are taken.",
     "Check the duration of the result."},
    {"name_empty", advice, strict,
     "A joint has no name. It gets one.",
     "Name the joint."},
    {"name_duplicate", advice, strict,
     "Several joints have the same name. All but the first get a number.",
     "Give each joint a unique name."},
    {"rest_differs_from_bind", advice, strict,
     "A joint's own rest pose is not the pose in which the skin was bound. Conversions use the pose of the skin.",
     "Check the rest pose of the result."},
    {"several_animations", advice, strict,
     "The file has several animations. Conversions take the one that moves most.",
     "Name one to take another (command: --animation)."},
    {"single_key", advice, strict,
     "All channels of an animation have one key: it is a pose.",
     "Add keys if it should move."},
    {"curves_resampled", advice, strict,
     "The file's curves are read as keys with straight lines between them, within a stated bound.",
     "Nothing needs to be done."},
    {"reader_note", risky, playback,
     "Reading left something out or changed it.",
     "Check the result."},
}};
// clang-format on

/// The id of a rule; one that the table lacks does not compile.
consteval std::string_view rule(std::string_view id) { return id_in(all_rules, id); }

/// The rule of each kind of note, in the order of NoteKind.
constexpr std::array<std::string_view, 8> note_rules = {
    rule("shear"),         rule("key_order"),         rule("bad_number"),       rule("zero_length"),
    rule("no_frame_rate"), rule("side_file_missing"), rule("curves_resampled"), rule("reader_note")};

void add_notes(const file::Document& document, FindingList& findings) {
    for (const file::Note& note : document.notes) {
        const std::string_view node = note.node ? std::string_view(document.nodes[*note.node].name) : "";
        std::string found = !note.text.empty() ? note.text
                            : note.count > 1   ? std::to_string(note.count) + " times"
                                               : "once";
        if (found.ends_with('.')) {
            found.pop_back();  // the rule's own sentences follow
        }
        findings.add(note_rules.at(static_cast<std::size_t>(note.kind)), found, node, -1, -1, -1, {},
                     static_cast<std::size_t>(note.count));
    }
}

bool has_motion(const file::Document& document) {
    return std::ranges::any_of(document.animations, [](const file::Animation& animation) {
        return std::ranges::any_of(animation.channels, clip::varies);
    });
}

/// Whether anything defines which nodes are joints.
bool has_skeleton(const file::Document& document) {
    return !document.human_bones.empty() || has_motion(document) ||
           std::ranges::any_of(document.nodes, [](const file::Node& node) { return node.is_skinned; });
}

void check_content(const file::Document& document, FindingList& findings) {
    if (document.nodes.empty()) {
        findings.add(rule("no_nodes"), "no nodes");
        return;
    }
    if (document.animations.empty()) {
        findings.add(rule("no_animation"), "no animations");
    } else if (!has_motion(document)) {
        findings.add(rule("no_motion"), std::to_string(document.animations.size()) + " animations");
    }
    if (!has_skeleton(document)) {
        findings.add(rule("no_skeleton"), std::to_string(document.nodes.size()) + " nodes");
    }
    if (document.animations.size() > 1) {
        findings.add(rule("several_animations"), std::to_string(document.animations.size()) + " animations");
    }
    for (const file::Animation& animation : document.animations) {
        const bool is_pose = !animation.channels.empty() &&
                             std::ranges::all_of(animation.channels, [](const file::Channel& one) {
                                 return one.times_seconds.size() == 1;
                             });
        if (is_pose) {
            findings.add(rule("single_key"), "animation " + animation.name);
        }
    }
    if (!document.space.says_axes) {
        findings.add(rule("axes_guessed"),
                     "up: " + std::string(file::axis_names.at(static_cast<std::size_t>(document.space.up))));
    }
    if (!document.space.says_unit) {
        findings.add(rule("unit_guessed"), shown_number(document.space.metres_per_unit) + " m");
    }
}

void check_names(const file::Document& document, const clip::Joints& joints, FindingList& findings) {
    std::set<std::string_view> seen;
    for (const std::uint32_t node : joints.nodes) {
        const std::string& name = document.nodes[node].name;
        if (name.empty()) {
            findings.add(rule("name_empty"), "node number " + std::to_string(node + 1));
        } else if (!seen.insert(name).second) {
            findings.add(rule("name_duplicate"), "\"" + name + "\"", name);
        }
    }
}

/// Finds what the clip leaves out or changes, in any animation.
void check_scales(const file::Document& document, const clip::SceneClip& made, FindingList& findings) {
    std::set<std::uint32_t> sized;
    for (const file::Animation& animation : document.animations) {
        for (const file::Channel& channel : animation.channels) {
            if (channel.target == file::Target::scale && made.joints.is_joint[channel.node] &&
                clip::varies(channel) && sized.insert(channel.node).second) {
                findings.add(rule("scale_on_joint"), "scale keys that differ",
                             document.nodes[channel.node].name);
            }
        }
    }
    if (made.stretched > 0) {
        findings.add(rule("scale_differs_by_axis"), std::to_string(made.stretched) + " joints");
    }
    if (made.mirrored > 0) {
        findings.add(rule("mirrored"), std::to_string(made.mirrored) + " joints");
    }
    constexpr double tolerated_degrees = 0.1;
    if (made.bind_degrees > tolerated_degrees) {
        findings.add(rule("rest_differs_from_bind"), measured_text(made.bind_degrees) + " degrees",
                     made.bind_joint);
    }
}

}  // namespace

std::vector<Finding> check(const file::Document& document, CheckLevel level) {
    FindingList findings(rules(), level);
    add_notes(document, findings);
    check_content(document, findings);
    if (!document.nodes.empty()) {
        const clip::SceneClip made = clip::skeleton_of(document);
        check_names(document, made.joints, findings);
        check_scales(document, made, findings);
    }
    return findings.take();
}

std::vector<Finding> tolerated(const file::Document& document) {
    FindingList findings(rules(), CheckLevel::playback);
    add_notes(document, findings);
    return findings.take();
}

std::span<const Rule> rules() { return all_rules; }

}  // namespace animbridge::scene_file::check
