// SPDX-License-Identifier: MIT
#include "convert/sl_document.h"

#include <algorithm>
#include <cmath>

#include "convert/reports.h"
#include "convert/sl_limits.h"
#include "formats/sl_anim/check.h"
#include "formats/sl_anim/clip.h"
#include "formats/sl_anim/compare.h"
#include "formats/sl_anim/edit.h"
#include "formats/sl_anim/emote.h"
#include "formats/sl_anim/json.h"
#include "formats/sl_anim/upload.h"

namespace animbridge {

namespace {

/// The part of a file's name that may be an asset id.
std::string stem_of(std::string_view name) {
    name.remove_prefix(std::min(name.size(), name.find_last_of('/') + 1));
    return std::string(name.substr(0, name.find_last_of('.')));
}

class SlDocument final : public AnyDocument {
public:
    explicit SlDocument(sl_anim::Document document) : document_(std::move(document)) {}

    [[nodiscard]] const Format& format() const override { return *find_format("sl_anim"); }
    [[nodiscard]] Bytes write() const override { return sl_anim::write(document_); }
    [[nodiscard]] Json to_json() const override { return sl_anim::to_json(document_); }
    [[nodiscard]] Json info() const override { return sl_anim::info(document_); }

    [[nodiscard]] Result<std::vector<Finding>> check(std::string_view level,
                                                     std::string_view asset_name) const override {
        const auto known = sl_anim::level_named(level);
        if (!known) {
            return unknown_level(format(), level);
        }
        const std::string stem = stem_of(asset_name);
        return sl_anim::check(document_, {*known, sl_anim::is_uuid(stem) ? stem : ""});
    }
    [[nodiscard]] Result<Json> compare(const AnyDocument& other, const Job& job) const override {
        const sl_anim::Document* second = as_sl_anim(other);
        if (second == nullptr) {
            return fail(ErrorCode::invalid_argument, "only files of one format can be compared");
        }
        for (const sl_anim::Document* document : {&document_, second}) {
            if (auto playable = require_playable(*document); !playable) {
                return tl::unexpected<Error>(std::move(playable.error()));
            }
        }
        return sl_anim::compare(document_, *second, job).map(comparison_json);
    }
    [[nodiscard]] Result<Json> pose(std::span<const double> times_seconds,
                                    std::optional<double> stop_seconds) const override {
        const auto is_number = [](double seconds) { return std::isfinite(seconds); };
        if (!std::all_of(times_seconds.begin(), times_seconds.end(), is_number)) {
            return fail(ErrorCode::invalid_argument, "a time is not a number");
        }
        return require_playable(document_).map(
            [&] { return sl_pose_json(document_, times_seconds, stop_seconds); });
    }
    [[nodiscard]] Result<DocumentPtr> as_stored() const override {
        auto prediction = sl_anim::predict_upload(document_);
        if (!prediction.stored) {
            return tl::unexpected<Error>(refused(prediction.findings));
        }
        return make_document(std::move(*prediction.stored));
    }
    [[nodiscard]] Result<DocumentPtr> edited(const Json& edits) const override {
        auto edited = sl_anim::edit(document_, edits);
        if (!edited) {
            return tl::unexpected<Error>(std::move(edited.error()));
        }
        return make_document(std::move(*edited));
    }

    [[nodiscard]] const sl_anim::Document& document() const { return document_; }

private:
    sl_anim::Document document_;
};

}  // namespace

DocumentPtr make_document(sl_anim::Document document) {
    return std::make_unique<SlDocument>(std::move(document));
}

const sl_anim::Document* as_sl_anim(const AnyDocument& document) {
    const auto* sl = dynamic_cast<const SlDocument*>(&document);
    return sl == nullptr ? nullptr : &sl->document();
}

}  // namespace animbridge
