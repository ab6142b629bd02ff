// SPDX-License-Identifier: MIT
#include "convert/bvh_document.h"

#include "formats/bvh/check.h"
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
            return fail(ErrorCode::invalid_argument,
                        "unknown level \"" + std::string(level) + "\"; allowed are playback, upload, strict");
        }
        return bvh::check(document_, *known);
    }
    [[nodiscard]] Result<Clip> to_clip() const override {
        return fail(ErrorCode::invalid_argument, "a BVH has no clip yet");
    }
    [[nodiscard]] Result<Json> compare(const AnyDocument& /*other*/, const Job& /*job*/) const override {
        return fail(ErrorCode::invalid_argument, "a BVH has no comparison yet");
    }
    [[nodiscard]] Result<Json> pose(std::span<const double> /*times_seconds*/,
                                    std::optional<double> /*stop_seconds*/) const override {
        return fail(ErrorCode::invalid_argument, "a BVH has no player yet");
    }
    [[nodiscard]] Result<DocumentPtr> as_stored() const override {
        return fail(ErrorCode::invalid_argument,
                    "a BVH is not stored: Second Life converts it; convert it to .anim first");
    }
    [[nodiscard]] Result<DocumentPtr> edited(const Json& /*edits*/) const override {
        return fail(ErrorCode::invalid_argument, "a BVH has no header values to edit");
    }

    [[nodiscard]] const bvh::Document& document() const { return document_; }

private:
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
