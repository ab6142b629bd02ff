// SPDX-License-Identifier: MIT
#include <array>

#include "formats/sl_pose/check/check.h"
#include "formats/sl_pose/file/file.h"
#include "formats/sl_pose/play/play.h"
#include "formats/sl_pose/pose/pose.h"
#include "model/findings/findings.h"

namespace animbridge::sl_pose {

namespace {

constexpr std::array<std::string_view, 1> extensions = {".xml"};

Bytes write_file(const play::File& file) { return file::write(file.document); }
Json file_json(const play::File& file) { return file::to_json(file.document); }
Json file_info(const play::File& file) { return check::info(file.document); }

Result<std::vector<Finding>> check_at(const play::File& file, CheckLevel level, std::string_view file_name) {
    return check::check(file.document, level, file_name);
}

/// LLSD is also what viewers write their settings in.
Result<DocumentPtr> if_pose(file::Document document) {
    return pose::pose_of(document).map(
        [&](const pose::Pose& /*pose*/) { return file::make_document(std::move(document)); });
}

Result<Json> compared(const play::File& a, const play::File& b, const Job& /*job*/) {
    return play::compare(a, b).map(comparison_json);
}

Result<void> play_poses(const play::File& file, std::span<const double> times_seconds,
                        std::optional<double> /*stop_seconds*/, const PoseArrays& out) {
    return play::play(file, times_seconds, out);
}

}  // namespace

constinit const Format format = {
    .id = "sl_pose",
    .title = "Second Life pose",
    .noun = "a Second Life pose",
    .made_for = check::viewer_name,
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
    .text =
        {
            .info = check::describe,
            .poses = play::describe,
        },
    .reasons =
        {
            .no_store = "no program changes a pose when it stores it: the viewer loads the file itself",
            .no_edit = "a pose has no header to change. Pose it in the viewer or in Blender, or convert it",
            .no_reduce = "a pose has no keys to drop",
            .no_motion = "a pose does not move: convert it to .anim first",
            .no_clip = "a pose does not move: convert it to .anim first",
            .no_children = no_children,
            .no_join =
                "only MRTK recordings can be joined. To make a motion of poses, use animbridge sequence",
        },
};

DocumentPtr file::make_document(file::Document document) {
    return std::make_unique<AnyDocument>(format, play::File{std::move(document)});
}

}  // namespace animbridge::sl_pose
