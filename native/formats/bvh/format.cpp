// SPDX-License-Identifier: MIT
#include "formats/bvh/file/file.h"

#include <array>

#include "formats/bvh/check/check.h"
#include "formats/bvh/clip/clip.h"
#include "formats/bvh/scene/scene.h"
#include "model/findings/findings.h"

namespace animbridge::bvh {

namespace {

constexpr std::array<std::string_view, 1> extensions = {".bvh"};

Bytes write_file(const file::File& file) { return file::write(file.document, file.options); }
Json file_json(const file::File& file) { return file::to_json(file.document); }
Json file_info(const file::File& file) { return check::info(file.document); }

Result<std::vector<Finding>> check_at(const file::File& file, CheckLevel level,
                                      std::string_view /*asset_name*/) {
    return check::check(file.document, level);
}

std::vector<Finding> tolerated_in(const file::File& file) { return check::tolerated(file.document); }

Result<Json> compared(const file::File& a, const file::File& b, const Job& job) {
    return clip::compare(a.document, b.document, job).map(comparison_json);
}

constexpr std::array<OptionRow<file::WriteOptions>, 1> edit_rows = {{
    {{.name = "decimals",
      .type = OptionType::integer,
      .command_name = "--decimals",
      .value_name = "COUNT",
      .high = file::most_decimals,
      .may_be_null = true,
      .without = "as few as read back to the same number",
      .help = "Decimals of offsets and motion; the frame time always has as many as it takes"},
     [](file::WriteOptions& options, const Json& value) {
         options.decimals = static_cast<int>(value.get<std::int64_t>());
     }},
}};
constexpr auto edit_table = options_of(edit_rows);

/// The motion stays except for its rounding, so no program has new findings.
Result<Made> edited(const file::File& file, const Json& edits) {
    file::WriteOptions options = file.options;
    TRY_VOID(read_options(edits, edit_rows, options));
    const auto decimals = edits.find("decimals");
    if (decimals != edits.end() && decimals->is_null()) {
        options.decimals = std::nullopt;
    }
    return Made{file::make_document(file.document, options), edit_report({}, {})};
}

Result<DocumentPtr> trimmed_file(const file::File& file, const Trim& trim) {
    return file::trimmed(file.document, trim).map([&](file::Document part) {
        return file::make_document(std::move(part), file.options);
    });
}

Result<Json> file_skeleton(const AnyDocument* document, const Json& options) {
    const file::Document* file = document == nullptr ? nullptr : as_bvh(*document);
    if (file == nullptr) {
        return fail(ErrorCode::invalid_argument, "every BVH has a skeleton of its own: document is NULL");
    }
    return scene::placement_from(options).and_then(
        [&](const clip::Placement& placement) { return scene::skeleton_json(*file, placement); });
}

std::vector<OptionTable> option_tables() {
    return {{"skeleton", scene::skeleton_options()},
            {"to_curves", scene::import_options()},
            {"from_curves", scene::export_options()},
            {"from_samples", scene::export_options()},
            {"to_clip", scene::to_clip_options()},
            {"from_clip", scene::from_clip_options()},
            {"edited", edit_table}};
}

}  // namespace

constinit const Format format = {
    .id = "bvh",
    .title = "BVH motion",
    .noun = "a BVH",
    .made_for = "Second Life",
    .options = option_tables,
    .file = {
        .extensions = extensions,
        .framed_extensions = extensions,
        .sniff = file::sniff,
        .read =
            [](const FileInput& file) {
                return file::read(file.bytes, file.options.reading).map([](file::Document document) {
                    return file::make_document(std::move(document));
                });
            },
        .write = always<on_document<&write_file>>,
        .from_json =
            [](const Json& json) {
                return file::from_json(json).map(
                    [](file::Document document) { return file::make_document(std::move(document)); });
            },
        .to_json = on_document<&file_json>,
    },
    .check =
        {
            .rules = file::rules,
            .findings = on_document<&check_at>,
            .tolerated = on_document<&tolerated_in>,
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
            .skeleton = file_skeleton,
            .has_axes = true,
            .has_size = true,
            .has_bounds = true,
        },
    .scene =
        {
            .to_curves = on_document<&scene::to_scene_curves>,
            .export_rig = scene::export_rig,
        },
    .edit = {
        .edited = on_document<&edited>,
        .trimmed = on_document<&trimmed_file>,
        .with_tracks =
            [](const AnyDocument& document, const Clip& changed, const Json& to_clip) {
                const auto& file = *document.get<file::File>();
                return scene::with_tracks(file, changed, to_clip).map([&](file::Document made) {
                    return file::make_document(std::move(made), file.options);
                });
            },
        .tools =
            [](const AnyDocument& document, editing::Tools& left, Json& rows) {
                const auto& file = *document.get<file::File>();
                return scene::with_tools(file.document, left, rows).map([&](file::Document made) {
                    return file::make_document(std::move(made), file.options);
                });
            },
    },
    .text =
        {
            .info = check::describe,
        },
    .reasons =
        {
            .no_store = "a BVH is not stored: Second Life converts it; convert it to .anim first",
            .no_reduce = "a BVH has no keys to drop: it stores every joint at every frame. Convert it to "
                         ".anim (animbridge convert) and reduce that",
            .no_children = no_children,
            .no_join = "only MRTK recordings can be joined. Import the BVHs into Blender, put their Actions "
                       "one after the other in the NLA Editor, and export that",
        },
};

DocumentPtr file::make_document(file::Document document, file::WriteOptions options) {
    return std::make_unique<AnyDocument>(format, file::File{std::move(document), options});
}

}  // namespace animbridge::bvh

namespace animbridge {

const bvh::file::Document* as_bvh(const AnyDocument& document) {
    const auto* file = document.get<bvh::file::File>();
    return file == nullptr ? nullptr : &file->document;
}

}  // namespace animbridge
