// SPDX-License-Identifier: MIT
#include "formats/sl_pose/check/check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "base/files/files.h"
#include "base/options/options.h"
#include "formats/sl_pose/play/play.h"
#include "rig/avatar/avatar.h"

namespace animbridge::sl_pose::check {

namespace {

using rig::avatar::JointKind;
using rig::avatar::skeleton;

constexpr std::array<Rule, 22> all_rules = {{
    {"late_declaration", FindingClass::rejected, CheckLevel::playback,
     "The viewers refuse the file: something precedes its XML declaration.",
     "Remove the blank lines at the beginning."},
    {"text_after_end", FindingClass::advice, CheckLevel::playback,
     "The viewers load the pose and then report an error.", "Remove what follows the last </llsd>."},
    {"lost_document", FindingClass::altered, CheckLevel::playback,
     "The viewers skip the rest of a line after </llsd>.", "Begin each <llsd> on a line of its own."},
    {"difference_pose", FindingClass::risky, CheckLevel::playback,
     "The pose is a difference: Firestorm adds it to animations that are not in the file.",
     "Name the animations with --under, or convert what the file has with --on-tpose."},
    {"incomplete_states", FindingClass::advice, CheckLevel::playback,
     "Firestorm names only the animations that the saver owns, so others may be missing.",
     "Compare the result with the viewer."},
    {"corrupt_joint_list", FindingClass::altered, CheckLevel::playback,
     "Firestorm cannot write four joints in the list of an animation's joints, and reads others instead.",
     "Look at the left wrist, the left middle finger and the hind limbs."},
    {"assumed_program", FindingClass::risky, CheckLevel::playback,
     "The file does not say which viewer wrote it. It is read as Black Dragon's.",
     "If Firestorm wrote it, its y and z rotations are exchanged: save it again with a newer version."},
    {"other_viewer", FindingClass::advice, CheckLevel::playback,
     "The other viewer lists the file and shows another pose.",
     "For that viewer, convert the file with --pose-format."},
    {"version_not_read", FindingClass::altered, CheckLevel::playback,
     "The viewers read the version and the start only from a map with a value. Here they take 0 or false.",
     "Write the number in a map, under the key value."},
    {"newer_version", FindingClass::advice, CheckLevel::playback,
     "The file is newer than AnimBridge knows. It is read as the newest known version.",
     "Compare the result with the viewer."},
    {"file_name", FindingClass::risky, CheckLevel::playback,
     "Firestorm lists a file of this name and never loads it.", "Use ASCII in the name, without % and |."},
    {"unknown_joint", FindingClass::altered, CheckLevel::playback,
     "The viewer ignores the joint, and its next save removes it.", "Use a name of the viewer's poser."},
    {"same_joint", FindingClass::altered, CheckLevel::playback,
     "Several entries are for one joint. The last one counts.", "Remove the others."},
    {"unreadable_number", FindingClass::altered, CheckLevel::playback,
     "The viewer cannot read the number, and takes it as 0.",
     "Write a decimal number, with nothing after it."},
    {"element_count", FindingClass::altered, CheckLevel::playback,
     "The viewer reads the first three numbers, and takes missing ones as 0.", "Write three numbers."},
    {"not_finite", FindingClass::altered, CheckLevel::playback,
     "The number is too large. The viewer shows no rotation, position 0 or scale 1.",
     "Write a smaller number."},
    {"avatar_position", FindingClass::advice, CheckLevel::playback,
     "The viewer adds the position to that of the avatar who loads the pose.",
     "Expect another place on an avatar of another shape."},
    {"carries_shape", FindingClass::advice, CheckLevel::playback,
     "The positions are absolute, and may hold the body shape of whoever saved the pose.",
     "To keep another avatar's shape, load rotations only."},
    {"not_shown", FindingClass::advice, CheckLevel::playback,
     "Black Dragon keeps rotations and positions of volumes and points, and does not show them.",
     "Expect only their scale to show."},
    {"pelvis_volume", FindingClass::altered, CheckLevel::playback,
     "Black Dragon turns the volume PELVIS to its stored rotation, which nobody set.",
     "Nothing: conversions leave it at rest."},
    {"negative_scale", FindingClass::risky, CheckLevel::playback,
     "The viewer shows the joint without size, or as its mirror image.", "Set scales above 0."},
    {"gimbal_storage", FindingClass::advice, CheckLevel::strict,
     "The angles are stored in gimbal lock, where they are up to 0.025 degrees off.",
     "Nothing, unless the joint must be more exact: then turn it a little."},
}};

constexpr std::int32_t newest_version = 8;
constexpr double shape_metres = 0.0005;

/// Checks one document.
class Checker {
public:
    Checker(const file::Document& document, const pose::Pose& pose, CheckLevel level)
        : document_(document), pose_(pose), findings_(all_rules, level) {}

    std::vector<Finding> take(std::string_view file_name) {
        for (const file::Note& note : document_.notes) {
            findings_.add(note.rule, note.found, {}, -1, -1, note.line);
        }
        check_states();
        check_program(file_name);
        count_names();
        for (const file::Value& root : document_.documents) {
            if (root.kind == file::Kind::map) {
                check_root(root);
            }
        }
        for (const pose::Entry& entry : pose_.entries) {
            check_entry(entry);
        }
        for (const play::Shown& joint : play::shown(pose_)) {
            check_shown(joint);
        }
        return findings_.take();
    }

private:
    void check_program(std::string_view file_name) {
        const bool is_firestorm = pose_.program == pose::Program::firestorm;
        if (pose_.is_assumed) {
            findings_.add("assumed_program", "version 3");
        }
        findings_.add("other_viewer", !is_firestorm        ? "Firestorm exchanges the y and z rotations"
                                      : pose_.version >= 4 ? "Black Dragon sets the positions of bones to 0"
                                                           : "Black Dragon exchanges the y and z rotations");
        if (is_firestorm && pose_.version > newest_version) {
            findings_.add("newer_version", "version " + std::to_string(pose_.version));
        }
        const std::string_view name = name_in_path(file_name);
        if (is_firestorm &&
            std::ranges::any_of(name, [](char c) { return c == '%' || c == '|' || c < ' ' || c > '~'; })) {
            findings_.add("file_name", std::string(name));
        }
    }

    /// Firestorm compares names without case.
    [[nodiscard]] std::string compared(const std::string& name) const {
        return pose_.program == pose::Program::firestorm ? in_lower_case(name) : name;
    }

    void count_names() {
        for (const file::Value& root : document_.documents) {
            if (const file::Value* const bone = root.find("bone")) {
                ++names_[compared(file::string_of(bone))];
            }
            for (const std::string& key : root.keys) {
                ++names_[compared(key)];
            }
        }
    }

    void check_states() {
        if (!pose_.is_difference()) {
            return;
        }
        findings_.add("difference_pose", play::difference_text(pose_));
        if (!pose_.states.empty()) {
            findings_.add("incomplete_states", counted(pose_.states.size(), "animation"));
        }
        for (const pose::State& state : pose_.states) {
            if (state.is_corrupt) {
                findings_.add("corrupt_joint_list", "poseState" + std::to_string(state.number));
            }
        }
    }

    void check_root(const file::Value& root) {
        for (std::size_t i = 0; i < root.items.size(); ++i) {
            const std::string& key = root.keys[i];
            const file::Value& value = root.items[i];
            const bool is_header = key == "version" || key == "startFromTeePose";
            if (is_header && value.find("value") == nullptr &&
                !(key == "version" && pose_.version == 0 && value.kind == file::Kind::map)) {
                findings_.add("version_not_read", key);
            }
            if (!is_header && value.kind == file::Kind::map) {
                check_numbers(value, key);
            }
        }
        check_numbers(root, file::string_of(root.find("bone")));
    }

    void check_numbers(const file::Value& entry, std::string_view joint) {
        for (const std::string_view key : {"rotation", "position", "scale"}) {
            const file::Value* const value = entry.find(key);
            if (value == nullptr || (&entry == &document_.documents.front() && joint.empty())) {
                continue;
            }
            const std::size_t count = value->kind == file::Kind::array ? value->items.size() : 0;
            if (count != 3) {
                findings_.add("element_count", std::string(key) + ": " + counted(count, "number"), joint);
            }
            for (std::size_t i = 0; i < std::min<std::size_t>(count, 3); ++i) {
                check_number(value->items[i], std::string(key), joint);
            }
        }
    }

    void check_number(const file::Value& value, const std::string& key, std::string_view joint) {
        if (!file::is_read_as_number(value)) {
            findings_.add("unreadable_number", key + ": \"" + std::string(shortened(value.text, 40)) + "\"",
                          joint);
        } else if (!std::isfinite(static_cast<float>(file::real_of(&value)))) {
            findings_.add("not_finite", key, joint);
        }
    }

    void check_entry(const pose::Entry& entry) {
        if (!entry.joint) {
            findings_.add("unknown_joint", std::string(shortened(entry.key, 60)), entry.key);
            return;
        }
        const bool is_firestorm = pose_.program == pose::Program::firestorm;
        if (names_.at(compared(entry.key)) > 1) {
            findings_.add("same_joint", entry.key, entry.key);
        }
        if (is_firestorm && !pose_.is_absolute() && entry.position && entry.position != pose::Triple{}) {
            findings_.add("avatar_position", entry.key, entry.key);
        }
        if (pose_.is_absolute() && entry.position && skeleton()[*entry.joint].node.parent &&
            !pose::is_volume(*entry.joint)) {
            const glm::dvec3 away =
                glm::dvec3((*entry.position)[0], (*entry.position)[1], (*entry.position)[2]) -
                pose::rest_position(*entry.joint);
            const bool is_away =
                std::max({std::abs(away.x), std::abs(away.y), std::abs(away.z)}) > shape_metres;
            if (is_away && skeleton()[*entry.joint].kind == JointKind::bone) {
                findings_.add("carries_shape", entry.key, entry.key);
            }
        }
    }

    void check_shown(const play::Shown& joint) {
        const std::string& name = skeleton()[joint.joint].node.name;
        if (joint.known == play::Known::stored) {
            findings_.add("not_shown", name, name);
            return;
        }
        if (name == "PELVIS" && pose_.program == pose::Program::black_dragon) {
            findings_.add("pelvis_volume", name, name);
        }
        if (std::min({joint.scale.x, joint.scale.y, joint.scale.z}) <= 0) {
            findings_.add("negative_scale", name + ": " + listed_text(vector_json(joint.scale)), name);
        }
        if (joint.known != play::Known::unlisted && pose::is_locked(joint.rotation)) {
            findings_.add("gimbal_storage", name, name);
        }
    }

    const file::Document& document_;
    const pose::Pose& pose_;
    FindingList findings_;
    std::map<std::string, std::size_t> names_{};  ///< how often each is in the file
};

}  // namespace

std::span<const Rule> rules() { return all_rules; }

Result<std::vector<Finding>> check(const file::Document& document, CheckLevel level,
                                   std::string_view file_name) {
    return pose::pose_of(document).map(
        [&](const pose::Pose& pose) { return Checker(document, pose, level).take(file_name); });
}

std::string why_unchanged(const pose::Pose& pose) {
    return "a difference pose cannot be changed: " + play::difference_text(pose) +
           ". Convert it on the T-pose (command: --on-tpose; library: on_tpose)" +
           (pose.states.empty() ? ""
                                : ", or to .anim over its animations (command: --under ID=FILE; library: "
                                  "under)");
}

}  // namespace animbridge::sl_pose::check
