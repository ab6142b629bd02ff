// SPDX-License-Identifier: MIT
#include "convert/bvh_document.h"

#include <algorithm>
#include <cmath>

#include "convert/bvh_upload.h"
#include "convert/reports.h"
#include "formats/bvh/check.h"
#include "formats/bvh/compare.h"
#include "formats/bvh/json.h"

namespace animbridge {

namespace {

class BvhDocument final : public AnyDocument {
public:
    BvhDocument(bvh::Document document, bvh::WriteOptions options)
        : document_(std::move(document)), options_(options) {}

    [[nodiscard]] const Format& format() const override { return *find_format("bvh"); }
    [[nodiscard]] Bytes write() const override { return bvh::write(document_, options_); }
    [[nodiscard]] Json to_json() const override { return bvh::to_json(document_); }
    [[nodiscard]] Json info() const override { return bvh::info(document_); }

    [[nodiscard]] Result<std::vector<Finding>> check(std::string_view level,
                                                     std::string_view /*asset_name*/) const override {
        const auto known = bvh::level_named(level);
        if (!known) {
            return unknown_level(format(), level);
        }
        std::vector<Finding> findings = bvh::check(document_, *known);
        if (*known == bvh::Level::upload) {
            add_upload_findings(document_, findings);
        }
        return findings;
    }
    [[nodiscard]] Result<Json> compare(const AnyDocument& other, const Job& job) const override {
        const bvh::Document* second = as_bvh(other);
        if (second == nullptr) {
            return fail(ErrorCode::invalid_argument, "only files of one format can be compared");
        }
        return bvh::compare(document_, *second, job).map(comparison_json);
    }
    [[nodiscard]] Result<Json> pose(std::span<const double> times_seconds,
                                    std::optional<double> stop_seconds) const override {
        if (stop_seconds) {
            return fail(ErrorCode::invalid_argument,
                        "a BVH has no ease that a stop would begin; leave the stop away");
        }
        const auto is_number = [](double seconds) { return std::isfinite(seconds); };
        if (!std::all_of(times_seconds.begin(), times_seconds.end(), is_number)) {
            return fail(ErrorCode::invalid_argument, "a time is not a number");
        }
        return bvh_pose_json(document_, times_seconds);
    }
    [[nodiscard]] Result<DocumentPtr> as_stored() const override {
        return fail(ErrorCode::invalid_argument,
                    "a BVH is not stored: Second Life converts it; convert it to .anim first");
    }
    [[nodiscard]] Result<DocumentPtr> edited(const Json& edits) const override {
        const auto options = edited_options(edits);
        if (!options) {
            return tl::unexpected<Error>(options.error());
        }
        return make_document(document_, *options);
    }

    [[nodiscard]] const bvh::Document& document() const { return document_; }

private:
    /// {"decimals": digits behind the point, or null for as few as read back to the same number}.
    [[nodiscard]] Result<bvh::WriteOptions> edited_options(const Json& edits) const {
        if (!edits.is_object()) {
            return json_fail("edits", edits, "an object");
        }
        bvh::WriteOptions options = options_;
        for (const auto& [key, value] : edits.items()) {
            if (key != "decimals") {
                return json_fail(key, value, "nothing: a BVH has no such value; the one known is decimals");
            }
            const auto digits =
                value.is_null() ? Result<std::int64_t>(0) : integer_from_json(value, 0, 17, key);
            if (!digits) {
                return tl::unexpected<Error>(digits.error());
            }
            options.decimals = value.is_null() ? std::nullopt : std::optional(static_cast<int>(*digits));
        }
        return options;
    }

    bvh::Document document_;
    bvh::WriteOptions options_;
};

}  // namespace

DocumentPtr make_document(bvh::Document document, bvh::WriteOptions options) {
    return std::make_unique<BvhDocument>(std::move(document), options);
}

const bvh::Document* as_bvh(const AnyDocument& document) {
    const auto* bvh = dynamic_cast<const BvhDocument*>(&document);
    return bvh == nullptr ? nullptr : &bvh->document();
}

}  // namespace animbridge
