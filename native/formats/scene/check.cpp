// SPDX-License-Identifier: MIT
#include "formats/scene/check.h"

#include <algorithm>
#include <array>
#include <glm/geometric.hpp>
#include <set>

#include "base/options/options.h"
#include "formats/scene/clip.h"
#include "formats/scene/frames.h"
#include "formats/scene/rules.h"
#include "model/findings/findings.h"

namespace animbridge::scene {

namespace {

/// The rule of each kind of note, in the order of NoteKind.
constexpr std::array<std::string_view, 8> note_rules = {
    rule::shear,         rule::key_order,         rule::bad_number,       rule::zero_length,
    rule::no_frame_rate, rule::side_file_missing, rule::curves_resampled, rule::other};

void add_notes(const Document& document, FindingList& findings) {
    for (const Note& note : document.notes) {
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

bool has_motion(const Document& document) {
    return std::any_of(document.animations.begin(), document.animations.end(),
                       [](const Animation& animation) {
                           return std::any_of(animation.channels.begin(), animation.channels.end(), varies);
                       });
}

/// Whether anything defines which nodes are joints.
bool has_skeleton(const Document& document) {
    return !document.human_bones.empty() || has_motion(document) ||
           std::any_of(document.nodes.begin(), document.nodes.end(),
                       [](const Node& node) { return node.is_skinned; });
}

void check_content(const Document& document, FindingList& findings) {
    if (document.nodes.empty()) {
        findings.add(rule::no_nodes, "no nodes");
        return;
    }
    if (document.animations.empty()) {
        findings.add(rule::no_animation, "no animations");
    } else if (!has_motion(document)) {
        findings.add(rule::no_motion, std::to_string(document.animations.size()) + " animations");
    }
    if (!has_skeleton(document)) {
        findings.add(rule::no_skeleton, std::to_string(document.nodes.size()) + " nodes");
    }
    if (document.animations.size() > 1) {
        findings.add(rule::several_animations, std::to_string(document.animations.size()) + " animations");
    }
    for (const Animation& animation : document.animations) {
        const bool is_pose = !animation.channels.empty() &&
                             std::all_of(animation.channels.begin(), animation.channels.end(),
                                         [](const Channel& one) { return one.times_seconds.size() == 1; });
        if (is_pose) {
            findings.add(rule::single_key, "animation " + animation.name);
        }
    }
    if (!document.space.says_axes) {
        findings.add(rule::axes_guessed,
                     "up: " + std::string(axis_names.at(static_cast<std::size_t>(document.space.up))));
    }
    if (!document.space.says_unit) {
        findings.add(rule::unit_guessed, shown_number(document.space.metres_per_unit) + " m");
    }
}

void check_names(const Document& document, const Joints& joints, FindingList& findings) {
    std::set<std::string_view> seen;
    for (const std::uint32_t node : joints.nodes) {
        const std::string& name = document.nodes[node].name;
        if (name.empty()) {
            findings.add(rule::name_empty, "node number " + std::to_string(node + 1));
        } else if (!seen.insert(name).second) {
            findings.add(rule::name_duplicate, "\"" + name + "\"", name);
        }
    }
}

/// Finds what the clip leaves out or changes, in any animation.
void check_scales(const Document& document, const SceneClip& made, FindingList& findings) {
    std::set<std::uint32_t> sized;
    for (const Animation& animation : document.animations) {
        for (const Channel& channel : animation.channels) {
            if (channel.target == Target::scale && made.joints.is_joint[channel.node] && varies(channel) &&
                sized.insert(channel.node).second) {
                findings.add(rule::scale_on_joint, "scale keys that differ",
                             document.nodes[channel.node].name);
            }
        }
    }
    if (made.stretched > 0) {
        findings.add(rule::scale_differs_by_axis, std::to_string(made.stretched) + " joints");
    }
    if (made.mirrored > 0) {
        findings.add(rule::mirrored, std::to_string(made.mirrored) + " joints");
    }
    constexpr double tolerated_degrees = 0.1;
    if (made.bind_degrees > tolerated_degrees) {
        findings.add(rule::rest_differs_from_bind, measured_text(made.bind_degrees) + " degrees",
                     made.bind_joint);
    }
}

}  // namespace

std::vector<Finding> check(const Document& document, CheckLevel level) {
    FindingList findings(rules(), level);
    add_notes(document, findings);
    check_content(document, findings);
    if (!document.nodes.empty()) {
        const SceneClip made = skeleton_of(document);
        check_names(document, made.joints, findings);
        check_scales(document, made, findings);
    }
    return findings.take();
}

std::vector<Finding> tolerated(const Document& document) {
    FindingList findings(rules(), CheckLevel::playback);
    add_notes(document, findings);
    return findings.take();
}

}  // namespace animbridge::scene
