// SPDX-License-Identifier: MIT
#include "formats/oban/file/file.h"

#include <algorithm>
#include <array>

#include "base/base.h"
#include "formats/oban/check/check.h"
#include "formats/oban/edit/edit.h"
#include "formats/oban/play/play.h"
#include "formats/oban/scene/scene.h"
#include "model/findings/findings.h"

namespace animbridge::oban {

namespace {

constexpr std::array<std::string_view, 3> extensions = {".oni", ".oban", ".xml"};

/// The container for a file's extension, or `otherwise` if it has none.
file::Container container_of(std::string_view path, file::Container otherwise) {
    const std::string lower = in_lower_case(std::string(path));
    return lower.ends_with(".oni")    ? file::Container::oni
           : lower.ends_with(".xml")  ? file::Container::xml
           : lower.ends_with(".oban") ? file::Container::raw
                                      : otherwise;
}

Bytes write_file(const file::File& file) { return file::write(file.document); }
Json file_json(const file::File& file) { return file::to_json(file.document); }
Json file_info(const file::File& file) { return edit::info(file.document); }

Result<std::vector<Finding>> check_at(const file::File& file, CheckLevel level,
                                      std::string_view /*asset_name*/) {
    return check::check(file.document, level);
}

Result<Json> compared(const file::File& a, const file::File& b, const Job& job) {
    return play::compare(a.document.record, b.document.record, job)
        .map([](const play::Difference& difference) {
            Json report = comparison_json({{difference.pose}, {}, {}, difference.times, difference.spread});
            report["max_linear_difference"] = difference.largest_linear;
            report["differing_fields"] = difference.fields;
            return report;
        });
}

/// What was lost before and now.
std::vector<std::string_view> all_left(const file::File& before, const edit::Changed& changed) {
    std::vector<std::string_view> left = before.left_behind;
    for (const std::string_view field : changed.left_behind) {
        edit::add_once(left, field);
    }
    return left;
}

Result<NamedDocument> named(const file::File& file, std::string_view path, const ReadOptions& /*limits*/,
                            const Job& /*job*/) {
    const file::Document& document = file.document;
    return edit::in_container(document, container_of(path, document.container), file::name_of_file(path))
        .map([&](edit::Changed changed) {
            Json report = {{"container", file::name_of(changed.document.container)},
                           {"left_behind", all_left(file, changed)}};
            return NamedDocument{file::make_document(std::move(changed.document)), std::move(report)};
        });
}

Result<Made> edited(const file::File& file, const Json& edits) {
    TRY(auto changed, edit::edit(file.document, edits));
    Json report = edit_report(check::check(file.document, format.check.default_level),
                              check::check(changed.document, format.check.default_level));
    auto left = all_left(file, changed);
    return Made{
        std::make_unique<AnyDocument>(format, file::File{std::move(changed.document), std::move(left)}),
        std::move(report)};
}

Result<DocumentPtr> trimmed_file(const file::File& file, const Trim& trim) {
    return edit::trimmed(file.document, trim).map([&](file::Document part) -> DocumentPtr {
        return std::make_unique<AnyDocument>(format, file::File{std::move(part), file.left_behind});
    });
}

Result<DocumentPtr> with_tools(const file::File& file, editing::Tools& left, Json& rows) {
    return edit::with_tools(file.document, left, rows).map([&](file::Document made) -> DocumentPtr {
        return std::make_unique<AnyDocument>(format, file::File{std::move(made), file.left_behind});
    });
}

std::vector<OptionTable> option_tables() {
    return {{"to_curves", scene::import_options()},    {"from_curves", scene::export_options()},
            {"from_samples", scene::export_options()}, {"to_clip", scene::to_clip_options()},
            {"from_clip", scene::from_clip_options()}, {"edited", edit::edit_options()}};
}

}  // namespace

constinit const Format format = {
    .id = "oban",
    .title = "Oni object animation",
    .noun = "an OBAN",
    .made_for = "Oni",
    .options = option_tables,
    .file = {
        .extensions = extensions,
        .sniff = file::sniff,
        .may_be = file::may_be_raw,
        .read = [](const FileInput& file) { return file::read(file.bytes).map(file::make_document); },
        .write = always<on_document<&write_file>>,
        .from_json = [](const Json& json) { return file::from_json(json).map(file::make_document); },
        .to_json = on_document<&file_json>,
        .as_named = on_document<&named>,
    },
    .check =
        {
            .rules = check::rules,
            .findings = on_document<&check_at>,
            .info = on_document<&file_info>,
        },
    .play =
        {
            .joints = on_document<&scene::played_joints>,
            .poses = on_document<&scene::play>,
            .compare = on_documents<&compared>,
        },
    .clip =
        {
            .to_clip = on_document<&scene::file_to_clip>,
            .from_clip = scene::file_from_clip,
        },
    .scene =
        {
            .to_curves = on_document<&scene::to_scene_curves>,
            .from_scene = scene::from_scene,
            .moves_object = true,
        },
    .edit =
        {
            .edited = on_document<&edited>,
            .trimmed = on_document<&trimmed_file>,
            .tools = on_document<&with_tools>,
        },
    .text =
        {
            .info = edit::describe,
            .poses = edit::describe_poses,
            .naming = edit::describe_left_behind,
        },
    .reasons =
        {
            .no_store = "no program changes an OBAN when it stores it: Oni plays the file itself",
            .no_reduce = "only keys of a Second Life animation (.anim) can be dropped. Import the OBAN into "
                         "Blender and export it again: the export drops keys that it does not need",
            .no_children = no_children,
            .no_join = "only MRTK recordings can be joined. Import the OBANs into Blender, put their Actions "
                       "one after the other in the NLA Editor, and export that",
        },
};

DocumentPtr file::make_document(file::Document document) {
    return std::make_unique<AnyDocument>(format, file::File{std::move(document), {}});
}

}  // namespace animbridge::oban

namespace animbridge {

const oban::file::Document* as_oban(const AnyDocument& document) {
    const auto* file = document.get<oban::file::File>();
    return file == nullptr ? nullptr : &file->document;
}

}  // namespace animbridge
