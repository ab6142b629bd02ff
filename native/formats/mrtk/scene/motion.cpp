// SPDX-License-Identifier: MIT
#include "formats/mrtk/scene/scene.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formats/mrtk/check/check.h"
#include "formats/mrtk/clip/clip.h"
#include "formats/mrtk/curves/curves.h"
#include "formats/mrtk/file/file.h"
#include "formats/mrtk/hands/hands.h"
#include "formats/mrtk/play/play.h"
#include "model/clip/clip.h"
#include "rig/armature/armature.h"

namespace animbridge::mrtk::scene {

namespace {

/// The hand that a node belongs to; null for the camera and the gaze.
Json hand_of_node(const hands::HandRig& rig, std::size_t node) {
    const std::size_t pose = rig.pose_of_node[node];
    return pose == 0 || pose >= hands::gaze_pose ? Json(nullptr)
                                                 : Json(file::hand_names.at(file::hand_of(pose)));
}

Json joint_json(const hands::HandRig& rig, std::size_t node, const std::vector<Transform>& world) {
    const Node& joint = rig.skeleton.nodes[node];
    const Transform& at = world[node];
    return {{"name", joint.name},
            {"parent", joint.parent ? static_cast<std::int64_t>(*joint.parent) : -1},
            {"hand", hand_of_node(rig, node)},
            {"head", {at.translation.x, at.translation.y, at.translation.z}},
            {"rotation_wxyz", {at.rotation.w, at.rotation.x, at.rotation.y, at.rotation.z}},
            {"length", rig.length_of_node[node]}};
}

Json skeleton_json(const hands::HandRig& rig) {
    Json joints = Json::array();
    std::vector<Transform> world;
    for (std::size_t node = 0; node < rig.skeleton.nodes.size(); ++node) {
        const Node& joint = rig.skeleton.nodes[node];
        world.push_back(joint.parent ? world[*joint.parent] * joint.rest_local : joint.rest_local);
        joints.push_back(joint_json(rig, node, world));
    }
    return {{"joints", std::move(joints)}};
}

Json switches_json(const file::Document* document) {
    Json names = Json::array();
    for (std::size_t i = 0; i < file::switch_count; ++i) {
        if (document == nullptr || document->curves[file::first_switch + i].count > 0) {
            names.push_back(file::switch_names.at(i));
        }
    }
    return names;
}

hands::HandRig rig_of(const play::Player& player, const clip::RigChoice& choice) {
    return choice.is_exact ? hands::exact_rig(player, choice.rest) : hands::hand_rig(player, choice.rest);
}

}  // namespace

Result<Json> skeleton(const AnyDocument* document, const Json& options) {
    TRY(const auto choice, clip::skeleton_choice_from(options));
    const file::Document* const recording = document == nullptr ? nullptr : as_mrtk(*document);
    Json json;
    if (recording == nullptr) {
        json = skeleton_json(hands::flat_hand_rig());
    } else {
        TRY_VOID(check::require_playable(*recording));
        json = skeleton_json(rig_of(play::Player(*recording), choice));
    }
    json["properties"] = switches_json(recording);
    if (choice.bone_names) {
        json["is_character"] = file::is_character(*choice.bone_names);
    }
    return json;
}

Result<CurvesMade> to_curves(const file::Document& document, const ToCurves& request) {
    TRY(const auto choice, clip::rig_choice_from(request.options, false));
    TRY_VOID(check::require_playable(document));
    const play::Player player(document);
    rig::armature::Armature armature = request.rig->armature;
    // Recordings are of the world, whose axes are those of clip space.
    armature.facing = rig::armature::Facing::x;
    clip::HandMotion motion;
    if (choice.is_exact) {
        motion.clip = clip::to_clip(document, player, hands::exact_rig(player, choice.rest), choice.signs);
    } else {
        motion = clip::hand_motion(document, player, hands::hand_rig(player, choice.rest));
        motion.clip = rig::armature::without_rest_turns(std::move(motion.clip));
    }
    const Clip& clip = motion.clip;
    const rig::armature::BoneMap map = clip::bones_by_name(clip.skeleton, armature);
    auto curves = rig::curves::curves_from_clip(clip, armature, map, request.timing);
    if (auto warning = motion.warning()) {
        curves.warnings.push_back(*std::move(warning));
    }
    Json report = clip_curves_report(clip, map, armature, request.timing, curves);
    report["repeating_curves"] = curves::repeating_curves(document);
    report["max_position_error_mm"] = motion.difference.position_mm;
    report["max_rotation_error_degrees"] = motion.difference.rotation_degrees;
    return CurvesMade{std::move(curves), std::move(report)};
}

namespace {

struct FromClipOptions {
    edit::Version version = edit::Version::automatic;
    std::string source_rig{};
};

constexpr std::array<OptionRow<FromClipOptions>, 2> from_clip_rows = {{
    edit::version_row<FromClipOptions>(),
    {{.name = "source_rig",
      .type = OptionType::file_text,
      .without = "found from the joints' names and places",
      .help =
          "A rig file that says which joints are the hands, if the joints do not have a recording's names"},
     [](FromClipOptions& target, const Json& value) {
         target.source_rig = text_from_json(value, "").value_or("");
     }},
}};
constexpr auto from_clip_table = options_of(from_clip_rows);

std::size_t lost_rotations(const file::Document& document) {
    std::size_t count = 0;
    for (std::size_t pose = 0; pose < file::pose_count; ++pose) {
        count += curves::has_lost_w(document, pose) ? 1 : 0;
    }
    return count;
}

/// The hands to be found in a character; none where the nodes are a recording's, or say more than what is
/// found.
Result<std::optional<hands::FoundClip>> hands_of_clip(const Clip& clip, const std::string& rig_file) {
    const std::vector<std::string> names = names_of(clip.skeleton);
    if (!file::is_character(names)) {
        return std::nullopt;
    }
    auto found = hands::clip_of_found_hands(clip, rig_file);
    const std::size_t named = file::named_joints(names);
    const bool has_names = std::any_of(names.begin(), names.end(), file::is_of_recording);
    if (!found && (!has_names || !rig_file.empty())) {
        return tl::unexpected<Error>(std::move(found).error());
    }
    if (!found || found->hands.joints.size() <= named) {
        return std::nullopt;
    }
    return *std::move(found);
}

}  // namespace

std::span<const Option> to_clip_options() { return clip::rig_options(true); }
std::span<const Option> from_clip_options() { return from_clip_table; }

Result<ClipMade> document_to_clip(const file::Document& document, const Json& options) {
    TRY(const auto choice, clip::rig_choice_from(options, true));
    TRY_VOID(check::require_playable(document));
    const play::Player player(document);
    ClipMade made;
    if (choice.is_exact) {
        made.clip = clip::to_clip(document, player, hands::exact_rig(player, choice.rest), choice.signs);
    } else {
        clip::HandMotion motion = clip::hand_motion(document, player, hands::hand_rig(player, choice.rest));
        if (auto warning = motion.warning()) {
            made.left_out.push_back(*std::move(warning));
        }
        made.clip = std::move(motion.clip);
    }
    if (const std::size_t repeating = curves::repeating_curves(document); repeating > 0) {
        made.left_out.push_back("the repetition of " + std::to_string(repeating) +
                                (repeating == 1 ? " curve" : " curves") + " before or after the keys");
    }
    if (const std::size_t lost = lost_rotations(document); lost > 0) {
        made.left_out.push_back("the W of " + std::to_string(lost) +
                                (lost == 1 ? " rotation" : " rotations") +
                                ", which the file has lost (to restore it first, use animbridge edit "
                                "--repair-rotation-w)");
    }
    return made;
}

bool takes(const Clip& clip) { return !file::is_character(names_of(clip.skeleton)); }

Result<Made> document_from_clip(const ClipRequest& request) {
    FromClipOptions options;
    TRY_VOID(read_options(request.options, from_clip_rows, options));
    const std::optional<Clip> turned = with_camera_axes(request.clip, Camera::Axes::looks_along_y);
    const Clip& given = turned ? *turned : request.clip;
    TRY(auto found, hands_of_clip(given, options.source_rig));
    const Clip& shown = found ? found->clip : given;
    clip::FromClip read = clip::from_clip(found ? with_needed_keys(found->clip, {}) : given);
    if (read.recording.is_empty()) {
        return fail(ErrorCode::invalid_argument, "nothing of the animation that a recording holds has keys");
    }
    read.recording.track_hands();
    read.left_out.insert(read.left_out.begin(), request.left_out.begin(), request.left_out.end());
    std::vector<std::string> warnings = found ? found->hands.warnings : std::vector<std::string>();
    file::Document document = edit::assembled(std::move(read.recording), options.version, nullptr, warnings);
    TRY(const auto measured, play::measure(document, shown, request.job));
    WorstDifference worst = measured.worst();
    Json report = {{"version", file::version_text(document)},
                   {"max_position_error_mm", worst.position_mm},
                   {"max_rotation_error_degrees", worst.rotation_degrees},
                   {"left_out", texts_json(read.left_out)},
                   {"warnings", texts_json(warnings)}};
    if (found) {
        report["hands"] = std::move(found->hands.report);
    }
    return Made{file::make_document(std::move(document)), std::move(report), std::move(worst)};
}

}  // namespace animbridge::mrtk::scene
