// SPDX-License-Identifier: MIT
#include "formats/oban/level/level.h"

#include <array>
#include <set>

#include "base/base.h"
#include "formats/oban/check/check.h"
#include "formats/oban/edit/edit.h"
#include "formats/oban/file/file.h"
#include "model/findings/findings.h"

namespace animbridge::oban {

namespace {

constexpr std::array<std::string_view, 1> level_extensions = {".dat"};

Bytes write_level(const level::Level& level) { return level.file; }
Json level_to_json(const level::Level& level) { return level::to_json(level); }
Json level_info(const level::Level& level) { return level::info(level); }

Result<std::vector<Finding>> check_level(const level::Level& level, CheckLevel check_level,
                                         std::string_view /*asset_name*/) {
    FindingList findings(check::rules(), check_level, "animations");
    for (Finding& finding : check::check_container(level.tables, level.file, check_level)) {
        findings.add(std::move(finding));
    }
    std::set<std::size_t> seen;  // duplicates share their bytes
    for (std::size_t i = 0; i < level.obans.size(); ++i) {
        const level::LevelOban& oban = level.obans[i];
        if (!oban.has_data || !seen.insert(oban.offset).second) {
            continue;
        }
        TRY(const auto document, level::oban_in(level, i));
        const check::RecordPlace place{static_cast<std::int64_t>(oban.offset), document.name};
        for (Finding& finding : check::check_record(document.record, check_level, place)) {
            findings.add(std::move(finding));
        }
    }
    return findings.take();
}

Result<Json> compared_levels(const level::Level& a, const level::Level& b, const Job& job) {
    return level::compare(a, b, job).map([](const level::LevelDifference& difference) {
        Json report = comparison_json(difference.total);
        report["differing_fields"] = list_json(difference.differing_fields, json_text);
        return report;
    });
}

DocumentPtr made_level(level::Level level) { return level::make_document(std::move(level)); }

Result<DocumentPtr> oban_named(const level::Level& level, std::optional<std::string_view> name) {
    return level::find_oban(level, name)
        .and_then([&](std::size_t index) { return level::oban_in(level, index); })
        .map([](file::Document document) { return file::make_document(std::move(document)); });
}

std::vector<Child> obans_with_data(const level::Level& level) {
    std::vector<Child> found;
    std::set<std::string_view> names;
    for (const level::LevelOban& oban : level.obans) {
        if (oban.has_data) {
            const std::string_view name = file::without_tag(oban.name);
            std::string selector = "#" + std::to_string(oban.instance);
            const bool is_known =
                !name.empty() && name.front() != '#' && is_utf8(name) && names.insert(name).second;
            std::string known = is_known ? std::string(name) : selector;
            found.push_back({std::move(selector), std::move(known)});
        }
    }
    return found;
}

/// The level with the OBAN's keys, flags and matrices instead of another's.
Result<DocumentPtr> with_oban(const level::Level& level, std::optional<std::string_view> name,
                              const AnyDocument& child) {
    const file::Document* document = as_oban(child);
    if (document == nullptr) {
        return fail(ErrorCode::invalid_argument,
                    "a level holds OBANs: child is " + std::string(child.format().noun));
    }
    return level::find_oban(level, name)
        .and_then([&](std::size_t index) { return level::replaced(level, index, document->record); })
        .and_then([](Bytes file) { return level::read_level(std::move(file)); })
        .map(made_level);
}

}  // namespace

constinit const Format level_format = {
    .id = "oban_level",
    .title = "Oni level",
    .noun = "a level",
    .made_for = "Oni",
    .file = {
        .extensions = level_extensions,
        .sniff = level::is_level,
        .read =
            [](const FileInput& file) {
                return level::read_level(Bytes(file.bytes.begin(), file.bytes.end())).map(made_level);
            },
        .write = always<on_document<&write_level>>,
        .from_json = [](const Json& json) { return level::level_from_json(json).map(made_level); },
        .to_json = on_document<&level_to_json>,
    },
    .check =
        {
            .rules = check::rules,
            .findings = on_document<&check_level>,
            .info = on_document<&level_info>,
        },
    .play =
        {
            .compare = on_documents<&compared_levels>,
        },
    .level =
        {
            .child = on_document<&oban_named>,
            .children = on_document<&obans_with_data>,
            .child_option = "oban",
            .with_child = on_document<&with_oban>,
        },
    .text =
        {
            .info = level::describe_level,
        },
    .reasons =
        {
            .no_pose = "a level holds many animations and plays none; extract one (animbridge oban extract)",
            .no_store = "no program changes a level when it stores it: Oni reads the file itself",
            .no_edit = "a level has no values to edit: extract an animation, edit that, and put it back "
                       "(animbridge oban replace)",
            .no_reduce = "a level has no keys of its own: extract an animation (animbridge oban extract)",
            .no_motion = "a level holds many animations: take one out first (ab_document_child)",
            .no_clip = "a level holds many animations: extract one (animbridge oban extract)",
            .no_child = "the level contains no OBAN",
            .no_join = "only MRTK recordings can be joined; a level holds its animations side by side",
        },
};

DocumentPtr level::make_document(level::Level level) {
    return std::make_unique<AnyDocument>(level_format, std::move(level));
}

}  // namespace animbridge::oban

namespace animbridge {

const oban::level::Level* as_oban_level(const AnyDocument& document) {
    return document.get<oban::level::Level>();
}

}  // namespace animbridge
