// SPDX-License-Identifier: MIT
#include "formats/sl_anim/file/file.h"

#include <algorithm>
#include <array>

#include "base/files/files.h"
#include "formats/sl_anim/avatar/avatar.h"
#include "formats/sl_anim/check/check.h"
#include "formats/sl_anim/clip/clip.h"
#include "formats/sl_anim/edit/edit.h"
#include "formats/sl_anim/fix/fix.h"
#include "formats/sl_anim/play/play.h"
#include "formats/sl_anim/scene/scene.h"
#include "model/findings/findings.h"
#include "rig/avatar/avatar.h"

namespace animbridge::sl_anim {

namespace {

constexpr std::array<std::string_view, 1> extensions = {".anim"};

/// The stem of a file's name, which may be an asset id.
std::string stem_of(std::string_view name) {
    name = name_in_path(name);
    return std::string(name.substr(0, name.find_last_of('.')));
}

Result<std::vector<Finding>> check_for(const file::Document& document, CheckLevel level,
                                       std::string_view asset_name, std::string_view purpose) {
    const std::string stem = stem_of(asset_name);
    return check::check(document, {level, avatar::is_uuid(stem) ? stem : "", std::string(purpose)});
}

Result<std::vector<Finding>> check_at(const file::Document& document, CheckLevel level,
                                      std::string_view asset_name) {
    return check_for(document, level, asset_name, {});
}

Result<Json> compared(const file::Document& a, const file::Document& b, const Job& job) {
    return check::require_playable(a)
        .and_then([&] { return check::require_playable(b); })
        .and_then([&] { return play::compare(a, b, job); })
        .map(comparison_json);
}

Stored stored(const file::Document& document) {
    auto prediction = check::predict_upload(document);
    Result<DocumentPtr> made = tl::unexpected<Error>(refusal(check::viewer_name, prediction.findings));
    if (prediction.stored) {
        made = file::make_document(std::move(*prediction.stored));
    }
    return {std::move(made), std::move(prediction.findings)};
}

Result<Made> edited(const file::Document& document, const Json& edits) {
    return edit::edit(document, edits).map([&](file::Document changed) {
        Json report = edit_report(check::check(document, {format.check.default_level, ""}),
                                  check::check(changed, {format.check.default_level, ""}));
        return Made{file::make_document(std::move(changed)), std::move(report)};
    });
}

Result<Made> fixed_document(const file::Document& document, const Json& options,
                            std::string_view asset_name) {
    const std::string stem = stem_of(asset_name);
    return fix::fixed(document, options, avatar::is_uuid(stem) ? stem : "").map([](fix::Fixed result) {
        return Made{file::make_document(std::move(result.document)), std::move(result.report)};
    });
}

DocumentPtr undeforming_document(const file::Document& document) {
    auto made = fix::undeforming(document);
    return made ? file::make_document(*std::move(made)) : nullptr;
}

Result<Made> reduced(const file::Document& document, const Json& options, const Job& job) {
    return scene::reduce_options_from(options)
        .and_then([&](const scene::ReduceOptions& read) { return scene::reduce_keys(document, read, job); })
        .map([](scene::Reduced result) {
            Json report = result.report();
            return Made{file::make_document(std::move(result.document)), std::move(report)};
        });
}

/// Version 0.1 is cut in the form that the viewer stores.
Result<DocumentPtr> trimmed_document(const file::Document& document, const Trim& trim) {
    TRY_VOID(check::require_playable(document));
    if (document.version == file::Version::legacy) {
        auto prediction = check::predict_upload(document);
        return prediction.stored ? edit::trimmed(std::move(*prediction.stored), trim).map(file::make_document)
                                 : Result<DocumentPtr>(tl::unexpected<Error>(
                                       refusal(check::viewer_name, prediction.findings)));
    }
    return edit::trimmed(document, trim).map(file::make_document);
}

/// The avatar's skeleton is the same for every file.
Result<Json> avatar_json(const AnyDocument* /*document*/, const Json& options) {
    return check_options(options, {}, "").map(avatar::skeleton_json);
}

/// All other keys and the header stay bit for bit.
Result<DocumentPtr> with_tracks(const file::Document& document, const Clip& changed,
                                const Json& /*to_clip*/) {
    file::Document made = clip::from_clip(
        changed, {}, {.base = &document, .duration_seconds = document.duration.value(), .keeps_codes = true});
    if (const auto loop = loop_of(changed)) {
        made.loop_in_point = RawFloat(static_cast<float>(loop->in_seconds));
        made.loop_out_point = RawFloat(static_cast<float>(loop->out_seconds));
    }
    return file::make_document(std::move(made));
}

Result<DocumentPtr> with_tools(const file::Document& document, editing::Tools& left, Json& rows) {
    TRY_VOID(check::require_playable(document));
    return edit::with_tools(document, left, rows).map(file::make_document);
}

std::vector<OptionTable> option_tables() {
    return {{"from_curves", scene::curve_options()}, {"from_samples", scene::sample_options()},
            {"reduce", scene::reduce_options()},     {"from_clip", scene::clip_options()},
            {"edited", edit::edit_options()},        {"fixed", fix::fix_options()}};
}

}  // namespace

constinit const Format format = {
    .id = "sl_anim",
    .title = "Second Life animation",
    .noun = "a Second Life animation",
    .made_for = check::viewer_name,
    .options = option_tables,
    .file = {
        .extensions = extensions,
        .framed_extensions = extensions,
        .sniff = file::sniff,
        .read = [](const FileInput& file) { return file::read(file.bytes).map(file::make_document); },
        .write = always<on_document<&file::write>>,
        .from_json = [](const Json& json) { return file::from_json(json).map(file::make_document); },
        .to_json = on_document<&file::to_json>,
    },
    .check =
        {
            .rules = check::rules,
            // The file is made for uploads, so what an upload refuses is reported by default.
            .default_level = CheckLevel::upload,
            .findings = on_document<&check_at>,
            .purposes = check::purpose_names,
            .for_purpose = on_document<&check_for>,
            .as_stored = on_document<&stored>,
            .info = on_document<&play::info>,
            .measures = on_document<&check::measures>,
            .facts_for_set = on_document<&check::facts_for_set>,
            .in_set = check::in_set,
        },
    .play =
        {
            .joints = on_document<&scene::played_joints>,
            .poses = on_document<&scene::play>,
            .has_ease = true,
            .compare = on_documents<&compared>,
        },
    .clip =
        {
            .to_clip = on_document<&scene::document_to_clip>,
            .from_clip = scene::document_from_clip,
            .own_skeleton = scene::own_skeleton,
            .counted = scene::counted,
            .takes = rig::avatar::moves_avatar,
            .skeleton = avatar_json,
        },
    .scene =
        {
            .to_curves = on_document<&scene::to_curves>,
            .export_rig = scene::export_rig,
        },
    .edit =
        {
            .edited = on_document<&edited>,
            .reduced = on_document<&reduced>,
            .fixed = on_document<&fixed_document>,
            .undeforming = on_document<&undeforming_document>,
            .trimmed = on_document<&trimmed_document>,
            .with_tracks = on_document<&with_tracks>,
            .tools = on_document<&with_tools>,
        },
    .text =
        {
            .info = play::describe,
        },
    .reasons =
        {
            .no_children = no_children,
            .no_join = "only MRTK recordings can be joined. Import the .anim files into Blender, put their "
                       "Actions one after the other in the NLA Editor, and export that",
        },
};

DocumentPtr file::make_document(file::Document document) {
    return std::make_unique<AnyDocument>(format, std::move(document));
}

}  // namespace animbridge::sl_anim

namespace animbridge {

const sl_anim::file::Document* as_sl_anim(const AnyDocument& document) {
    return document.get<sl_anim::file::Document>();
}

}  // namespace animbridge
