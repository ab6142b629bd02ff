// SPDX-License-Identifier: MIT
#include "formats/scene/motion.h"

#include <string_view>
#include <utility>
#include <vector>

#include "formats/scene/clip.h"
#include "formats/scene/format.h"
#include "formats/scene/options.h"
#include "model/findings/findings.h"
#include "rig/armature/armature.h"

namespace animbridge::scene {

namespace {

constexpr auto skeleton_rows = without_flags(choice_rows<SceneChoice>());
constexpr auto skeleton_table = options_of(skeleton_rows);

struct ImportChoice : SceneChoice {
    bool in_frames = false;
    bool by_rig_map = true;
};

constexpr std::array<OptionRow<ImportChoice>, 1> match_rows = {{
    {{.name = "match",
      .type = OptionType::choice,
      .choices = {"names", "rig_map"},
      .standard = "rig_map",
      .help = "How joints find their bones. names: by equal names; rig_map: then by similar names and by the "
              "rig map"},
     [](ImportChoice& given, const Json& value) { given.by_rig_map = value == "rig_map"; }},
}};
constexpr auto to_curves_rows = joined_rows(
    joined_rows(without_flags(choice_rows<ImportChoice>()), without_flags(keys_rows<ImportChoice>())),
    match_rows);
constexpr auto to_curves_table = options_of(to_curves_rows);

std::vector<Transform> rest_world(const Skeleton& skeleton) {
    std::vector<Transform> world;
    world.reserve(skeleton.nodes.size());
    for (const animbridge::Node& node : skeleton.nodes) {
        world.push_back(node.parent ? world[*node.parent] * node.rest_local : node.rest_local);
    }
    return world;
}

/// The joints as bones: they point at their children.
std::vector<rig::BoneEnds> bone_ends(const Skeleton& skeleton, const std::vector<Transform>& world) {
    std::vector<rig::BoneEnds> ends(world.size());
    for (std::size_t i = 0; i < world.size(); ++i) {
        const auto parent = skeleton.nodes[i].parent;
        ends[i].parent = parent;
        ends[i].head = world[i].translation;
        if (parent) {
            ends[*parent].point_at(ends[i].head);
        }
    }
    return ends;
}

/// The joints that leave their rest position: by keys of any animation, or because the skin was bound
/// elsewhere.
std::vector<bool> moved_joints(const Document& document, const SceneClip& made) {
    std::vector<bool> is_moved(document.nodes.size());
    for (const Animation& animation : document.animations) {
        for (const Channel& channel : animation.channels) {
            if (channel.target == Target::translation) {
                is_moved[channel.node] = true;
            }
        }
    }
    std::vector<bool> joints;
    for (const std::uint32_t node : made.joints.nodes) {
        joints.push_back(is_moved[node]);
    }
    for (const Track& track : made.clip.tracks) {
        if (track.channel == animbridge::Channel::translation) {
            joints[track.node] = true;
        }
    }
    return joints;
}

Json skeleton_json(const Document& document, const SceneClip& made) {
    const Skeleton& skeleton = made.clip.skeleton;
    const std::vector<std::string> names = rig::bone_names(made.joints.names);
    const std::vector<Transform> world = rest_world(skeleton);
    constexpr double lone_bone_metres = 0.1;
    const auto ends = bone_ends(skeleton, world);
    const auto tails = rig::bone_tails(ends, lone_bone_metres);
    const std::vector<bool> moved = moved_joints(document, made);
    Json joints = Json::array();
    for (std::size_t i = 0; i < skeleton.nodes.size(); ++i) {
        const auto parent = skeleton.nodes[i].parent;
        const glm::dquat& turn = world[i].rotation;
        joints.push_back({{"name", names[i]},
                          {"file_name", json_text(document.nodes[made.joints.nodes[i]].name)},
                          {"parent", parent ? Json(*parent) : Json(-1)},
                          {"head", vector_json(world[i].translation)},
                          {"tail", vector_json(tails[i])},
                          {"rotation_wxyz", {turn.w, turn.x, turn.y, turn.z}},
                          {"has_positions", static_cast<bool>(moved[i])}});
    }
    return {{"joints", std::move(joints)}};
}

/// The clip's joints with the names of their bones.
std::vector<rig::NamedJoint> named_joints(const SceneClip& made) {
    std::vector<std::string> names = rig::bone_names(made.joints.names);
    std::vector<rig::NamedJoint> joints;
    joints.reserve(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        joints.push_back({std::move(names[i]), made.clip.skeleton.nodes[i].parent});
    }
    return joints;
}

rig::BoneMap bones_of(const SceneClip& made, const rig::SceneRig& rig, bool by_rig_map) {
    const std::vector<rig::NamedJoint> joints = named_joints(made);
    rig::JointMatch match = by_rig_map ? rig::match_by_rig_map(joints, rig.armature, *rig.avatar, rig.map())
                                       : rig::match_by_names(joints, rig.armature);
    return {std::move(match.bone_of_joint), std::move(match.joint_of_bone),
            std::vector<std::string_view>(rig.armature.bones.size())};
}

/// What a clip left out or changed, for the report of an import.
std::vector<std::string> warnings_of(const SceneClip& made) {
    std::vector<std::string> warnings;
    if (const std::string sizes = left_out_sizes(made); !sizes.empty()) {
        warnings.push_back("left out: " + sizes);
    }
    return warnings;
}

}  // namespace

std::span<const Option> skeleton_options() { return skeleton_table; }
std::span<const Option> to_curves_options() { return to_curves_table; }

Result<Json> skeleton(const AnyDocument* document, const Json& options) {
    const Document* scene = document == nullptr ? nullptr : as_scene(*document);
    if (scene == nullptr) {
        return fail(ErrorCode::invalid_argument, "every scene has a skeleton of its own: document is NULL");
    }
    SceneChoice choice;
    TRY_VOID(read_options(options, skeleton_rows, choice));
    TRY(const ToClip wanted, choice.in(*scene));
    return skeleton_json(*scene, to_clip(*scene, wanted));
}

Result<CurvesMade> to_curves(const Document& document, const ToCurves& request) {
    TRY(const rig::SceneRig* scene, require_rig(request.rig));
    ImportChoice choice;
    TRY_VOID(read_options(request.options, to_curves_rows, choice));
    TRY(const ToClip wanted, choice.in(document));
    SceneClip made = to_clip(document, wanted);
    TRY_VOID(made.part);
    if (made.clip.skeleton.nodes.empty()) {
        return fail(ErrorCode::bad_value, "the scene has no joints: nothing can move an armature");
    }
    if (choice.in_frames) {
        sample_at_frames(made.clip, Bends::keep);
    }
    const rig::BoneMap map = bones_of(made, *scene, choice.by_rig_map);
    const Clip clip = rig::without_rest_turns(std::move(made.clip));
    rig::Armature armature = scene->armature;
    // An armature that was made from the file has the file's axes.
    armature.facing = rig::Facing::x;
    if (choice.by_rig_map) {
        armature.facing = rig::find_facing(clip.skeleton, armature, map).value_or(rig::Facing::x);
    }
    auto curves = rig::curves_from_clip(clip, armature, map, request.timing);
    for (std::string& warning : warnings_of(made)) {
        curves.warnings.push_back(std::move(warning));
    }
    Json report = clip_curves_report(clip, map, armature, request.timing, curves);
    report["animation"] =
        made.animation ? json_text(document.animations[*made.animation].name) : Json(nullptr);
    return CurvesMade{std::move(curves), std::move(report)};
}

}  // namespace animbridge::scene
