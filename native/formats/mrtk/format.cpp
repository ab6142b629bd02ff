// SPDX-License-Identifier: MIT
#include "formats/mrtk/file/file.h"

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "formats/mrtk/check/check.h"
#include "formats/mrtk/clip/clip.h"
#include "formats/mrtk/edit/edit.h"
#include "formats/mrtk/play/play.h"
#include "formats/mrtk/scene/scene.h"
#include "model/findings/findings.h"

namespace animbridge::mrtk {

namespace {

constexpr std::array<std::string_view, 1> extensions = {".bin"};

Result<std::vector<Finding>> check_at(const Document& document, CheckLevel level,
                                      std::string_view /*asset_name*/) {
    return check(document, level);
}

Result<Json> compared(const Document& a, const Document& b, const Job& job) {
    return compare(a, b, job).map([&](const Comparison& comparison) {
        Json report = comparison_json(comparison);
        // Poses of recordings are in the world.
        report["rotations_in"] = "world";
        report["differing_fields"] = differing_switches(a, b);
        return report;
    });
}

Result<Made> edited(const Document& document, const Json& edits) {
    TRY(auto done, edit(document, edits));
    Json report = edit_report(check(document, format.check.default_level),
                              check(done.document, format.check.default_level));
    report.update(done.report);
    return Made{make_document(std::move(done.document)), std::move(report)};
}

Result<DocumentPtr> trimmed_recording(const Document& document, const Trim& trim) {
    return trimmed(document, trim).map([](Document part) { return make_document(std::move(part)); });
}

Result<Made> joined_recordings(std::span<const AnyDocument* const> documents, const Json& options) {
    std::vector<const Document*> recordings;
    for (const AnyDocument* const document : documents) {
        recordings.push_back(as_mrtk(*document));
    }
    return join(recordings, options).map([](Joined done) {
        return Made{make_document(std::move(done.document)), std::move(done.report)};
    });
}

std::vector<OptionTable> option_tables() {
    return {{"skeleton", skeleton_options()},
            {"edited", edit_options()},
            {"joined", join_options()},
            {"to_curves", rig_options(false)},
            {"to_clip", to_clip_options()},
            {"from_clip", from_clip_options()},
            {"from_curves", curve_export_options()},
            {"from_samples", sample_export_options()}};
}

}  // namespace

constinit const Format format = {
    .id = "mrtk",
    .title = "MRTK input animation",
    .noun = "an MRTK recording",
    .made_for = "MRTK",
    .options = option_tables,
    .file = {
        .extensions = extensions,
        .has_bare_names = true,
        .sniff = sniff,
        .read =
            [](const FileInput& file) { return read(file.bytes, file.options.reading).map(make_document); },
        .write = always<on_document<&write>>,
        .from_json = [](const Json& json) { return from_json(json).map(make_document); },
        .to_json = on_document<&to_json>,
    },
    .check =
        {
            .rules = rules,
            .findings = on_document<&check_at>,
            .tolerated = on_document<&tolerated>,
            .info = on_document<&info>,
        },
    .play =
        {
            .joints = on_document<&played_joints>,
            .poses = on_document<&play>,
            .compare = on_documents<&compared>,
        },
    .clip =
        {
            .to_clip = on_document<&document_to_clip>,
            .from_clip = document_from_clip,
            .takes = takes,
            .skeleton = skeleton,
            .has_properties = true,
            .finds_body = true,
        },
    .scene =
        {
            .to_curves = on_document<&to_curves>,
            .from_scene =
                [](const SceneMotion& motion) {
                    return motion.samples != nullptr ? from_samples(motion) : from_curves(motion);
                },
        },
    .edit =
        {
            .edited = on_document<&edited>,
            .joined = joined_recordings,
            .trimmed = on_document<&trimmed_recording>,
        },
    .text =
        {
            .info = describe,
            .poses = describe_poses,
            .edit = describe_edit,
        },
    .reasons =
        {
            .no_store =
                "no program stores an MRTK recording otherwise than it is: MRTK plays the file itself",
            .no_reduce = "only Second Life animations have keys that can be reduced",
            .no_children = no_children,
        },
};

DocumentPtr make_document(Document document) {
    return std::make_unique<AnyDocument>(format, std::move(document));
}

}  // namespace animbridge::mrtk

namespace animbridge {

const mrtk::Document* as_mrtk(const AnyDocument& document) { return document.get<mrtk::Document>(); }

}  // namespace animbridge
