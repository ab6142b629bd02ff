// SPDX-License-Identifier: MIT
#include "formats/sl_anim/file/file.h"

#include <algorithm>
#include <array>

#include "base/files/files.h"
#include "formats/sl_anim/avatar/avatar.h"
#include "formats/sl_anim/check/check.h"
#include "formats/sl_anim/edit/edit.h"
#include "formats/sl_anim/play/play.h"
#include "formats/sl_anim/scene/scene.h"
#include "model/findings/findings.h"

namespace animbridge::sl_anim {

namespace {

constexpr std::array<std::string_view, 1> extensions = {".anim"};

/// The stem of a file's name, which may be an asset id.
std::string stem_of(std::string_view name) {
    name = name_in_path(name);
    return std::string(name.substr(0, name.find_last_of('.')));
}

Result<std::vector<Finding>> check_at(const Document& document, CheckLevel level,
                                      std::string_view asset_name) {
    const std::string stem = stem_of(asset_name);
    return check(document, {level, is_uuid(stem) ? stem : ""});
}

Result<Json> compared(const Document& a, const Document& b, const Job& job) {
    return require_playable(a)
        .and_then([&] { return require_playable(b); })
        .and_then([&] { return compare(a, b, job); })
        .map(comparison_json);
}

Stored stored(const Document& document) {
    auto prediction = predict_upload(document);
    Result<DocumentPtr> made = tl::unexpected<Error>(refusal(viewer_name, prediction.findings));
    if (prediction.stored) {
        made = make_document(std::move(*prediction.stored));
    }
    return {std::move(made), std::move(prediction.findings)};
}

Result<Made> edited(const Document& document, const Json& edits) {
    return edit(document, edits).map([&](Document changed) {
        Json report = edit_report(check(document, {format.check.default_level, ""}),
                                  check(changed, {format.check.default_level, ""}));
        return Made{make_document(std::move(changed)), std::move(report)};
    });
}

Result<Made> reduced(const Document& document, const Json& options, const Job& job) {
    return reduce_options_from(options)
        .and_then([&](const ReduceOptions& read) { return reduce_keys(document, read, job); })
        .map([](Reduced result) {
            Json report = result.report();
            return Made{make_document(std::move(result.document)), std::move(report)};
        });
}

/// Version 0.1 is cut in the form that the viewer stores.
Result<DocumentPtr> trimmed_document(const Document& document, const Trim& trim) {
    TRY_VOID(require_playable(document));
    if (document.version == Version::legacy) {
        auto prediction = predict_upload(document);
        return prediction.stored
                   ? trimmed(std::move(*prediction.stored), trim).map(make_document)
                   : Result<DocumentPtr>(tl::unexpected<Error>(refusal(viewer_name, prediction.findings)));
    }
    return trimmed(document, trim).map(make_document);
}

/// The avatar's skeleton is the same for every file.
Result<Json> avatar_json(const AnyDocument* /*document*/, const Json& options) {
    return check_options(options, {}, "").map(skeleton_json);
}

std::vector<OptionTable> option_tables() {
    return {{"from_curves", curve_options()},
            {"from_samples", sample_options()},
            {"reduce", reduce_options()},
            {"from_clip", clip_options()},
            {"edited", edit_options()}};
}

}  // namespace

constinit const Format format = {
    .id = "sl_anim",
    .title = "Second Life animation",
    .noun = "a Second Life animation",
    .made_for = viewer_name,
    .options = option_tables,
    .file = {
        .extensions = extensions,
        .framed_extensions = extensions,
        .sniff = sniff,
        .read = [](const FileInput& file) { return read(file.bytes).map(make_document); },
        .write = always<on_document<&write>>,
        .from_json = [](const Json& json) { return from_json(json).map(make_document); },
        .to_json = on_document<&to_json>,
    },
    .check =
        {
            .rules = rules,
            // The file is made for uploads, so what an upload refuses is reported by default.
            .default_level = CheckLevel::upload,
            .findings = on_document<&check_at>,
            .as_stored = on_document<&stored>,
            .info = on_document<&info>,
        },
    .play =
        {
            .joints = on_document<&played_joints>,
            .poses = on_document<&play>,
            .has_ease = true,
            .compare = on_documents<&compared>,
        },
    .clip =
        {
            .to_clip = on_document<&document_to_clip>,
            .from_clip = document_from_clip,
            .own_skeleton = own_skeleton,
            .takes = takes,
            .skeleton = avatar_json,
        },
    .scene =
        {
            .to_curves = on_document<&to_curves>,
            .export_rig = export_rig,
        },
    .edit =
        {
            .edited = on_document<&edited>,
            .reduced = on_document<&reduced>,
            .trimmed = on_document<&trimmed_document>,
        },
    .text =
        {
            .info = describe,
        },
    .reasons =
        {
            .no_children = no_children,
            .no_join = "only MRTK recordings can be joined. Import the .anim files into Blender, put their "
                       "Actions one after the other in the NLA Editor, and export that",
        },
};

DocumentPtr make_document(Document document) {
    return std::make_unique<AnyDocument>(format, std::move(document));
}

}  // namespace animbridge::sl_anim

namespace animbridge {

const sl_anim::Document* as_sl_anim(const AnyDocument& document) { return document.get<sl_anim::Document>(); }

}  // namespace animbridge
