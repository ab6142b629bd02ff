// SPDX-License-Identifier: MIT
#include "formats/sl_anim/scene/scene.h"

#include <algorithm>
#include <iterator>

#include "base/base.h"
#include "base/options/options.h"
#include "formats/sl_anim/avatar/avatar.h"
#include "formats/sl_anim/codes/codes.h"
#include "formats/sl_anim/reduce/reduce.h"
#include "formats/sl_anim/scene/export_report.h"

namespace animbridge::sl_anim {

namespace {

Channel clip_channel(rig::BoneChannel channel) {
    return channel == rig::BoneChannel::location ? Channel::translation : Channel::rotation;
}

/// Says that curves of bones without a joint are left out.
std::vector<std::string> details_of_unmapped(std::span<const rig::CurveView> curves,
                                             const rig::Armature& armature, const rig::BoneMap& map) {
    std::set<std::string> names;
    for (const rig::CurveView& curve : curves) {
        if (!map.node_of_bone[curve.bone]) {
            names.insert(armature.bones[curve.bone].name);
        }
    }
    if (names.empty()) {
        return {};
    }
    return {"left out: curves of bones that aren't joints of the avatar: " +
            some_of({names.begin(), names.end()})};
}

ExportTracks sort_tracks(const Clip& clip, std::span<const rig::UnchangedCurve> unchanged,
                         const rig::BoneMap& map, const Document* template_document) {
    ExportTracks tracks;
    for (const rig::UnchangedCurve& curve : unchanged) {
        if (const auto node = map.node_of_bone[curve.bone]) {
            tracks.kept.insert({clip.skeleton.nodes[*node].name, clip_channel(curve.channel)});
        }
    }
    tracks.changed = tracks_of(clip);
    std::set<std::size_t> nodes;
    for (const auto& node : map.node_of_bone) {
        if (node) {
            nodes.insert(*node);
        }
    }
    tracks.removed = removed_tracks(template_document, clip.skeleton, nodes, tracks);
    return tracks;
}

/// The result of dropping keys.
struct ThinnedCurves {
    Document document;
    std::optional<reduce::Bound> bound{};
};

/// Drops keys of changed tracks within `bound` (may be null), then of any track until the file takes no more
/// than `limit` bytes (0: no limit).
Result<ThinnedCurves> thinned(Document document, const std::set<TrackName>& changed,
                              const reduce::Bound* bound, std::uint64_t limit, const Job& job) {
    ThinnedCurves result{std::move(document)};
    if (bound != nullptr && !changed.empty()) {
        ReduceTask task{result.document};
        task.reducible = &changed;
        TRY(auto reduced, Reducer(std::move(task)).within(*bound, job.part(0.0, 0.5)));
        result.document = std::move(reduced.document);
        result.bound = *bound;
    }
    if (limit == 0 || counted_bytes(result.document) <= limit) {
        return result;
    }
    TRY(auto fitted, Reducer({result.document})
                         .fit({}, false, static_cast<std::size_t>(limit), counted_bytes, job.part(0.5, 1.0)));
    return ThinnedCurves{std::move(fitted.reduced.document), fitted.bound};
}

}  // namespace

Result<Export> export_curves(const rig::Armature& armature, const rig::BoneMap& map,
                             const rig::Timing& timing, std::span<const rig::CurveView> curves,
                             std::span<const rig::UnchangedCurve> unchanged, const FromClip& options,
                             const Job& job, const Limits& limits, const reduce::Bound* bound) {
    TRY_VOID(require_duration(options.duration_seconds, limits.target));
    if (!unchanged.empty() && options.base == nullptr) {
        return fail(ErrorCode::invalid_argument,
                    "a curve is marked unchanged, and there is no template_document");
    }
    const Skeleton& skeleton = playing_skeleton();
    const auto clip =
        rig::clip_from_curves(curves, skeleton, armature, map, timing, options.duration_seconds);
    if (!clip) {
        return tl::unexpected<Error>(clip.error());
    }
    ExportTracks tracks = sort_tracks(*clip, unchanged, map, options.base);
    Document document = from_clip(*clip, tracks.removed, options);
    TRY_VOID(require_accepted(document, limits.target));
    const double thin_share = limits.fit_bytes > 0 || bound != nullptr ? 0.8 : 0.0;
    TRY(auto small,
        thinned(std::move(document), tracks.changed, bound, limits.fit_bytes, job.part(0.0, thin_share)));
    const auto shown =
        rig::shown_by_curves(curves, skeleton, armature, map, timing, options.duration_seconds);
    if (!shown) {
        return tl::unexpected<Error>(shown.error());
    }
    auto result = finish_export({std::move(small.document),
                                 std::move(tracks),
                                 *shown,
                                 options.base,
                                 Form::as_written,
                                 with_missing_limbs({}, map),
                                 {},
                                 details_of_unmapped(curves, armature, map)},
                                limits, job.part(thin_share, 1.0));
    if (result) {
        result->report["bound"] = small.bound ? reduce::bound_json(*small.bound) : Json();
    }
    return result;
}

namespace {

/// Rounds times to single precision, in which the viewer counts seconds and shows the samples.
void to_viewer_times(Clip& clip) {
    for (Track& track : clip.tracks) {
        for (double& seconds : track.times) {
            seconds = static_cast<float>(seconds);
        }
    }
}

/// The form that is measured. An upload changes codes and its encoder expects that, so the form that the
/// viewer stores is measured.
Form form_of(const FromClip& options) {
    const bool coded = options.base == nullptr || options.base->version == Version::coded;
    return coded && options.encoder == Encoder::upload ? Form::as_stored : Form::as_written;
}

/// The times at which the viewer plays the keys: a file stores times in steps of 1/65535 of the duration.
std::vector<double> played_times(const Clip& clip, const FromClip& options) {
    std::vector<double> times;
    for (const double seconds : clip.tracks.empty() ? std::vector<double>{} : clip.tracks.front().times) {
        const std::uint16_t code =
            encode_key_time(static_cast<float>(seconds), options.duration_seconds, options.encoder);
        times.push_back(decode_time(code, options.duration_seconds));
    }
    return times;
}

/// Moves each key's value along the motion to the time at which the key really plays. A key that plays a
/// little early or late is then still on the motion's path.
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

/// Encodes every sample as a key. Version 0.1 stores seconds, so its times need no rounding.
Document encoded(const Clip& clip, const ExportTracks& tracks, const FromClip& options) {
    const bool coded = options.base == nullptr || options.base->version == Version::coded;
    return from_clip(coded ? on_played_times(clip, played_times(clip, options)) : clip, tracks.removed,
                     options);
}

std::set<std::size_t> exported_nodes(const rig::SampleView& samples, const rig::BoneMap& map) {
    std::set<std::size_t> nodes;
    for (std::size_t bone = 0; bone < map.node_of_bone.size(); ++bone) {
        if (map.node_of_bone[bone] && (samples.exported.empty() || samples.exported[bone] != 0)) {
            nodes.insert(*map.node_of_bone[bone]);
        }
    }
    return nodes;
}

std::vector<float> sample_times(const Clip& clip) {
    std::vector<float> times;
    if (!clip.tracks.empty()) {
        const std::vector<double>& sample_seconds = clip.tracks.front().times;
        std::transform(sample_seconds.begin(), sample_seconds.end(), std::back_inserter(times),
                       [](double seconds) { return static_cast<float>(seconds); });
    }
    return times;
}

/// The result of dropping keys.
struct Thinned {
    Document document;
    std::size_t sampled_keys = 0;
    std::size_t kept_keys = 0;
    std::optional<reduce::Bound> bound{};
    bool holds = true;
};

/// Drops keys within the bound, or as many as needed for the file to fit.
Result<Thinned> thin_out(const ReduceTask& task, const reduce::Bound* bound, std::uint64_t fit_bytes,
                         const Job& job) {
    const Document& document = task.document;
    const bool too_large = fit_bytes > 0 && counted_bytes(document) > fit_bytes;
    std::size_t keys = 0;
    for (const Track& track : task.wanted->tracks) {
        keys += track.key_count();
    }
    if (bound == nullptr && !too_large) {
        return Thinned{document, keys, keys};
    }
    const Reducer reducer(task);
    if (!too_large) {
        TRY(auto reduced, reducer.within(*bound, job));
        return Thinned{std::move(reduced.document), keys, reduced.keys_after, *bound, reduced.holds};
    }
    TRY(auto fitted, reducer.fit(bound == nullptr ? reduce::Bound() : *bound, bound != nullptr,
                                 static_cast<std::size_t>(fit_bytes), counted_bytes, job));
    return Thinned{std::move(fitted.reduced.document), keys, fitted.reduced.keys_after, fitted.bound,
                   fitted.reduced.holds};
}

std::vector<std::string> details_of(const rig::ClipFromSamples& sampled) {
    std::vector<std::string> details = sampled.left_out;
    for (const rig::MovedJoint& joint : sampled.moved) {
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
std::vector<std::string> carried_warnings(const rig::ClipFromSamples& sampled,
                                          const rig::Armature& armature) {
    const rig::MovedJoint* farthest = nullptr;
    std::size_t count = 0;
    std::vector<std::string> bones;
    for (const rig::MovedJoint& joint : sampled.moved) {
        if (!joint.is_carried()) {
            continue;
        }
        ++count;
        farthest = farthest == nullptr || joint.most_mm > farthest->most_mm ? &joint : farthest;
        for (const std::size_t bone : joint.carriers) {
            if (std::find(bones.begin(), bones.end(), armature.bones[bone].name) == bones.end()) {
                bones.push_back(armature.bones[bone].name);
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
void remove_carried_positions(const std::vector<rig::MovedJoint>& moved, Clip& clip) {
    std::set<std::size_t> nodes;
    for (const rig::MovedJoint& joint : moved) {
        if (joint.is_carried()) {
            nodes.insert(joint.node);
        }
    }
    std::erase_if(clip.tracks, [&](const Track& track) {
        return track.channel == Channel::translation && nodes.contains(track.node);
    });
}

/// For keys at every sample that still miss the tolerance: how far off the file is.
std::string precision_text(const Json& report) {
    return "The format's precision cannot meet your tolerance everywhere (worst: " +
           measured_text(report["max_position_error_mm"].get<double>()) + " mm, " +
           measured_text(report["max_rotation_error_degrees"].get<double>()) + " degrees).";
}

}  // namespace

Result<Export> export_samples(const rig::Armature& armature, const rig::BoneMap& map,
                              const rig::Timing& timing, const rig::SampleView& samples,
                              const reduce::Bound* bound, const FromClip& options, const Job& job,
                              const Limits& limits) {
    TRY_VOID(require_duration(options.duration_seconds, limits.target));
    const Skeleton& skeleton = playing_skeleton();
    TRY(auto sampled, rig::clip_from_samples(samples, skeleton, skeleton.find("mPelvis").value(), armature,
                                             map, timing, options.duration_seconds));
    to_viewer_times(sampled.clip);
    std::vector<std::string> causes = carried_warnings(sampled, armature);
    std::optional<Clip> shown;  // the file is also measured against what it does not contain
    if (!causes.empty()) {
        shown = sampled.clip;
        remove_carried_positions(sampled.moved, sampled.clip);
    }
    ExportTracks tracks;
    tracks.changed = tracks_of(sampled.clip);
    tracks.removed = removed_tracks(options.base, skeleton, exported_nodes(samples, map), tracks);
    const Document document = encoded(sampled.clip, tracks, options);
    TRY_VOID(require_accepted(document, limits.target));
    const ReduceTask task{document, sample_times(sampled.clip), &sampled.clip, &tracks.changed,
                          form_of(options)};
    TRY(auto thinned, thin_out(task, bound, limits.fit_bytes, job.part(0.0, 0.9)));
    auto result = finish_export(
        {std::move(thinned.document), std::move(tracks), shown ? *shown : sampled.clip, options.base,
         task.form, with_missing_limbs({}, map), std::move(causes), details_of(sampled)},
        limits, job.part(0.9, 1.0));
    if (result) {
        if (!thinned.holds) {
            result->report["details"].push_back(precision_text(result->report));
        }
        result->report["sampled_keys"] = thinned.sampled_keys;
        result->report["kept_keys"] = thinned.kept_keys;
        result->report["bound"] = thinned.bound ? reduce::bound_json(*thinned.bound) : Json();
    }
    return result;
}

}  // namespace animbridge::sl_anim
