// SPDX-License-Identifier: MIT
#include "model/format/format.h"

#include <cmath>

namespace animbridge {

namespace {

tl::unexpected<Error> cannot(std::string_view reason) {
    return fail(ErrorCode::invalid_argument, std::string(reason));
}

}  // namespace

Result<Bytes> AnyDocument::write(const ReadOptions& limits) const {
    return format_->file.write(*this, limits);
}

Json AnyDocument::to_json() const { return format_->file.to_json(*this); }
Json AnyDocument::info() const { return format_->check.info(*this); }

Result<std::vector<Finding>> AnyDocument::check(CheckLevel level, std::string_view asset_name,
                                                std::string_view purpose) const {
    return format_->check.for_purpose == nullptr
               ? format_->check.findings(*this, level, asset_name)
               : format_->check.for_purpose(*this, level, asset_name, purpose);
}

std::vector<Finding> AnyDocument::tolerated() const {
    return format_->check.tolerated == nullptr ? std::vector<Finding>() : format_->check.tolerated(*this);
}

Result<Json> AnyDocument::compare(const AnyDocument& other, const Job& job) const {
    if (other.format_ != format_) {
        return cannot("only files of the same format can be compared; found " + std::string(format_->title) +
                      " and " + std::string(other.format_->title));
    }
    return format_->play.compare(*this, other, job);
}

Result<void> AnyDocument::require_player(std::optional<double> stop_seconds) const {
    if (format_->play.poses == nullptr) {
        return cannot(format_->reasons.no_pose);
    }
    if (stop_seconds && !format_->play.has_ease) {
        return cannot(std::string(format_->noun) +
                      " has no ease-out that a stop could begin; leave out the stop");
    }
    return {};
}

Result<Json> AnyDocument::pose(std::span<const double> times_seconds,
                               std::optional<double> stop_seconds) const {
    TRY_VOID(require_player(stop_seconds));
    const auto is_number = [](double seconds) { return std::isfinite(seconds); };
    if (!std::ranges::all_of(times_seconds, is_number)) {
        return cannot("a time is not a number");
    }
    TRY(const auto joints, format_->play.joints(*this));
    return poses_json(times_seconds, joints, [&](const PoseArrays& out) {
        return format_->play.poses(*this, times_seconds, stop_seconds, out);
    });
}

Result<Stored> AnyDocument::as_stored() const {
    if (format_->check.as_stored == nullptr) {
        return cannot(format_->reasons.no_store);
    }
    return format_->check.as_stored(*this);
}

Result<NamedDocument> AnyDocument::as_file_named(std::string_view path, const ReadOptions& limits,
                                                 const Job& job) const {
    return format_->file.as_named == nullptr ? NamedDocument{}
                                             : format_->file.as_named(*this, path, limits, job);
}

Result<Made> AnyDocument::edited(const Json& edits) const {
    if (format_->edit.edited == nullptr) {
        return cannot(format_->reasons.no_edit);
    }
    return edits.is_object() ? format_->edit.edited(*this, edits) : json_fail("edits", edits, "an object");
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
    if (format.edit.joined == nullptr) {
        return fail(ErrorCode::invalid_argument, std::string(format.reasons.no_join));
    }
    return format.edit.joined(documents, options);
}

Result<Made> AnyDocument::reduced(const Json& options, const Job& job) const {
    return format_->edit.reduced == nullptr ? cannot(format_->reasons.no_reduce)
                                            : format_->edit.reduced(*this, options, job);
}

Result<Made> AnyDocument::fixed(const Json& options, std::string_view asset_name) const {
    return format_->edit.fixed == nullptr
               ? cannot(
                     "only findings of .anim files mend themselves. Each finding of `animbridge check` says "
                     "what to do")
               : format_->edit.fixed(*this, options, asset_name);
}

namespace {

/// A row of `size` numbers; nothing where the first is NaN.
void put_numbers(const char* member, const std::vector<double>& values, std::size_t row, std::size_t size,
                 Json& joint) {
    const auto numbers = std::span(values).subspan(row * size, size);
    if (!std::isnan(numbers.front())) {
        joint[member] = numbers;
    }
}

}  // namespace

Result<void> require_room(const PoseArrays& out, std::size_t joints) {
    if (out.joint_capacity < joints) {
        return fail(ErrorCode::invalid_argument, "pose.joint_capacity is " +
                                                     std::to_string(out.joint_capacity) + ", the file has " +
                                                     std::to_string(joints));
    }
    return {};
}

Result<Json> poses_json(std::span<const double> times_seconds, const std::vector<std::string>& joints,
                        const std::function<Result<void>(const PoseArrays& out)>& play) {
    const std::size_t count = times_seconds.size();
    const std::size_t rows = count * joints.size();
    std::vector<double> clip_seconds(count);
    std::vector<double> weights(count);
    std::vector<double> local_rotations(4 * rows);
    std::vector<double> local_positions(3 * rows);
    std::vector<double> world_rotations(4 * rows);
    std::vector<double> world_positions(3 * rows);
    Json poses = Json::array();
    TRY_VOID(play({joints.size(), clip_seconds.data(), weights.data(), local_rotations.data(),
                   local_positions.data(), world_rotations.data(), world_positions.data(), &poses}));
    for (std::size_t i = poses.size(); i < count; ++i) {
        Json shown = Json::array();
        shown.reserve(joints.size());
        for (std::size_t row = i * joints.size(); row < (i + 1) * joints.size(); ++row) {
            Json joint = {{"joint", json_text(joints[row - i * joints.size()])}};
            put_numbers("local_rotation_wxyz", local_rotations, row, 4, joint);
            put_numbers("local_position", local_positions, row, 3, joint);
            put_numbers("world_rotation_wxyz", world_rotations, row, 4, joint);
            put_numbers("world_position", world_positions, row, 3, joint);
            shown.push_back(std::move(joint));
        }
        poses.push_back({{"seconds", times_seconds[i]},
                         {"clip_seconds", clip_seconds[i]},
                         {"weight", weights[i]},
                         {"joints", std::move(shown)}});
    }
    return Json{{"poses", std::move(poses)}};
}

Result<void> play_clip(const Clip& clip, std::span<const double> times_seconds, const PoseArrays& out) {
    const std::size_t joints = clip.skeleton.nodes.size();
    TRY_VOID(require_room(out, joints));
    ClipPoser poser(clip);
    for (std::size_t i = 0; i < times_seconds.size(); ++i) {
        const double clip_seconds = std::clamp(times_seconds[i], 0.0, clip.duration_seconds);
        poser.pose(clip_seconds);
        PoseArrays::put(out.clip_seconds, i, {clip_seconds});
        PoseArrays::put(out.ease_weights, i, {1.0});
        for (std::size_t joint = 0; joint < joints; ++joint) {
            const std::size_t row = i * out.joint_capacity + joint;
            PoseArrays::put(out.local_rotations, row, poser.local()[joint].rotation);
            PoseArrays::put(out.local_positions, row, poser.local()[joint].translation);
            PoseArrays::put(out.world_rotations, row, poser.world()[joint].rotation);
            PoseArrays::put(out.world_positions, row, poser.world()[joint].translation);
        }
    }
    return {};
}

}  // namespace animbridge
