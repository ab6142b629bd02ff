// SPDX-License-Identifier: MIT
#include "convert/oban_document.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "convert/reports.h"
#include "formats/oban/change.h"
#include "formats/oban/check.h"
#include "formats/oban/compare.h"
#include "formats/oban/json.h"
#include "formats/oban/oni.h"
#include "formats/oban/player.h"
#include "formats/oban/write.h"

namespace animbridge {

namespace {

/// The container that a file's extension asks for; the one that it has, where it asks for none.
oban::Container container_of(std::string_view path, oban::Container otherwise) {
    const auto ends_with = [&](std::string_view extension) {
        return path.size() >= extension.size() &&
               std::equal(extension.rbegin(), extension.rend(), path.rbegin(), [](char known, char found) {
                   return known == (found >= 'A' && found <= 'Z' ? found - 'A' + 'a' : found);
               });
    };
    if (ends_with(".oni")) {
        return oban::Container::oni;
    }
    if (ends_with(".xml")) {
        return oban::Container::xml;
    }
    return ends_with(".oban") ? oban::Container::raw : otherwise;
}

/// A(f) as the file would store it, and what makes it.
Json oban_pose_row(const oban::Player& player, double seconds) {
    const double frame = player.looped_frame(seconds * oban::frames_per_second);
    const oban::Pose pose = player.pose(frame);
    const glm::dmat4 matrix = player.transform(frame);
    Json numbers = Json::array();
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 3; ++row) {
            numbers.push_back(matrix[column][row]);
        }
    }
    return {{"seconds", seconds},
            {"frame", frame},
            {"rotation_wxyz", {pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z}},
            {"position", {pose.position.x, pose.position.y, pose.position.z}},
            {"matrix", std::move(numbers)}};
}

class ObanDocument final : public AnyDocument {
public:
    explicit ObanDocument(oban::Document document, std::vector<std::string_view> left_behind = {})
        : document_(std::move(document)), left_behind_(std::move(left_behind)) {}

    [[nodiscard]] const Format& format() const override { return *find_format("oban"); }
    [[nodiscard]] Bytes write() const override { return oban::write(document_); }
    [[nodiscard]] Json to_json() const override { return oban::to_json(document_); }
    [[nodiscard]] Json info() const override { return oban::info(document_); }

    [[nodiscard]] Result<std::vector<Finding>> check(std::string_view level,
                                                     std::string_view /*asset_name*/) const override {
        const auto known = oban::check_level_named(level);
        if (!known) {
            return unknown_level(format(), level);
        }
        return oban::check(document_, *known);
    }
    [[nodiscard]] Result<Json> compare(const AnyDocument& other, const Job& job) const override {
        const oban::Document* second = as_oban(other);
        if (second == nullptr) {
            return fail(ErrorCode::invalid_argument, "only files of one format can be compared");
        }
        return oban::compare(document_.record, second->record, job)
            .map([](const oban::Difference& difference) {
                Json report = comparison_json({{difference.pose}, {}, {}, difference.times});
                report["max_linear_difference"] = difference.largest_linear;
                report["differing_fields"] = difference.fields;
                return report;
            });
    }
    [[nodiscard]] Result<Json> pose(std::span<const double> times_seconds,
                                    std::optional<double> stop_seconds) const override {
        if (stop_seconds) {
            return fail(ErrorCode::invalid_argument,
                        "an OBAN has no ease that a stop would begin; leave the stop away");
        }
        const auto is_number = [](double seconds) { return std::isfinite(seconds); };
        if (!std::all_of(times_seconds.begin(), times_seconds.end(), is_number)) {
            return fail(ErrorCode::invalid_argument, "a time is not a number");
        }
        return oban::require_playable(document_.record).map([&] {
            const oban::Player player(document_.record);
            Json poses = Json::array();
            for (const double seconds : times_seconds) {
                poses.push_back(oban_pose_row(player, seconds));
            }
            return Json{{"poses", std::move(poses)}};
        });
    }
    [[nodiscard]] Result<DocumentPtr> as_stored() const override {
        return fail(ErrorCode::invalid_argument,
                    "no program stores an OBAN otherwise than it is: Oni plays the file itself");
    }
    [[nodiscard]] Result<NamedDocument> as_file_named(std::string_view path) const override {
        auto changed =
            oban::in_container(document_, container_of(path, document_.container), oban::name_of_file(path));
        if (!changed) {
            return tl::unexpected<Error>(std::move(changed.error()));
        }
        std::vector<std::string_view> left = left_behind_;
        for (const std::string_view field : changed->left_behind) {
            oban::add_once(left, field);
        }
        Json report = {{"container", oban::name_of(changed->document.container)}, {"left_behind", left}};
        return NamedDocument{make_document(std::move(changed->document)), std::move(report)};
    }
    [[nodiscard]] Result<DocumentPtr> edited(const Json& edits) const override {
        return oban::edit(document_, edits).map([&](oban::Changed edited) -> DocumentPtr {
            std::vector<std::string_view> left = left_behind_;
            for (const std::string_view field : edited.left_behind) {
                oban::add_once(left, field);
            }
            return std::make_unique<ObanDocument>(std::move(edited.document), std::move(left));
        });
    }

    [[nodiscard]] const oban::Document& document() const { return document_; }

private:
    oban::Document document_;
    std::vector<std::string_view> left_behind_;  ///< by edits; not written, but told with the file
};

}  // namespace

DocumentPtr make_document(oban::Document document) {
    return std::make_unique<ObanDocument>(std::move(document));
}

const oban::Document* as_oban(const AnyDocument& document) {
    const auto* oban = dynamic_cast<const ObanDocument*>(&document);
    return oban == nullptr ? nullptr : &oban->document();
}

}  // namespace animbridge
