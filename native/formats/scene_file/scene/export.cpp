// SPDX-License-Identifier: MIT
#include "formats/scene_file/scene/scene.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "reduce/reduce.h"
#include "rig/armature/armature.h"
#include "rig/curves/curves.h"

namespace animbridge::scene_file::scene {

namespace {

struct GivenExport {
    const Container* container = &containers.front();
    double duration_seconds = 0;
    std::optional<double> frames_per_second{};
    std::optional<std::vector<std::string>> bones{};
    clip::FromClip scene{};
    bool drops_keys = true;
    ReadOptions limits{};
};

constexpr std::array<OptionRow<GivenExport>, 6> file_rows = {{
    {{.name = "container",
      .type = OptionType::choice,
      .choices = {"glb", "gltf", "fbx", "dae"},
      .standard = "glb",
      .help = "The kind of file"},
     [](GivenExport& given, const Json& value) {
         given.container = find_container(value.get<std::string>());
     }},
    {{.name = "duration_seconds",
      .type = OptionType::number,
      .high = largest_scene_number,
      .must_be_given = true,
      .unit = "s",
      .help = "How long the animation is"},
     [](GivenExport& given, const Json& value) { given.duration_seconds = value.get<double>(); }},
    {{.name = "frames_per_second",
      .type = OptionType::number,
      .low = 1,
      .high = 1000,
      .without = "the scene's rate",
      .unit = "frames per second",
      .help = "The frame rate that the file names"},
     [](GivenExport& given, const Json& value) { given.frames_per_second = value.get<double>(); }},
    {{.name = "bones",
      .type = OptionType::texts,
      .may_be_null = true,
      .without = "all bones",
      .help = "Names of the bones to export"},
     [](GivenExport& given, const Json& value) { given.bones = texts_from_json(value); }},
    {{.name = "drop_keys",
      .type = OptionType::flag,
      .standard = "true",
      .help =
          "Drop keys of recordings in FBX and COLLADA files, within 0.1 mm and 0.01 degrees. GLB and glTF "
          "keep every key"},
     [](GivenExport& given, const Json& value) { given.drops_keys = value.get<bool>(); }},
    {scene_reader_option,
     [](GivenExport& given, const Json& words) { set_scene_reader(given.limits, words); }},
}};
constexpr auto export_rows =
    joined_rows(joined_rows(file_rows, without_flags(scene_rows<GivenExport>())), stop_rows<GivenExport>);
constexpr auto export_table = options_of(export_rows);

Result<std::vector<bool>> wanted_bones(const GivenExport& given, const rig::armature::Armature& armature) {
    std::vector<bool> wanted(armature.bones.size(), !given.bones);
    for (const std::string& name : given.bones.value_or(std::vector<std::string>())) {
        const auto found = std::ranges::find_if(
            armature.bones, [&](const rig::armature::Bone& bone) { return bone.name == name; });
        if (found == armature.bones.end()) {
            return fail(ErrorCode::bad_value, "the armature has no bone \"" + name + "\"", "bones");
        }
        wanted[static_cast<std::size_t>(found - armature.bones.begin())] = true;
    }
    if (std::ranges::find(wanted, true) == wanted.end()) {
        return fail(ErrorCode::bad_value, "no bone is exported; a scene has one joint at least");
    }
    return wanted;
}

Result<GivenExport> given_from(const SceneMotion& motion) {
    GivenExport given;
    TRY_VOID(read_options(motion.options, export_rows, given));
    given.scene.frames_per_second =
        given.frames_per_second.value_or(std::clamp(motion.timing.frames_per_second, 1.0, 1000.0));
    return given;
}

/// Lines between keys follow bent curves within this.
constexpr double bound_degrees = 0.002;
constexpr double bound_mm = 0.01;

/// The number of parts of each frame, so that there are not too many of them.
double parts_of_frame(double frames, double wanted) {
    constexpr double most_parts = 20'000.0;
    return std::max(1.0, std::min(wanted, std::floor(most_parts / std::max(frames, 1.0))));
}

/// Per joint, the bone's own axes.
std::vector<glm::dquat> axes_of_bones(const ExportRig& rig) {
    std::vector<glm::dquat> axes;
    for (const auto& bone : rig.map.bone_of_node) {
        axes.push_back(rig.armature.bones[*bone].rest.rotation);
    }
    return axes;
}

}  // namespace

std::span<const Option> export_options() { return export_table; }

Result<ExportRig> export_rig(const SceneMotion& motion) {
    TRY(const auto given, given_from(motion));
    ExportRig rig{motion.rig->armature};
    rig.armature.facing = rig::armature::Facing::x;
    const std::vector<rig::armature::Bone>& bones = rig.armature.bones;
    TRY(const auto wanted, wanted_bones(given, rig.armature));
    std::vector<std::size_t> rank(wanted.size());
    std::iota(rank.begin(), rank.end(), std::size_t{0});
    const rig::curves::ExportedBones exported = rig::curves::exported_bones(rig.armature, wanted, rank);
    const bool has_gaps = std::ranges::any_of(
        exported.bones, [&](std::size_t bone) { return bones[bone].parent && !wanted[*bones[bone].parent]; });
    if (has_gaps && motion.samples == nullptr) {
        return fail(ErrorCode::bad_value,
                    "leaves out bones above others, and only samples say how these move then: export samples",
                    "bones");
    }
    rig.skeleton = rig::curves::skeleton_of(exported, rig.armature);
    rig.map = rig::curves::map_of(exported, rig.armature);
    rig.duration_seconds = given.duration_seconds;
    // Bones that stand still rest in the file as they do in the armature.
    rig.needs_resting = false;
    const double frames = given.duration_seconds * motion.timing.frames_per_second;
    rig.keys_per_frame = parts_of_frame(frames, 8.0);
    rig.shown_per_frame = parts_of_frame(frames, 3.0);  // thirds of a frame lie between the keys
    return rig;
}

Result<Made> document_from_scene(const ClipOfScene& scene) {
    const SceneMotion& motion = scene.motion;
    TRY(const auto given, given_from(motion));
    const std::vector<glm::dquat> axes = axes_of_bones(scene.rig);
    Clip clip = scene.clip;
    for (Track& track : clip.tracks) {
        if (motion.samples == nullptr && !clip::is_recording(track)) {
            const bool is_rotation = track.channel == animbridge::Channel::rotation;
            track = animbridge::reduce::without_needless_keys(track, is_rotation ? bound_degrees : bound_mm);
        }
    }
    const Clip turned = rig::armature::with_rest_turns(std::move(clip), axes);
    file::Document made = clip::from_clip(turned, given.scene);
    if (!given.drops_keys) {
        made.key_bound = {0, 0};
    }
    TRY_VOID(motion.job.report(0.3));
    TRY(auto encoded, encode(made, *given.container, given.limits, motion.job.part(0.3, 0.8)));
    TRY_VOID(motion.job.report(0.8));
    const file::Document meant =
        clip::from_clip(rig::armature::with_rest_turns(scene.shown(), axes), given.scene);
    TRY(encoded.worst, difference(clip::in_space(meant, given.container->space), encoded.document));
    Json report = encoded.report(*given.container);
    report.update({{"joints", turned.skeleton.nodes.size()},
                   {"keys", encoded.keys.is_null() ? Json(key_count(made)) : encoded.keys["after"]},
                   {"bytes", encoded.document.file.size()},
                   {"duration_seconds", turned.duration_seconds},
                   {"frames_per_second", made.frames_per_second},
                   {"moved_joints", moved_joints_json(turned)},
                   {"warnings", Json::array()},
                   {"details", texts_json(scene.left_out)}});
    TRY_VOID(motion.job.report(1.0));
    return Made{file::make_document(std::move(encoded.document)), std::move(report),
                std::move(encoded.worst)};
}

}  // namespace animbridge::scene_file::scene
