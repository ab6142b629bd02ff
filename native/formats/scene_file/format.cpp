// SPDX-License-Identifier: MIT
#include "formats/scene_file/file/file.h"

#include <array>
#include <utility>
#include <vector>

#include "formats/scene_file/check/check.h"
#include "formats/scene_file/clip/clip.h"
#include "formats/scene_file/scene/scene.h"
#include "model/compare/compare.h"
#include "model/findings/findings.h"
#include "model/format/format.h"

namespace animbridge::scene_file {

namespace {

// The writable ones first; then those that are only read.
constexpr std::size_t written_count = 4;
constexpr std::array<std::string_view, 16> extensions = {
    ".glb", ".gltf",    ".fbx",     ".dae", ".vrm", ".vrma", ".x",   ".b3d",
    ".lws", ".md5mesh", ".md5anim", ".ase", ".smd", ".mdl",  ".irr", ".mesh.xml"};

constexpr std::array<std::string_view, 1> framed_extensions = {".dae"};

Result<std::vector<Finding>> check_at(const file::Document& document, CheckLevel level,
                                      std::string_view /*asset_name*/) {
    return check::check(document, level);
}

Result<Json> compared(const file::Document& a, const file::Document& b, const Job& job) {
    const Clip clip_a = scene::main_clip(a);
    const Clip clip_b = scene::main_clip(b);
    return compare_clips(clip_a, clip_b, times_to_compare(clip_a, clip_b), job).map(comparison_json);
}

Result<std::vector<std::string>> played_joints(const file::Document& document) {
    return names_of(scene::main_clip(document).skeleton);
}

Result<void> play(const file::Document& document, std::span<const double> times_seconds,
                  std::optional<double> /*stop_seconds*/, const PoseArrays& out) {
    return play_clip(scene::main_clip(document), times_seconds, out);
}

Result<DocumentPtr> chosen(const AnyDocument& document, const std::string& animation) {
    return scene::with_animation(*as_scene(document), animation).map(file::make_document);
}

Result<DocumentPtr> trimmed_scene(const file::Document& document, const Trim& trim) {
    return scene::with_part(document, trim).map(file::make_document);
}

std::vector<OptionTable> option_tables() {
    return {{"skeleton", scene::skeleton_options()},  {"to_curves", scene::to_curves_options()},
            {"from_curves", scene::export_options()}, {"from_samples", scene::export_options()},
            {"to_clip", scene::to_clip_options()},    {"from_clip", scene::from_clip_options()}};
}

}  // namespace

constinit const Format format = {
    .id = "scene",
    .title = "Scene",
    .noun = "a scene",
    .options = option_tables,
    .file = {
        .extensions = extensions,
        .written_extensions = std::span(extensions).first(written_count),
        .framed_extensions = framed_extensions,
        .sniff = scene::sniff,
        .read = [](const FileInput& file) { return scene::read(file).map(file::make_document); },
        .write = on_document<&scene::write>,
        .from_json = [](const Json& json) { return file::from_json(json).map(file::make_document); },
        .to_json = on_document<&file::to_json>,
        .json_bytes = on_document<&file::json_bytes>,
        .as_named = on_document<&scene::as_file_named>,
        .program = scene::program_json,
    },
    .check =
        {
            .rules = check::rules,
            .findings = on_document<&check_at>,
            .tolerated = on_document<&check::tolerated>,
            .info = on_document<&check::info>,
        },
    .play =
        {
            .joints = on_document<&played_joints>,
            .poses = on_document<&play>,
            .compare = on_documents<&compared>,
        },
    .clip =
        {
            .to_clip = on_document<&scene::document_to_clip>,
            .from_clip = scene::document_from_clip,
            .skeleton = scene::skeleton,
            .rig_file = on_document<&clip::human_rig>,
            .converts_to_itself = true,
            .has_axes = true,
            .has_sampling = true,
            .has_bounds = true,
            .names_animations = true,
        },
    .scene =
        {
            .to_curves = on_document<&scene::to_curves>,
            .export_rig = scene::export_rig,
        },
    .edit =
        {
            .trimmed = on_document<&trimmed_scene>,
            .with_animation = chosen,
        },
    .text =
        {
            .info = check::describe,
            .naming = check::describe_written,
        },
    .reasons =
        {
            .no_store = "no program stores a scene otherwise than it is",
            .no_edit = "scenes are written anew or kept as they are: convert to another file instead",
            .no_reduce = "only Second Life animations have keys that can be reduced",
            .no_children = no_children,
            .no_join = "only MRTK recordings can be joined",
        },
};

DocumentPtr file::make_document(file::Document document) {
    return std::make_unique<AnyDocument>(format, std::move(document));
}

}  // namespace animbridge::scene_file

namespace animbridge {

const scene_file::file::Document* as_scene(const AnyDocument& document) {
    return document.get<scene_file::file::Document>();
}

}  // namespace animbridge
