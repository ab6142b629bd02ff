// SPDX-License-Identifier: MIT
#include <array>

#include "formats/sl_pose/check/check.h"
#include "formats/sl_pose/clip/clip.h"
#include "formats/sl_pose/edit/edit.h"
#include "formats/sl_pose/file/file.h"
#include "formats/sl_pose/play/play.h"
#include "formats/sl_pose/pose/pose.h"
#include "formats/sl_pose/scene/scene.h"
#include "model/findings/findings.h"
#include "rig/avatar/avatar.h"

namespace animbridge::sl_pose {

namespace {

constexpr std::array<std::string_view, 1> extensions = {".xml"};

Bytes write_file(const file::Document& file) { return file::write(file); }
Json file_json(const file::Document& file) { return file::to_json(file); }
Json file_info(const file::Document& file) { return check::info(file); }

Result<std::vector<Finding>> check_at(const file::Document& file, CheckLevel level,
                                      std::string_view file_name) {
    return check::check(file, level, file_name);
}

/// LLSD is also what viewers write their settings in.
Result<DocumentPtr> if_pose(file::Document document) {
    return pose::pose_of(document).map(
        [&](const pose::Pose& /*pose*/) { return file::make_document(std::move(document)); });
}

Result<Json> compared(const file::Document& a, const file::Document& b, const Job& /*job*/) {
    return play::compare(a, b).map(comparison_json);
}

Result<void> play_poses(const file::Document& file, std::span<const double> times_seconds,
                        std::optional<double> /*stop_seconds*/, const PoseArrays& out) {
    return play::play(file, times_seconds, out);
}

/// What an edit leaves out.
std::string describe_edit(const Json& report) {
    const auto left_out = report.find("left_out");
    return left_out == report.end() || left_out->empty() ? "" : "Left out: " + listed_text(*left_out) + "\n";
}

std::vector<OptionTable> option_tables() {
    return {{"pose", edit::load_options()},
            {"itself", edit::edit_options()},
            {"to_clip", clip::to_clip_options()},
            {"from_clip", clip::from_clip_options()},
            {"to_curves", scene::import_options()},
            {"from_curves", scene::export_options()},
            {"from_samples", scene::export_options()},
            {"edited", edit::edit_options()}};
}

}  // namespace

constinit const Format format = {
    .id = "sl_pose",
    .title = "Second Life pose",
    .noun = "a Second Life pose",
    .made_for = check::viewer_name,
    .options = option_tables,
    .file = {
        .extensions = extensions,
        .sniff = file::sniff,
        .read = [](const FileInput& file) { return file::read(file.bytes).and_then(if_pose); },
        .write = always<on_document<&write_file>>,
        .from_json = [](const Json& json) { return file::from_json(json).and_then(if_pose); },
        .to_json = on_document<&file_json>,
    },
    .check =
        {
            .rules = check::rules,
            .findings = on_document<&check_at>,
            .info = on_document<&file_info>,
        },
    .play =
        {
            .joints = on_document<&play::played_joints>,
            .poses = on_document<&play_poses>,
            .compare = on_documents<&compared>,
        },
    .clip =
        {
            .to_clip = on_document<&clip::to_clip>,
            .from_clip = clip::from_clip,
            .own_skeleton = [] { return rig::avatar::playing_skeleton(); },
            .takes = rig::avatar::moves_avatar,
        },
    .scene =
        {
            .to_curves = on_document<&scene::to_curves>,
            .from_scene = scene::from_scene,
        },
    .edit = {
        .edited = on_document<&edit::edited>,
        .with_tracks =
            [](const AnyDocument& document, const Clip& changed, const Json& /*to_clip*/) {
                return edit::with_tracks(*document.get<file::Document>(), changed).map(file::make_document);
            },
        .tools =
            [](const AnyDocument& document, editing::Tools& left, Json& rows) {
                return edit::with_tools(*document.get<file::Document>(), left, rows).map(file::make_document);
            },
    },
    .text =
        {
            .info = check::describe,
            .poses = play::describe,
            .edit = describe_edit,
        },
    .reasons =
        {
            .no_store = "no program changes a pose when it stores it: the viewer loads the file itself",
            .no_reduce = "a pose has no keys to drop",
            .no_children = no_children,
            .no_join =
                "only MRTK recordings can be joined. To make a motion of poses, use animbridge sequence",
        },
};

DocumentPtr file::make_document(file::Document document) {
    return std::make_unique<AnyDocument>(format, std::move(document));
}

}  // namespace animbridge::sl_pose
