// SPDX-License-Identifier: MIT
#include "convert/oban_level_document.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "convert/oban_document.h"
#include "convert/reports.h"
#include "formats/oban/check.h"
#include "formats/oban/level_compare.h"
#include "formats/oban/level_json.h"

namespace animbridge {

namespace {

Json level_comparison_json(const oban::LevelDifference& difference) {
    Json report = comparison_json(difference.total);
    Json fields = Json::array();
    for (const std::string& field : difference.differing_fields) {
        fields.push_back(json_text(field));
    }
    report["differing_fields"] = std::move(fields);
    return report;
}

class ObanLevelDocument final : public AnyDocument {
public:
    explicit ObanLevelDocument(oban::Level level) : level_(std::move(level)) {}

    [[nodiscard]] const Format& format() const override { return *find_format("oban_level"); }
    [[nodiscard]] Bytes write() const override { return level_.file; }
    [[nodiscard]] Json to_json() const override { return oban::to_json(level_); }
    [[nodiscard]] Json info() const override { return oban::info(level_); }

    [[nodiscard]] Result<std::vector<Finding>> check(std::string_view level,
                                                     std::string_view /*asset_name*/) const override {
        const auto known = oban::check_level_named(level);
        if (!known) {
            return unknown_level(format(), level);
        }
        std::vector<Finding> findings = oban::check_container(level_.tables, level_.file, *known);
        std::set<std::size_t> seen;  // duplicates share their bytes
        for (std::size_t i = 0; i < level_.obans.size(); ++i) {
            const oban::LevelOban& oban = level_.obans[i];
            const auto document = oban.has_data && seen.insert(oban.offset).second
                                      ? oban::oban_in(level_, i).map([](oban::Document found) {
                                            return std::optional(std::move(found));
                                        })
                                      : Result<std::optional<oban::Document>>(std::nullopt);
            if (!document) {
                return tl::unexpected<Error>(document.error());
            }
            if (*document) {
                std::vector<Finding> more = oban::check_record(
                    (*document)->record, *known, {static_cast<std::int64_t>(oban.offset), (*document)->name});
                findings.insert(findings.end(), std::make_move_iterator(more.begin()),
                                std::make_move_iterator(more.end()));
            }
        }
        return findings;
    }
    [[nodiscard]] Result<Json> compare(const AnyDocument& other, const Job& job) const override {
        const oban::Level* second = as_oban_level(other);
        if (second == nullptr) {
            return fail(ErrorCode::invalid_argument, "only files of one format can be compared");
        }
        return oban::compare(level_, *second, job).map(level_comparison_json);
    }
    [[nodiscard]] Result<Json> pose(std::span<const double> /*times_seconds*/,
                                    std::optional<double> /*stop_seconds*/) const override {
        return fail(ErrorCode::invalid_argument,
                    "a level holds many animations and plays none; extract one (animbridge oban extract)");
    }
    [[nodiscard]] Result<DocumentPtr> as_stored() const override {
        return fail(ErrorCode::invalid_argument,
                    "no program stores a level otherwise than it is: Oni reads the file itself");
    }
    [[nodiscard]] Result<DocumentPtr> edited(const Json& /*edits*/) const override {
        return fail(ErrorCode::invalid_argument,
                    "a level has no values to edit: extract an animation, edit that, and put it back "
                    "(animbridge oban replace)");
    }

    [[nodiscard]] const oban::Level& level() const { return level_; }

private:
    oban::Level level_;
};

Result<std::optional<std::string>> oban_option(const Json& options) {
    std::optional<std::string> name;
    for (const auto& [key, value] : options.items()) {
        if (key != "oban") {
            return fail_at_option(key, "oban");
        }
        if (!value.is_string()) {
            return json_fail(key, value, "the name of an OBAN in the level");
        }
        name = value.get<std::string>();
    }
    return name;
}

}  // namespace

DocumentPtr make_document(oban::Level level) { return std::make_unique<ObanLevelDocument>(std::move(level)); }

const oban::Level* as_oban_level(const AnyDocument& document) {
    const auto* level = dynamic_cast<const ObanLevelDocument*>(&document);
    return level == nullptr ? nullptr : &level->level();
}

Result<Bridged> oban_level_to_oban(const BridgeInput& input) {
    const auto name = oban_option(input.options);
    if (!name) {
        return tl::unexpected<Error>(name.error());
    }
    const auto level = oban::read_level(Bytes(input.bytes.begin(), input.bytes.end()));
    if (!level) {
        return tl::unexpected<Error>(level.error());
    }
    const auto index = oban::find_oban(*level, *name);
    auto document = index ? oban::oban_in(*level, *index) : tl::unexpected<Error>(index.error());
    if (!document) {
        return tl::unexpected<Error>(std::move(document.error()));
    }
    Json report = {{"oban", json_text(document->name)}, {"instance", level->obans[*index].instance}};
    return Bridged{make_document(std::move(*document)), std::move(report)};
}

}  // namespace animbridge
