// SPDX-License-Identifier: MIT
#include "formats/scene_file/scene/scene.h"

#include <algorithm>
#include <utility>

#include "base/files/files.h"
#include "base/options/options.h"
#include "model/clip/clip.h"
#include "model/findings/findings.h"
#include "rig/armature/armature.h"

namespace animbridge::scene_file::scene {

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
std::vector<rig::armature::BoneEnds> bone_ends(const Skeleton& skeleton,
                                               const std::vector<Transform>& world) {
    std::vector<rig::armature::BoneEnds> ends(world.size());
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
std::vector<bool> moved_joints(const file::Document& document, const clip::SceneClip& made) {
    std::vector<bool> is_moved(document.nodes.size());
    for (const file::Animation& animation : document.animations) {
        for (const file::Channel& channel : animation.channels) {
            if (channel.target == file::Target::translation) {
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

Json skeleton_json(const file::Document& document, const clip::SceneClip& made) {
    const Skeleton& skeleton = made.clip.skeleton;
    const std::vector<std::string> names = rig::armature::bone_names(made.joints.names);
    const std::vector<Transform> world = rest_world(skeleton);
    constexpr double lone_bone_metres = 0.1;
    const auto ends = bone_ends(skeleton, world);
    const auto tails = rig::armature::bone_tails(ends, lone_bone_metres);
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
std::vector<rig::armature::NamedJoint> named_joints(const clip::SceneClip& made) {
    std::vector<std::string> names = rig::armature::bone_names(made.joints.names);
    std::vector<rig::armature::NamedJoint> joints;
    joints.reserve(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        joints.push_back({std::move(names[i]), made.clip.skeleton.nodes[i].parent});
    }
    return joints;
}

rig::armature::BoneMap bones_of(const clip::SceneClip& made, const rig::armature::SceneRig& rig,
                                bool by_rig_map) {
    const std::vector<rig::armature::NamedJoint> joints = named_joints(made);
    rig::armature::JointMatch match =
        by_rig_map ? rig::armature::match_by_rig_map(joints, rig.armature, *rig.avatar, rig.map())
                   : rig::armature::match_by_names(joints, rig.armature);
    return {std::move(match.bone_of_joint), std::move(match.joint_of_bone),
            std::vector<std::string_view>(rig.armature.bones.size())};
}

/// What a clip left out or changed, for the report of an import.
std::vector<std::string> warnings_of(const clip::SceneClip& made) {
    std::vector<std::string> warnings;
    if (const std::string sizes = clip::left_out_sizes(made); !sizes.empty()) {
        warnings.push_back("left out: " + sizes);
    }
    return warnings;
}

}  // namespace

std::span<const Option> skeleton_options() { return skeleton_table; }
std::span<const Option> to_curves_options() { return to_curves_table; }

Result<Json> skeleton(const AnyDocument* document, const Json& options) {
    const file::Document* scene = document == nullptr ? nullptr : as_scene(*document);
    if (scene == nullptr) {
        return fail(ErrorCode::invalid_argument, "every scene has a skeleton of its own: document is NULL");
    }
    SceneChoice choice;
    TRY_VOID(read_options(options, skeleton_rows, choice));
    TRY(const clip::ToClip wanted, choice.in(*scene));
    return skeleton_json(*scene, clip::to_clip(*scene, wanted));
}

Result<CurvesMade> to_curves(const file::Document& document, const ToCurves& request) {
    ImportChoice choice;
    TRY_VOID(read_options(request.options, to_curves_rows, choice));
    TRY(const clip::ToClip wanted, choice.in(document));
    clip::SceneClip made = clip::to_clip(document, wanted);
    TRY_VOID(made.part);
    if (made.clip.skeleton.nodes.empty()) {
        return fail(ErrorCode::bad_value, "the scene has no joints: nothing can move an armature");
    }
    if (choice.in_frames) {
        sample_at_frames(made.clip, Bends::keep);
    }
    const rig::armature::BoneMap map = bones_of(made, *request.rig, choice.by_rig_map);
    const Clip clip = rig::armature::without_rest_turns(std::move(made.clip));
    rig::armature::Armature armature = request.rig->armature;
    // An armature that was made for the file lies as the file does.
    armature.facing = rig::armature::Facing::x;
    if (choice.by_rig_map) {
        armature.facing =
            rig::armature::find_facing(clip.skeleton, armature, map).value_or(rig::armature::Facing::x);
    }
    auto curves = rig::curves::curves_from_clip(clip, armature, map, request.timing);
    for (std::string& warning : warnings_of(made)) {
        curves.warnings.push_back(std::move(warning));
    }
    Json report = clip_curves_report(clip, map, armature, request.timing, curves);
    report["animation"] =
        made.animation ? json_text(document.animations[*made.animation].name) : Json(nullptr);
    return CurvesMade{std::move(curves), std::move(report)};
}

namespace {

struct ToClipChoice : SceneChoice {
    bool in_frames = false;
};

constexpr auto to_clip_rows = joined_rows(choice_rows<ToClipChoice>(), keys_rows<ToClipChoice>());
constexpr auto to_clip_table = options_of(to_clip_rows);

struct GivenFromClip {
    clip::FromClip scene{};
    std::optional<double> frames_per_second{};
    std::optional<bool> in_frames{};
    std::optional<animbridge::reduce::Bound> bound{};
    std::uint64_t fit_bytes = 0;
    StopBound stop{};
};

constexpr std::array<OptionRow<GivenFromClip>, 1> rate_rows_of_clip = {{
    {{.name = "frames_per_second",
      .type = OptionType::number,
      .command_name = "--fps",
      .value_name = "RATE",
      .low = 0.01,
      .high = 100000,
      .without =
          "the lowest usual rate at which every key is a frame, or else about the rate of the keys, and "
          "30 at least",
      .help = "Frames per second"},
     [](GivenFromClip& given, const Json& value) { given.frames_per_second = value.get<double>(); }},
}};
constexpr auto file_rows_of_clip = joined_rows(rate_rows_of_clip, clip_stop_rows<GivenFromClip>);
constexpr auto bound_rows_of_clip = [] {
    auto rows = animbridge::reduce::bound_rows<GivenFromClip>();
    rows.front().option.standard = {};
    rows.front().option.without = "0.1 for FBX and COLLADA; GLB and glTF keep every key";
    return rows;
}();
constexpr auto key_rows_of_clip = joined_rows(joined_rows(keys_rows<GivenFromClip>(), bound_rows_of_clip),
                                              animbridge::reduce::fit_rows<GivenFromClip>);
constexpr auto from_clip_rows =
    joined_rows(joined_rows(file_rows_of_clip, key_rows_of_clip), scene_rows<GivenFromClip>());
constexpr auto from_clip_table = options_of(from_clip_rows);

std::vector<std::string> left_out_of_scene(const file::Document& document, const clip::SceneClip& made) {
    std::vector<std::string> left_out;
    if (std::string sizes = clip::left_out_sizes(made); !sizes.empty()) {
        left_out.push_back(std::move(sizes));
    }
    if (document.animations.size() > 1 && made.animation) {
        left_out.push_back("the other " + std::to_string(document.animations.size() - 1) +
                           " animations: this is \"" + document.animations[*made.animation].name + "\"");
    }
    if (made.joints.renamed > 0) {
        left_out.push_back("the names of " + std::to_string(made.joints.renamed) +
                           " joints, which were empty or taken");
    }
    return left_out;
}

/// "1 joint lies", "3 joints lie".
std::string joints_lie(std::size_t count) {
    return std::to_string(count) + (count == 1 ? " joint lies" : " joints lie");
}

std::vector<std::string> warnings_of_scene(const clip::SceneClip& made) {
    std::vector<std::string> warnings;
    if (made.stretched > 0) {
        warnings.push_back(joints_lie(made.stretched) +
                           " below a scale that differs by axis, so turns and places are not exact "
                           "there and below. "
                           "Apply the scale before you export.");
    }
    if (made.mirrored > 0) {
        warnings.push_back(
            joints_lie(made.mirrored) +
            " below a negative scale, so the motion is mirrored instead. Apply the scale before "
            "you export.");
    }
    return warnings;
}

/// The neutral scene of a clip, by the options.
Result<file::Document> scene_from(const Clip& clip, const Json& json) {
    GivenFromClip given;
    TRY_VOID(read_options(json, from_clip_rows, given));
    if (clip.skeleton.nodes.empty()) {
        return fail(ErrorCode::bad_value, "the animation has no joints; a scene has at least one");
    }
    given.scene.frames_per_second = given.frames_per_second.value_or(frame_rate_of(clip));
    given.scene.keeps_kinds = true;
    file::Document document = clip::from_clip(clip, given.scene);
    if (json.contains("max_rotation_degrees") && !json.contains("max_position_mm")) {
        return fail(in_request({ErrorCode::bad_value,
                                "needs a bound for positions too (command: --max-error MM,DEGREES; library: "
                                "max_position_mm)",
                                {},
                                "max_rotation_degrees"}));
    }
    const auto at_least = [](double stop, double allowed) {
        return stop == 0.0 ? 0.0 : std::max(stop, allowed);
    };
    const animbridge::reduce::Bound asked = given.bound.value_or(animbridge::reduce::Bound{0, 0});
    // Who asks for a size gets the smallest error that it holds.
    const auto stops = [&](const char* option) { return given.fit_bytes == 0 || json.contains(option); };
    document.stop_above_mm =
        stops("stop_above_mm") ? at_least(given.stop.millimetres, asked.position_mm) : 0.0;
    document.stop_above_degrees =
        stops("stop_above_degrees") ? at_least(given.stop.degrees, asked.rotation_degrees) : 0.0;
    document.fit_bytes = given.fit_bytes;
    document.key_bound = given.bound;
    if (!given.bound && given.in_frames == false) {
        document.key_bound = {0, 0};
    }
    return document;
}

/// Whether the document's file may have the extension.
bool is_file_of(const file::Document& document, std::string_view extension) {
    const file::Loader* loader =
        document.file.empty() || !document.part.empty() ? nullptr : file::find_loader(document.loader);
    if (loader == nullptr || std::ranges::find(loader->extensions, extension) == loader->extensions.end()) {
        return false;
    }
    if (loader->id != "gltf") {
        return true;
    }
    // Two of glTF's extensions imply a body, and one implies text.
    if (extension == ".vrm" || extension == ".vrma") {
        return (document.human_format == "VRMA") == (extension == ".vrma") && !document.human_format.empty();
    }
    const bool is_binary = text_of(document.file).starts_with("glTF");
    return is_binary == (extension != ".gltf");
}

/// The motion of a document that was not made for writing, as one that can be written.
Result<file::Document> writable(const file::Document& document) {
    if (document.loader.empty()) {
        return document;
    }
    return scene_from(main_clip(document), Json::object());
}

}  // namespace

std::span<const Option> to_clip_options() { return to_clip_table; }
std::span<const Option> from_clip_options() { return from_clip_table; }

Clip main_clip(const file::Document& document) {
    return clip::to_clip(document, {std::nullopt, document.space}).clip;
}

Result<ClipMade> document_to_clip(const file::Document& document, const Json& options) {
    ToClipChoice choice;
    TRY_VOID(read_options(options, to_clip_rows, choice));
    TRY(const clip::ToClip wanted, choice.in(document));
    clip::SceneClip made = clip::to_clip(document, wanted);
    TRY_VOID(made.part);
    if (made.clip.skeleton.nodes.empty()) {
        return fail(ErrorCode::bad_value, "the scene has no joints, so it has no motion");
    }
    std::vector<std::string> left_out = left_out_of_scene(document, made);
    std::vector<std::string> warnings = warnings_of_scene(made);
    std::string name = made.animation ? document.animations[*made.animation].name : std::string();
    FrameKeys frames;
    if (choice.in_frames) {
        frames = sample_at_frames(made.clip, Bends::sample);
    }
    return ClipMade{.clip = std::move(made.clip),
                    .left_out = std::move(left_out),
                    .warnings = std::move(warnings),
                    .name = std::move(name),
                    .frames = frames};
}

Result<Made> document_from_clip(const ClipRequest& request) {
    if (request.scene != nullptr) {
        return document_from_scene(*request.scene);
    }
    TRY(auto document, scene_from(request.clip, request.options));
    Json report = {{"frames_per_second", document.frames_per_second},
                   {"joints", request.clip.skeleton.nodes.size()},
                   {"max_rotation_error_degrees", 0.0},
                   {"max_position_error_mm", 0.0},
                   {"left_out", texts_json(left_out_of(request, {}))}};
    return Made{file::make_document(std::move(document)), std::move(report)};
}

Result<NamedDocument> as_file_named(const file::Document& document, std::string_view path,
                                    const ReadOptions& limits, const Job& job) {
    const std::string extension = extension_of(path);
    const Container* container = container_of_extension(extension);
    if (is_file_of(document, extension)) {
        return NamedDocument{nullptr};
    }
    if (container == nullptr) {
        std::string allowed;
        for (const Container& one : containers) {
            allowed += (allowed.empty() ? "" : ", ") + std::string(one.extension);
        }
        return fail(ErrorCode::invalid_argument,
                    "scenes are not written as " + extension + "; allowed are " + allowed);
    }
    TRY(const auto scene, writable(document));
    TRY(auto encoded, encode(scene, *container, limits, job));
    // What another reader finds in the file.
    Json report = encoded.report(*container);
    Made made{file::make_document(std::move(encoded.document)), std::move(report), std::move(encoded.worst)};
    return unless_too_far(std::move(made), {scene.stop_above_mm, scene.stop_above_degrees},
                          "where it is meant to be")
        .map([](Made kept) {
            return NamedDocument{std::move(kept.document), std::move(kept.report)};
        });
}

Result<file::Document> with_animation(const file::Document& document, const std::string& animation) {
    TRY(const clip::ToClip wanted, SceneChoice{animation}.in(document));
    file::Document chosen = document;
    chosen.chosen_animation = wanted.animation;
    return chosen;
}

Result<file::Document> with_part(const file::Document& document, const Trim& trim) {
    file::Document part = document;
    part.part = trim;
    TRY_VOID(clip::to_clip(part, {std::nullopt, part.space}).part);
    return part;
}

Result<Bytes> write(const file::Document& document, const ReadOptions& limits) {
    if (!document.file.empty() && document.part.empty()) {
        return document.file;
    }
    return writable(document)
        .and_then([&](const file::Document& scene) { return encode(scene, containers.front(), limits); })
        .map([](Encoded encoded) { return std::move(encoded.document.file); });
}

}  // namespace animbridge::scene_file::scene
