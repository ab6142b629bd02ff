// SPDX-License-Identifier: MIT
#include "playback/playback.h"

#include <algorithm>
#include <utility>

#include "base/options/options.h"

namespace animbridge::playback {

namespace {

/// ErrorCode::invalid_argument: the format moves an armature and there is none, or it moves an object and
/// there is one.
Result<void> require_fitting(const Format& format, const rig::armature::SceneRig* rig) {
    if (format.scene.moves_object && rig != nullptr) {
        return fail(ErrorCode::invalid_argument,
                    std::string(format.noun) + " moves one object: found an armature; allowed is NULL");
    }
    return !format.scene.moves_object && rig == nullptr
               ? fail(ErrorCode::invalid_argument, "armature is NULL")
               : Result<void>();
}

std::vector<double> ramp(std::size_t count, double first, double step) {
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i) {
        values[i] = first + static_cast<double>(i) * step;
    }
    return values;
}

/// The clip of the curves, with a key at each of the file's frames.
Result<void> take_frames(ExportFrames& frames, ClipOfScene& made) {
    const SceneMotion& motion = made.motion;
    const ExportRig& on = made.rig;
    TRY(made.values, rig::curves::channel_values(motion.curves, on.armature,
                                                 ramp(frames.count, motion.timing.frame_start, frames.step)));
    std::vector<rig::curves::BoneMotion> motions =
        rig::curves::bone_motions(made.values, on.armature, frames.count);
    for (std::size_t bone = 0; bone < frames.kept.size(); ++bone) {
        rig::curves::BoneMotion& kept = frames.kept[bone];
        if (!kept.rotations.empty()) {
            motions[bone].rotations = std::move(kept.rotations);
        }
        if (!kept.positions.empty()) {
            motions[bone].positions = std::move(kept.positions);
        }
    }
    made.clip = rig::curves::clip_of_motions(on.skeleton, on.armature, on.map, motions,
                                             ramp(frames.count, 0.0, frames.seconds));
    return {};
}

/// What the scene shows, as a clip on the skeleton that the format asks for.
Result<ClipOfScene> clip_of(const SceneMotion& motion, ExportRig rig) {
    ClipOfScene made{motion, std::move(rig)};
    const ExportRig& on = made.rig;
    if (motion.samples != nullptr) {
        rig::curves::SampleView samples = *motion.samples;
        const std::vector<std::uint8_t> if_moved(on.armature.bones.size(), 2);
        if (samples.exported.empty() && !on.needs_resting) {
            samples.exported = if_moved;
        }
        // In the file's own time.
        const rig::curves::Timing timing =
            on.frames ? rig::curves::Timing{on.frames->step / on.frames->seconds, motion.timing.frame_start}
                      : motion.timing;
        TRY(auto sampled, rig::curves::clip_from_samples(samples, on.skeleton, on.root, on.armature, on.map,
                                                         timing, on.duration_seconds));
        made.clip = std::move(sampled.clip);
        made.moved = std::move(sampled.moved);
        made.left_out = std::move(sampled.left_out);
        return made;
    }
    if (made.rig.frames) {
        TRY_VOID(take_frames(*made.rig.frames, made));
        return made;
    }
    TRY(made.clip, rig::curves::clip_from_curves(motion.curves, on.skeleton, on.armature, on.map,
                                                 motion.timing, on.duration_seconds, on.keys_per_frame));
    TRY(made.between, rig::curves::shown_by_curves(motion.curves, on.skeleton, on.armature, on.map,
                                                   motion.timing, on.duration_seconds, on.shown_per_frame));
    return made;
}

}  // namespace

bool takes_scenes(const Format& format) {
    return format.scene.export_rig != nullptr || format.scene.from_scene != nullptr;
}

Result<CurvesMade> curves_of(const AnyDocument& document, const ToCurves& request) {
    const Format& format = document.format();
    TRY_VOID(require_fitting(format, request.rig));
    return format.scene.to_curves(document, request);
}

Result<Made> document_of(const Format& format, const SceneMotion& motion) {
    TRY_VOID(require_fitting(format, motion.rig));
    if (motion.template_document != nullptr && &motion.template_document->format() != &format) {
        return fail(ErrorCode::invalid_argument, "template_document is not " + std::string(format.noun));
    }
    const auto stopped = [&](Made made) {
        const Json stop = motion.options.value("stop_above_mm", Json(usual_stop_mm));
        return unless_far_off(std::move(made), stop.get<double>(), motion.timing);
    };
    if (format.scene.from_scene != nullptr) {
        return format.scene.from_scene(motion).and_then(stopped);
    }
    TRY(auto rig, format.scene.export_rig(motion));
    TRY(const ClipOfScene scene, clip_of(motion, std::move(rig)));
    return format.clip.from_clip({scene.clip, motion.options, motion.job, &scene}).and_then(stopped);
}

Result<Made> unless_far_off(Made made, double stop_above_mm, const rig::curves::Timing& timing) {
    const StopBound bound = stop_above_mm == 0.0
                                ? StopBound{0.0, 0.0}
                                : StopBound{std::max(stop_above_mm, made.tolerated_mm),
                                            std::max(usual_stop_degrees, made.tolerated_degrees)};
    const WorstDifference& worst = made.worst;
    if (bound.allows(worst)) {
        return made;
    }
    const bool is_off = worst.position_mm > bound.millimetres;
    const double seconds = is_off ? worst.position_at_seconds : worst.rotation_at_seconds;
    std::string reason =
        is_off ? worst.joint + " is " + measured_text(worst.position_mm) + " mm from where the scene shows it"
               : worst.rotation_joint + " is turned by " + measured_text(worst.rotation_degrees) +
                     " degrees from how the scene shows it";
    reason += ", at " + shown_number(seconds) + " s (frame " + shown_number(timing.frame_at(seconds)) +
              "); " +
              (is_off ? "stop_above_mm allows " + shown_number(bound.millimetres)
                      : "allowed are " + shown_number(bound.degrees)) +
              ". ";
    for (const std::string& cause : made.causes) {
        reason += cause + ". ";
    }
    return fail(ErrorCode::rejected,
                reason +
                    "To write the file all the same, turn on Write Anyway (batch: --force; library: "
                    "stop_above_mm 0).");
}

}  // namespace animbridge::playback
