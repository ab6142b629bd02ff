// SPDX-License-Identifier: MIT
#include "formats/format.h"

#include <algorithm>
#include <cmath>

#include "formats/clip_pose.h"

namespace animbridge {

namespace {

tl::unexpected<Error> cannot(std::string_view reason) {
    return fail(ErrorCode::invalid_argument, std::string(reason));
}

}  // namespace

Result<Bytes> AnyDocument::write(const ReadOptions& limits) const { return format_->write(*this, limits); }

Json AnyDocument::to_json() const { return format_->to_json(*this); }
Json AnyDocument::info() const { return format_->info(*this); }

Result<std::vector<Finding>> AnyDocument::check(CheckLevel level, std::string_view asset_name) const {
    return format_->check(*this, level, asset_name);
}

std::vector<Finding> AnyDocument::tolerated() const {
    return format_->tolerated == nullptr ? std::vector<Finding>() : format_->tolerated(*this);
}

Result<Json> AnyDocument::compare(const AnyDocument& other, const Job& job) const {
    if (other.format_ != format_) {
        return cannot("only files of the same format can be compared; found " + std::string(format_->title) +
                      " and " + std::string(other.format_->title));
    }
    return format_->compare(*this, other, job);
}

Result<void> AnyDocument::require_player(std::optional<double> stop_seconds) const {
    if (format_->play == nullptr) {
        return cannot(format_->reasons.no_pose);
    }
    if (stop_seconds && !format_->has_ease) {
        return cannot(std::string(format_->noun) +
                      " has no ease-out that a stop could begin; leave out the stop");
    }
    return {};
}

Result<Json> AnyDocument::pose(std::span<const double> times_seconds,
                               std::optional<double> stop_seconds) const {
    TRY_VOID(require_player(stop_seconds));
    const auto is_number = [](double seconds) { return std::isfinite(seconds); };
    if (!std::all_of(times_seconds.begin(), times_seconds.end(), is_number)) {
        return cannot("a time is not a number");
    }
    TRY(const auto joints, format_->played_joints(*this));
    return poses_json(times_seconds, joints, [&](const PoseArrays& out) {
        return format_->play(*this, times_seconds, stop_seconds, out);
    });
}

Result<Stored> AnyDocument::as_stored() const {
    if (format_->as_stored == nullptr) {
        return cannot(format_->reasons.no_store);
    }
    return format_->as_stored(*this);
}

Result<NamedDocument> AnyDocument::as_file_named(std::string_view path, const ReadOptions& limits) const {
    return format_->as_file_named == nullptr ? NamedDocument{} : format_->as_file_named(*this, path, limits);
}

Result<Made> AnyDocument::edited(const Json& edits) const {
    if (format_->edited == nullptr) {
        return cannot(format_->reasons.no_edit);
    }
    return edits.is_object() ? format_->edited(*this, edits) : json_fail("edits", edits, "an object");
}

Result<Made> joined(std::span<const AnyDocument* const> documents, const Json& options) {
    if (documents.empty()) {
        return fail(ErrorCode::invalid_argument, "found no documents to join; allowed are two or more");
    }
    const Format& format = documents.front()->format();
    for (const AnyDocument* const document : documents) {
        if (&document->format() != &format) {
            return fail(ErrorCode::invalid_argument, "found " + std::string(format.noun) + " and " +
                                                         std::string(document->format().noun) +
                                                         "; allowed are documents of one format");
        }
    }
    if (format.joined == nullptr) {
        return fail(ErrorCode::invalid_argument, std::string(format.reasons.no_join));
    }
    return format.joined(documents, options);
}

Result<Made> AnyDocument::reduced(const Json& options, const Job& job) const {
    return format_->reduced == nullptr ? cannot(format_->reasons.no_reduce)
                                       : format_->reduced(*this, options, job);
}

}  // namespace animbridge
