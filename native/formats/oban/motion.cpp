// SPDX-License-Identifier: MIT
#include "formats/oban/motion.h"

#include "formats/clip_pose.h"
#include "formats/oban/curves.h"
#include "formats/oban/export.h"
#include "formats/oban/player.h"

namespace animbridge::oban {

namespace {

/// The export options, with the template.
template <typename Request>
Result<ExportOptions> options_of(const Request& request) {
    TRY(const auto template_document, require_object(request.rig, format).and_then([&] {
        return template_of(request.template_document, as_oban, format);
    }));
    return export_options_from(request.options).map([&](ExportOptions options) {
        options.template_document = template_document;
        return options;
    });
}

Result<void> require_linear_channel(rig::BoneChannel channel) {
    if (channel != rig::BoneChannel::location && channel != rig::BoneChannel::quaternion) {
        return fail(ErrorCode::invalid_argument,
                    "curve.channel is " + std::to_string(static_cast<int>(channel)) +
                        "; allowed are location and quaternion of the object: sample it instead");
    }
    return {};
}

Result<UnchangedChannels> unchanged_channels(const FromCurves& request) {
    UnchangedChannels unchanged;
    for (const rig::CurveView& curve : request.curves) {
        TRY_VOID(require_linear_channel(curve.channel));
    }
    for (const rig::UnchangedCurve& curve : request.unchanged) {
        TRY_VOID(require_linear_channel(curve.channel));
        (curve.channel == rig::BoneChannel::location ? unchanged.location : unchanged.rotation) = true;
    }
    return unchanged;
}

Result<Made> made_of(Export exported, const ExportOptions& options, const rig::Timing& timing) {
    // An untouched import is always written back, even with numbers so large that single precision is far
    // off.
    const bool is_untouched =
        options.template_document != nullptr && exported.document.record == options.template_document->record;
    return unless_far_off(
        {make_document(std::move(exported.document)), std::move(exported.report), std::move(exported.worst)},
        export_bound(is_untouched ? 0.0 : options.stop_above_mm,
                     options.bound ? options.bound->rotation_degrees : 0.0),
        timing);
}

/// A(f) as the file would store it, and the pose that it is made of.
Json pose_row(const Player& player, const Pose& pose, double seconds, double frame) {
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

}  // namespace

Result<CurvesMade> to_scene_curves(const File& file, const ToCurves& request) {
    return require_object(request.rig, format)
        .and_then([&] { return space_from(request.options); })
        .and_then([&](const Space& space) { return to_curves(file.document, request.timing, space); })
        .map([](Curves made) {
            CurvesMade result;
            result.result.curves = std::move(made.curves);
            result.report = std::move(made.report);
            return result;
        });
}

Result<Made> from_curves(const FromCurves& request) {
    const auto options = options_of(request);
    const auto unchanged = unchanged_channels(request);
    if (!options || !unchanged) {
        return tl::unexpected<Error>(!options ? options.error() : unchanged.error());
    }
    return export_curves(request.timing, request.curves, *unchanged, *options).and_then([&](Export exported) {
        return made_of(std::move(exported), *options, request.timing);
    });
}

Result<Made> from_samples(const FromSamples& request) {
    return options_of(request).and_then([&](const ExportOptions& options) {
        return export_samples(request.samples.object_matrices, options, request.job)
            .and_then([&](Export exported) { return made_of(std::move(exported), options, request.timing); });
    });
}

Result<std::vector<std::string>> played_joints(const File& file) {
    return require_playable(file.document.record).map([] { return std::vector<std::string>{"the object"}; });
}

Result<void> play(const File& file, std::span<const double> times_seconds,
                  std::optional<double> /*stop_seconds*/, const PoseArrays& out) {
    TRY_VOID(require_room(out, 1));
    return require_playable(file.document.record).map([&] {
        const Player player(file.document.record);
        for (std::size_t i = 0; i < times_seconds.size(); ++i) {
            const double frame = player.looped_frame(times_seconds[i] * frames_per_second);
            const Pose pose = player.pose(frame);
            const std::size_t row = i * out.joint_capacity;
            PoseArrays::put(out.clip_seconds, i, {frame / frames_per_second});
            PoseArrays::put(out.ease_weights, i, {1.0});
            PoseArrays::put(out.local_rotations, row, pose.rotation);
            PoseArrays::put(out.local_positions, row, pose.position);
            PoseArrays::put(out.world_rotations, row, pose.rotation);
            PoseArrays::put(out.world_positions, row, pose.position);
            if (out.rows != nullptr) {
                out.rows->push_back(pose_row(player, pose, times_seconds[i], frame));
            }
        }
    });
}

}  // namespace animbridge::oban
