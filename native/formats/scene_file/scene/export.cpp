// SPDX-License-Identifier: MIT
#include "formats/scene_file/scene/scene.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formats/scene_file/clip/clip.h"
#include "formats/scene_file/file/file.h"
#include "reduce/reduce.h"
#include "rig/armature/armature.h"
#include "rig/curves/curves.h"

namespace animbridge::scene {

namespace {

struct ExportOptions {
    double stop_above_mm = usual_stop_mm;
};

struct GivenExport {
    const Container* container = &containers.front();
    double duration_seconds = 0;
    std::optional<double> frames_per_second{};
    std::optional<std::vector<std::string>> bones{};
    FromClip scene{};
    ExportOptions options{};
    ReadOptions limits{};
};

void set_bones(GivenExport& given, const Json& value) {
    auto& bones = given.bones.emplace();
    for (const Json& name : value) {
        bones.push_back(text_from_json(name, "bones").value());
    }
}

constexpr std::array<OptionRow<GivenExport>, 5> file_rows = {{
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
     set_bones},
    {scene_reader_option,
     [](GivenExport& given, const Json& words) { set_scene_reader(given.limits, words); }},
}};
constexpr auto export_rows =
    joined_rows(joined_rows(file_rows, without_flags(scene_rows<GivenExport>())), stop_rows<GivenExport>);
constexpr auto export_table = options_of(export_rows);

/// The bones as joints: the skeleton rests along the armature's axes, as in rig/.
struct ExportRig {
    rig::Armature armature;
    Skeleton skeleton;
    rig::BoneMap map;
    std::vector<glm::dquat> rest_world;  ///< per joint: the bone's own axes
    bool has_gaps = false;               ///< a bone is left out above one that is exported
};

struct ExportInput {
    GivenExport given;
    ExportRig rig;
};

Result<std::vector<bool>> wanted_bones(const GivenExport& given, const rig::Armature& armature) {
    std::vector<bool> wanted(armature.bones.size(), !given.bones);
    for (const std::string& name : given.bones.value_or(std::vector<std::string>())) {
        const auto found = std::find_if(armature.bones.begin(), armature.bones.end(),
                                        [&](const rig::Bone& bone) { return bone.name == name; });
        if (found == armature.bones.end()) {
            Error error{ErrorCode::bad_value, "the armature has no bone \"" + name + "\""};
            error.field = "bones";
            return tl::unexpected<Error>(std::move(error));
        }
        wanted[static_cast<std::size_t>(found - armature.bones.begin())] = true;
    }
    if (std::find(wanted.begin(), wanted.end(), true) == wanted.end()) {
        return fail(ErrorCode::bad_value, "no bone is exported; a scene has one joint at least");
    }
    return wanted;
}

ExportRig rig_of(const rig::Armature& armature, const std::vector<bool>& wanted) {
    std::vector<std::size_t> rank(wanted.size());
    std::iota(rank.begin(), rank.end(), std::size_t{0});
    const rig::ExportedBones exported = rig::exported_bones(armature, wanted, rank);
    ExportRig made{armature, rig::skeleton_of(exported, armature), {}, {}, false};
    made.armature.facing = rig::Facing::x;
    made.map.node_of_bone.resize(armature.bones.size());
    made.map.by.resize(armature.bones.size());
    for (std::size_t node = 0; node < exported.bones.size(); ++node) {
        const rig::Bone& bone = armature.bones[exported.bones[node]];
        made.map.bone_of_node.emplace_back(exported.bones[node]);
        made.map.node_of_bone[exported.bones[node]] = node;
        made.rest_world.push_back(bone.rest.rotation);
        made.has_gaps = made.has_gaps || (bone.parent && !wanted[*bone.parent]);
    }
    return made;
}

template <typename Request>
Result<ExportInput> export_input(const Request& request) {
    TRY(const rig::SceneRig* scene, require_rig(request.rig));
    ExportInput input;
    TRY_VOID(read_options(request.options, export_rows, input.given));
    TRY(const auto wanted, wanted_bones(input.given, scene->armature));
    input.given.scene.frames_per_second =
        input.given.frames_per_second.value_or(std::clamp(request.timing.frames_per_second, 1.0, 1000.0));
    input.rig = rig_of(scene->armature, wanted);
    return input;
}

/// Lines between keys follow bent curves within this.
constexpr double bound_degrees = 0.002;
constexpr double bound_mm = 0.01;

/// The number of parts of each frame, so that there are not too many of them.
double parts_of_frame(double frames, double wanted) {
    constexpr double most_parts = 20'000.0;
    return std::max(1.0, std::min(wanted, std::floor(most_parts / std::max(frames, 1.0))));
}

/// The same curves with frames that are a fraction as long: bent segments get keys at whole frames.
class FinerCurves {
public:
    FinerCurves(const FromCurves& request, double parts)
        : timing{request.timing.frames_per_second * parts, request.timing.frame_start * parts} {
        for (const rig::CurveView& curve : request.curves) {
            rig::CurveView& view = views.emplace_back(curve);
            view.points = stretched(curve.points, parts);
            view.handles_left = stretched(curve.handles_left, parts);
            view.handles_right = stretched(curve.handles_right, parts);
        }
    }

    std::vector<rig::CurveView> views{};
    rig::Timing timing;

private:
    /// Pairs of a frame and a value.
    std::span<const float> stretched(std::span<const float> pairs, double parts) {
        std::vector<float>& kept = kept_.emplace_back(pairs.begin(), pairs.end());
        for (std::size_t i = 0; i < kept.size(); i += 2) {
            kept[i] = static_cast<float>(static_cast<double>(kept[i]) * parts);
        }
        return kept;
    }

    std::deque<std::vector<float>> kept_{};
};

std::size_t key_count(const Document& document) {
    std::size_t keys = 0;
    for (const Animation& animation : document.animations) {
        for (const Channel& channel : animation.channels) {
            keys += channel.times_seconds.size();
        }
    }
    return keys;
}

/// Joints, not roots, that leave their rest position.
Json moved_json(const Clip& clip) {
    Json moved = Json::array();
    for (const Track& track : clip.tracks) {
        const animbridge::Node& node = clip.skeleton.nodes[track.node];
        bool moves = false;
        for (std::size_t key = 0; track.channel == animbridge::Channel::translation && node.parent &&
                                  !moves && key < track.key_count();
             ++key) {
            const glm::dvec3 way = track.translation(key) - node.rest_local.translation;
            moves = 1000.0 * glm::length(way) > rig::moved_mm;
        }
        if (moves) {
            moved.push_back(json_text(node.name));
        }
    }
    return moved;
}

/// The file of a clip, measured against the clip that the scene shows. Both rest along the axes.
Result<Made> written(const ExportInput& input, Clip clip, Clip shown, const std::vector<std::string>& details,
                     const rig::Timing& timing, const Job& job) {
    const Clip turned = rig::with_rest_turns(std::move(clip), input.rig.rest_world);
    const Document scene = from_clip(turned, input.given.scene);
    TRY_VOID(job.report(0.3));
    TRY(auto encoded, encode(scene, *input.given.container, input.given.limits));
    TRY_VOID(job.report(0.8));
    const Document meant =
        from_clip(rig::with_rest_turns(std::move(shown), input.rig.rest_world), input.given.scene);
    TRY(encoded.worst, difference(in_space(meant, input.given.container->space), encoded.document));
    Json report = encoded.report(*input.given.container);
    report["joints"] = turned.skeleton.nodes.size();
    report["keys"] = key_count(scene);
    report["bytes"] = encoded.document.file.size();
    report["duration_seconds"] = turned.duration_seconds;
    report["frames_per_second"] = scene.frames_per_second;
    report["moved_joints"] = moved_json(turned);
    report["warnings"] = Json::array();
    report["details"] = texts_json(details);
    TRY_VOID(job.report(1.0));
    return unless_far_off(
        {make_document(std::move(encoded.document)), std::move(report), std::move(encoded.worst)},
        export_bound(input.given.options.stop_above_mm), timing);
}

}  // namespace

std::span<const Option> export_options() { return export_table; }

Result<Made> from_curves(const FromCurves& request) {
    TRY(const ExportInput input, export_input(request));
    const ExportRig& rig = input.rig;
    if (rig.has_gaps) {
        Error error{
            ErrorCode::bad_value,
            "leaves out bones above others, and only samples say how these move then: export samples"};
        error.field = "bones";
        return tl::unexpected<Error>(std::move(error));
    }
    const double seconds = input.given.duration_seconds;
    const double frames = seconds * request.timing.frames_per_second;
    const FinerCurves keyed(request, parts_of_frame(frames, 8.0));
    TRY(auto clip,
        rig::clip_from_curves(keyed.views, rig.skeleton, rig.armature, rig.map, keyed.timing, seconds));
    for (Track& track : clip.tracks) {
        const bool is_rotation = track.channel == animbridge::Channel::rotation;
        track = reduce::without_needless_keys(track, is_rotation ? bound_degrees : bound_mm);
    }
    // Thirds of a frame are between the keys.
    const FinerCurves measured(request, parts_of_frame(frames, 3.0));
    TRY(auto shown,
        rig::shown_by_curves(measured.views, rig.skeleton, rig.armature, rig.map, measured.timing, seconds));
    return written(input, std::move(clip), std::move(shown), {}, request.timing, request.job);
}

Result<Made> from_samples(const FromSamples& request) {
    TRY(const ExportInput input, export_input(request));
    const ExportRig& rig = input.rig;
    // Bones that do not move need no keys: they rest in the file as in the armature.
    const std::vector<std::uint8_t> if_moved(rig.armature.bones.size(), 2);
    rig::SampleView samples = request.samples;
    if (samples.exported.empty()) {
        samples.exported = if_moved;
    }
    TRY(auto sampled, rig::clip_from_samples(samples, rig.skeleton, 0, rig.armature, rig.map, request.timing,
                                             input.given.duration_seconds));
    Clip shown = sampled.clip;
    return written(input, std::move(sampled.clip), std::move(shown), sampled.left_out, request.timing,
                   request.job);
}

}  // namespace animbridge::scene
