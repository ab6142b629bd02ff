// SPDX-License-Identifier: MIT
#include "formats/sl_anim/scene/scene.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "formats/sl_anim/avatar/avatar.h"
#include "formats/sl_anim/codes/codes.h"
#include "formats/sl_anim/reduce/reduce.h"
#include "formats/sl_anim/scene/export_report.h"

namespace animbridge::sl_anim::scene {

namespace {

Channel clip_channel(rig::armature::BoneChannel channel) {
    return channel == rig::armature::BoneChannel::location ? Channel::translation : Channel::rotation;
}

/// That curves of bones without a joint are left out.
std::vector<std::string> details_of_unmapped(const ClipOfScene& scene) {
    std::set<std::string> names;
    for (const rig::curves::CurveView& curve : scene.motion.curves) {
        if (!scene.rig.map.node_of_bone[curve.bone]) {
            names.insert(scene.rig.armature.bones[curve.bone].name);
        }
    }
    if (names.empty()) {
        return {};
    }
    return {"left out: curves of bones that aren't joints of the avatar: " +
            some_of({names.begin(), names.end()})};
}

/// Rounds times to single precision, in which the viewer counts seconds and shows the samples.
void to_viewer_times(Clip& clip) {
    for (Track& track : clip.tracks) {
        for (double& seconds : track.times) {
            seconds = static_cast<float>(seconds);
        }
    }
}

/// The times at which the viewer plays the keys: a file stores times in steps of 1/65535 of the duration.
std::vector<double> played_times(const Clip& clip, const clip::FromClip& options) {
    std::vector<double> times;
    for (const double seconds : clip.tracks.empty() ? std::vector<double>{} : clip.tracks.front().times) {
        const std::uint16_t code =
            codes::encode_key_time(static_cast<float>(seconds), options.duration_seconds, options.encoder);
        times.push_back(codes::decode_time(code, options.duration_seconds));
    }
    return times;
}

/// Moves each key's value along the motion to the time at which the key really plays. A key
/// that plays a little early or late then still lies on the motion's path.
Clip on_played_times(const Clip& clip, const std::vector<double>& times) {
    Clip moved = clip;
    for (std::size_t i = 0; i < clip.tracks.size(); ++i) {
        const Track& track = clip.tracks[i];
        const std::size_t width = track.width();
        for (std::size_t key = 0; key < track.key_count(); ++key) {
            const bool late = times[key] > track.times[key];
            const std::size_t other =
                late ? std::min(key + 1, track.key_count() - 1) : key - (key > 0 ? 1 : 0);
            const double span = track.times[other] - track.times[key];
            // Samples can be so close that single precision has only one time for them.
            const double u = span == 0.0 ? 0.0 : std::clamp((times[key] - track.times[key]) / span, 0.0, 1.0);
            for (std::size_t c = 0; c < width; ++c) {
                const double value = track.value(key)[c];
                moved.tracks[i].values[key * width + c] = value + u * (track.value(other)[c] - value);
            }
        }
    }
    return moved;
}

/// The joints with an exported bone.
std::set<std::size_t> exported_nodes(const ClipOfScene& scene) {
    const auto exported =
        scene.motion.samples == nullptr ? std::span<const std::uint8_t>() : scene.motion.samples->exported;
    std::set<std::size_t> nodes;
    for (std::size_t bone = 0; bone < scene.rig.map.node_of_bone.size(); ++bone) {
        const auto node = scene.rig.map.node_of_bone[bone];
        if (node && (exported.empty() || exported[bone] != 0)) {
            nodes.insert(*node);
        }
    }
    return nodes;
}

/// What becomes of the tracks of a file with the clip's.
ExportTracks tracks_for(const ClipOfScene& scene, const Clip& clip, const file::Document* template_document) {
    ExportTracks tracks{{}, tracks_of(clip), {}};
    for (const rig::curves::UnchangedCurve& curve : scene.motion.unchanged) {
        if (const auto node = scene.rig.map.node_of_bone[curve.bone]) {
            tracks.kept.insert({clip.skeleton.nodes[*node].name, clip_channel(curve.channel)});
        }
    }
    tracks.removed = removed_tracks(template_document, clip.skeleton, exported_nodes(scene), tracks);
    return tracks;
}

/// Drops keys of what curves changed within the bound (null: none), then of any track until the file fits.
Result<reduce::ThinnedFile> thinned_curves(const file::Document& document,
                                           const std::set<clip::TrackName>& changed,
                                           const animbridge::reduce::Bound* bound, std::uint64_t fit_bytes,
                                           const Job& job) {
    reduce::ReduceTask task{document};
    task.reducible = &changed;
    TRY(auto within, reduce::thinned(task, changed.empty() ? nullptr : bound, 0, job.part(0.0, 0.5)));
    TRY(auto fitted, reduce::thinned({within.document}, nullptr, fit_bytes, job.part(0.5, 1.0)));
    return fitted.bound ? std::move(fitted) : std::move(within);
}

std::vector<std::string> details_of_samples(const ClipOfScene& scene) {
    std::vector<std::string> details = scene.left_out;
    for (const rig::curves::MovedJoint& joint : scene.moved) {
        if (joint.is_carried()) {
            continue;
        }
        details.push_back(joint.joint + " moves up to " + measured_text(joint.most_mm) +
                          " mm from its rest position (frame " + shown_number(joint.frame) +
                          "): it gets position keys");
    }
    return details;
}

/// Names joined by commas, as many as fit a message.
std::string few_of(const std::vector<std::string>& names) {
    constexpr std::size_t most = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), most); ++i) {
        text += (i == 0 ? "" : ", ") + names[i];
    }
    return names.size() > most ? text + " and " + std::to_string(names.size() - most) + " more" : text;
}

/// Joints that bones without a joint move: a position track would only hide that the rig map misses them. One
/// line at most.
std::vector<std::string> carried_warnings(const ClipOfScene& scene) {
    const rig::curves::MovedJoint* farthest = nullptr;
    std::size_t count = 0;
    std::vector<std::string> bones;
    for (const rig::curves::MovedJoint& joint : scene.moved) {
        if (!joint.is_carried()) {
            continue;
        }
        ++count;
        farthest = farthest == nullptr || joint.most_mm > farthest->most_mm ? &joint : farthest;
        for (const std::size_t bone : joint.carriers) {
            if (std::ranges::find(bones, scene.rig.armature.bones[bone].name) == bones.end()) {
                bones.push_back(scene.rig.armature.bones[bone].name);
            }
        }
    }
    if (farthest == nullptr) {
        return {};
    }
    return {farthest->joint + " moves up to " + measured_text(farthest->most_mm) +
            " mm from its rest position (frame " + shown_number(farthest->frame) +
            ") because of bones without a joint: " + few_of(bones) +
            (count > 1 ? ". They move " + std::to_string(count - 1) + " more joints" : "") +
            ". Choose a rig map that names them"};
}

/// Removes the position tracks of joints that bones without a joint move.
void remove_carried_positions(const std::vector<rig::curves::MovedJoint>& moved, Clip& clip) {
    std::set<std::size_t> nodes;
    for (const rig::curves::MovedJoint& joint : moved) {
        if (joint.is_carried()) {
            nodes.insert(joint.node);
        }
    }
    std::erase_if(clip.tracks, [&](const Track& track) {
        return track.channel == Channel::translation && nodes.contains(track.node);
    });
}

/// Where a key at each sample does not help: how far off the file is.
std::string precision_text(const Json& report) {
    return "The format's precision cannot meet your tolerance everywhere (worst: " +
           measured_text(report["max_position_error_mm"].get<double>()) + " mm, " +
           measured_text(report["max_rotation_error_degrees"].get<double>()) + " degrees).";
}

}  // namespace

Result<ExportRig> export_rig(const SceneMotion& motion) {
    TRY(auto rig, rig::armature::mapped(*motion.rig));
    TRY(const auto options, export_options_from(motion));
    const clip::FromClip& made = options.from_clip;
    TRY_VOID(check::require_duration(made.duration_seconds, options.limits.target));
    if (!motion.unchanged.empty() && made.base == nullptr) {
        return fail(ErrorCode::invalid_argument,
                    "a curve is marked unchanged, and there is no template_document");
    }
    const Skeleton& skeleton = avatar::playing_skeleton();
    return ExportRig{std::move(rig.armature), skeleton, std::move(rig.map), skeleton.find("mPelvis").value(),
                     made.duration_seconds};
}

Result<Made> document_from_scene(const ClipOfScene& scene) {
    const SceneMotion& motion = scene.motion;
    TRY(const auto options, export_options_from(motion));
    const clip::FromClip& from = options.from_clip;
    const bool is_sampled = motion.samples != nullptr;
    Clip clip = scene.clip;
    Clip shown = scene.shown();
    std::vector<std::string> causes;
    if (is_sampled) {
        to_viewer_times(clip);
        to_viewer_times(shown);
        causes = carried_warnings(scene);
        remove_carried_positions(scene.moved, clip);  // the file is measured against these, too
    }
    ExportTracks tracks = tracks_for(scene, clip, from.base);
    // Version 0.1 stores seconds, so its times need no rounding.
    const bool is_coded = from.base == nullptr || from.base->version == file::Version::coded;
    const file::Document document =
        clip::from_clip(is_sampled && is_coded ? on_played_times(clip, played_times(clip, from)) : clip,
                        tracks.removed, from);
    TRY_VOID(check::require_accepted(document, options.limits.target));
    const animbridge::reduce::Bound* const bound = options.bound ? &*options.bound : nullptr;
    const std::uint64_t fit_bytes = options.limits.fit_bytes;
    const bool are_keys_free = is_sampled || options.are_keys_free;
    const reduce::Form form = are_keys_free ? form_of(from) : reduce::Form::as_written;
    const std::set<clip::TrackName> changed = tracks.changed;
    const auto thin = [&](const animbridge::reduce::Bound* under, std::uint64_t bytes, const Job& job) {
        return are_keys_free
                   ? reduce::thinned({document, key_times_of(clip), &clip, &changed, form, from.encoder},
                                     under, bytes, job)
                   : thinned_curves(document, changed, under, bytes, job);
    };
    TRY(auto small, thin(bound, fit_bytes, motion.job.part(0.0, 0.6)));
    TRY(auto made, finish_export({std::move(small.document), std::move(tracks), shown, from.base, form,
                                  avatar::with_missing_limbs({}, scene.rig.map), std::move(causes),
                                  is_sampled ? details_of_samples(scene) : details_of_unmapped(scene)},
                                 options.limits.target, motion.job.part(0.8, 1.0)));
    if (is_sampled) {
        if (!small.holds) {
            made.report["details"].push_back(precision_text(made.report));
        }
        std::size_t keys = 0;
        for (const Track& track : clip.tracks) {
            keys += track.key_count();
        }
        made.report["sampled_keys"] = keys;
        made.report["kept_keys"] = small.keys_after.value_or(keys);
    }
    if (options.has_size_curve) {
        const auto under = [&](const animbridge::reduce::Bound& largest, const Job& job) {
            return thin(&largest, 0, job);
        };
        TRY(made.report["size_curve"], size_curve(under, motion.job.part(0.6, 0.8)));
    }
    made.report["bound"] = small.bound ? animbridge::reduce::bound_json(*small.bound) : Json();
    if (options.bound) {
        made.tolerated_mm = options.bound->position_mm;
        made.tolerated_degrees = options.bound->rotation_degrees;
    }
    return made;
}

}  // namespace animbridge::sl_anim::scene
