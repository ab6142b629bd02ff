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
Container container_of(std::string_view path, Container otherwise) {
    const std::string lower = in_lower_case(std::string(path));
    return lower.ends_with(".oni")    ? Container::oni
           : lower.ends_with(".xml")  ? Container::xml
           : lower.ends_with(".oban") ? Container::raw
                                      : otherwise;
}

Bytes write_file(const File& file) { return write(file.document); }
Json file_json(const File& file) { return to_json(file.document); }
Json file_info(const File& file) { return info(file.document); }

Result<std::vector<Finding>> check_at(const File& file, CheckLevel level, std::string_view /*asset_name*/) {
    return check(file.document, level);
}

Result<Json> compared(const File& a, const File& b, const Job& job) {
    return compare(a.document.record, b.document.record, job).map([](const Difference& difference) {
        Json report = comparison_json({{difference.pose}, {}, {}, difference.times});
        report["max_linear_difference"] = difference.largest_linear;
        report["differing_fields"] = difference.fields;
        return report;
    });
}

/// What was lost before and now.
std::vector<std::string_view> all_left(const File& before, const Changed& changed) {
    std::vector<std::string_view> left = before.left_behind;
    for (const std::string_view field : changed.left_behind) {
        add_once(left, field);
    }
    return left;
}

Result<NamedDocument> named(const File& file, std::string_view path, const ReadOptions& /*limits*/) {
    const Document& document = file.document;
    return in_container(document, container_of(path, document.container), name_of_file(path))
        .map([&](Changed changed) {
            Json report = {{"container", name_of(changed.document.container)},
                           {"left_behind", all_left(file, changed)}};
            return NamedDocument{make_document(std::move(changed.document)), std::move(report)};
        });
}

Result<Made> edited(const File& file, const Json& edits) {
    TRY(auto changed, edit(file.document, edits));
    Json report = edit_report(check(file.document, format.check.default_level),
                              check(changed.document, format.check.default_level));
    auto left = all_left(file, changed);
    return Made{std::make_unique<AnyDocument>(format, File{std::move(changed.document), std::move(left)}),
                std::move(report)};
}

Result<DocumentPtr> trimmed_file(const File& file, const Trim& trim) {
    return trimmed(file.document, trim).map([&](Document part) -> DocumentPtr {
        return std::make_unique<AnyDocument>(format, File{std::move(part), file.left_behind});
    });
}

std::vector<OptionTable> option_tables() {
    return {{"to_curves", import_options()},    {"from_curves", export_options()},
            {"from_samples", export_options()}, {"to_clip", to_clip_options()},
            {"from_clip", from_clip_options()}, {"edited", edit_options()}};
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
        .sniff = sniff,
        .may_be = may_be_raw,
        .read = [](const FileInput& file) { return read(file.bytes).map(make_document); },
        .write = always<on_document<&write_file>>,
        .from_json = [](const Json& json) { return from_json(json).map(make_document); },
        .to_json = on_document<&file_json>,
        .as_named = on_document<&named>,
    },
    .check =
        {
            .rules = rules,
            .findings = on_document<&check_at>,
            .info = on_document<&file_info>,
        },
    .play =
        {
            .joints = on_document<&played_joints>,
            .poses = on_document<&play>,
            .compare = on_documents<&compared>,
        },
    .clip =
        {
            .to_clip = on_document<&file_to_clip>,
            .from_clip = file_from_clip,
        },
    .scene =
        {
            .to_curves = on_document<&to_scene_curves>,
            .from_scene = from_scene,
            .moves_object = true,
        },
    .edit =
        {
            .edited = on_document<&edited>,
            .trimmed = on_document<&trimmed_file>,
        },
    .text =
        {
            .info = describe,
            .poses = describe_poses,
            .naming = describe_left_behind,
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

DocumentPtr make_document(Document document) {
    return std::make_unique<AnyDocument>(format, File{std::move(document), {}});
}

}  // namespace animbridge::oban

namespace animbridge {

const oban::Document* as_oban(const AnyDocument& document) {
    const auto* file = document.get<oban::File>();
    return file == nullptr ? nullptr : &file->document;
}

}  // namespace animbridge
