// SPDX-License-Identifier: MIT
#include "formats/mrtk/file/file.h"

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "editing/editing.h"
#include "formats/mrtk/check/check.h"
#include "formats/mrtk/clip/clip.h"
#include "formats/mrtk/edit/edit.h"
#include "formats/mrtk/play/play.h"
#include "formats/mrtk/scene/scene.h"
#include "model/findings/findings.h"

namespace animbridge::mrtk {

namespace {

constexpr std::array<std::string_view, 1> extensions = {".bin"};

Result<std::vector<Finding>> check_at(const file::Document& document, CheckLevel level,
                                      std::string_view /*asset_name*/) {
    return check::check(document, level);
}

Result<Json> compared(const file::Document& a, const file::Document& b, const Job& job) {
    return play::compare(a, b, job).map([&](const Comparison& comparison) {
        Json report = comparison_json(comparison);
        // Poses of recordings are in the world.
        report["rotations_in"] = "world";
        report["differing_fields"] = play::differing_switches(a, b);
        return report;
    });
}

Result<Made> edited(const file::Document& document, const Json& edits) {
    TRY(auto done, edit::edit(document, edits));
    Json report = edit_report(check::check(document, format.check.default_level),
                              check::check(done.document, format.check.default_level));
    report.update(done.report);
    return Made{file::make_document(std::move(done.document)), std::move(report)};
}

Result<DocumentPtr> trimmed_recording(const file::Document& document, const Trim& trim) {
    return edit::trimmed(document, trim).map([](file::Document part) {
        return file::make_document(std::move(part));
    });
}

/// The speed, which curves take exactly.
Result<DocumentPtr> with_tools(const file::Document& document, editing::Tools& left, Json& rows) {
    double last = 0;
    for (const curves::LooseCurve& curve : curves::taken_apart(document)) {
        for (const file::FullKey& key : curve.keys) {
            last = std::max(last, static_cast<double>(key.time.value()));
        }
    }
    TRY(const auto factor, editing::take_speed(left, last, last));
    if (!factor) {
        return file::make_document(document);
    }
    TRY(auto made, edit::edit(document, Json{{"speed", *factor}}));
    rows.push_back(editing::done("speed", "it plays " + shown_number(*factor) + " times as fast",
                                 {{"factor", *factor}}));
    return file::make_document(std::move(made.document));
}

Result<Made> joined_recordings(std::span<const AnyDocument* const> documents, const Json& options) {
    std::vector<const file::Document*> recordings;
    for (const AnyDocument* const document : documents) {
        recordings.push_back(as_mrtk(*document));
    }
    return edit::join(recordings, options).map([](edit::Joined done) {
        return Made{file::make_document(std::move(done.document)), std::move(done.report)};
    });
}

std::vector<OptionTable> option_tables() {
    return {{"skeleton", clip::skeleton_options()},
            {"edited", edit::edit_options()},
            {"joined", edit::join_options()},
            {"to_curves", clip::rig_options(false)},
            {"to_clip", scene::to_clip_options()},
            {"from_clip", scene::from_clip_options()},
            {"from_curves", scene::curve_export_options()},
            {"from_samples", scene::sample_export_options()}};
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
        .sniff = file::sniff,
        .read =
            [](const FileInput& file) {
                return file::read(file.bytes, file.options.reading).map(file::make_document);
            },
        .write = always<on_document<&file::write>>,
        .from_json = [](const Json& json) { return file::from_json(json).map(file::make_document); },
        .to_json = on_document<&file::to_json>,
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
            .joints = on_document<&play::played_joints>,
            .poses = on_document<&play::play>,
            .compare = on_documents<&compared>,
        },
    .clip =
        {
            .to_clip = on_document<&scene::document_to_clip>,
            .from_clip = scene::document_from_clip,
            .takes = scene::takes,
            .skeleton = scene::skeleton,
            .has_properties = true,
            .finds_body = true,
        },
    .scene =
        {
            .to_curves = on_document<&scene::to_curves>,
            .from_scene =
                [](const SceneMotion& motion) {
                    return motion.samples != nullptr ? scene::from_samples(motion)
                                                     : scene::from_curves(motion);
                },
        },
    .edit =
        {
            .edited = on_document<&edited>,
            .joined = joined_recordings,
            .trimmed = on_document<&trimmed_recording>,
            .tools = on_document<&with_tools>,
        },
    .text =
        {
            .info = check::describe,
            .poses = check::describe_poses,
            .edit = edit::describe_edit,
        },
    .reasons =
        {
            .no_store =
                "no program stores an MRTK recording otherwise than it is: MRTK plays the file itself",
            .no_reduce = "only Second Life animations have keys that can be reduced",
            .no_children = no_children,
        },
};

DocumentPtr file::make_document(file::Document document) {
    return std::make_unique<AnyDocument>(format, std::move(document));
}

}  // namespace animbridge::mrtk

namespace animbridge {

const mrtk::file::Document* as_mrtk(const AnyDocument& document) {
    return document.get<mrtk::file::Document>();
}

}  // namespace animbridge
