// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>

#include "formats/sl_anim/export.h"
#include "formats/sl_anim/export_report.h"
#include "formats/sl_anim/reducer.h"
#include "formats/sl_anim/restore.h"
#include "formats/sl_anim/skeleton.h"

namespace animbridge::sl_anim {

namespace {

/// The viewer counts seconds in single precision: that is when it shows a sample.
void to_viewer_times(Clip& clip) {
    for (Track& track : clip.tracks) {
        for (double& seconds : track.times) {
            seconds = static_cast<float>(seconds);
        }
    }
}

/// An upload changes codes, and the encoder for uploads reckons with that: what counts is what the viewer
/// stores.
Form form_of(const FromClip& options) {
    const bool coded = options.base == nullptr || options.base->version == Version::coded;
    return coded && options.encoder == Encoder::upload ? Form::as_stored : Form::as_written;
}

/// The times at which the viewer will have the keys: a file says them in steps of 1/65535 of the duration.
std::vector<double> played_times(const Clip& clip, const FromClip& options) {
    std::vector<double> times;
    for (const double seconds : clip.tracks.empty() ? std::vector<double>{} : clip.tracks.front().times) {
        const std::uint16_t code =
            encode_key_time(static_cast<float>(seconds), options.duration_seconds, options.encoder);
        times.push_back(decode_time(code, options.duration_seconds));
    }
    return times;
}

/// The clip with each key's value as it is at the time at which the key will really stand: where a key comes
/// a little late or early, it lies on the way of the motion and not beside it.
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
            // Samples so close that single precision has one time for them: there is no way between.
            const double u = span == 0.0 ? 0.0 : std::clamp((times[key] - track.times[key]) / span, 0.0, 1.0);
            for (std::size_t c = 0; c < width; ++c) {
                const double value = track.value(key)[c];
                moved.tracks[i].values[key * width + c] = value + u * (track.value(other)[c] - value);
            }
        }
    }
    return moved;
}

/// Every sample as a key. Files of version 0.1 hold seconds, and need no rounding of times.
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
        const std::vector<double>& given = clip.tracks.front().times;
        std::transform(given.begin(), given.end(), std::back_inserter(times),
                       [](double seconds) { return static_cast<float>(seconds); });
    }
    return times;
}

/// What came of dropping keys.
struct Thinned {
    Document document;
    std::size_t sampled_keys = 0;
    std::size_t kept_keys = 0;
    std::optional<reduce::Bound> bound{};
    bool holds = true;
};

/// The document with the keys that the bound and the size ask for.
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

std::vector<std::string> warnings_of(const rig::ClipFromSamples& sampled, const Thinned& thinned) {
    std::vector<std::string> warnings = sampled.warnings;
    for (const rig::MovedJoint& joint : sampled.moved) {
        warnings.push_back(joint.joint + " leaves its resting place by up to " +
                           std::to_string(joint.most_mm) + " mm (frame " + std::to_string(joint.frame) +
                           "): it gets a position track");
    }
    if (!thinned.holds) {
        warnings.emplace_back(
            "the steps of the file's numbers alone exceed the bound at some samples, even with a key at "
            "each: "
            "the largest errors tell by how much");
    }
    return warnings;
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
    ExportTracks tracks;
    tracks.changed = tracks_of(sampled.clip);
    tracks.removed = removed_tracks(options.base, skeleton, exported_nodes(samples, map), tracks);
    const Document document = encoded(sampled.clip, tracks, options);
    TRY_VOID(require_accepted(document, limits.target));
    const ReduceTask task{document, sample_times(sampled.clip), &sampled.clip, &tracks.changed,
                          form_of(options)};
    TRY(auto thinned, thin_out(task, bound, limits.fit_bytes, job.part(0.0, 0.9)));
    auto result = finish_export({std::move(thinned.document), std::move(tracks), sampled.clip, options.base,
                                 task.form, warnings_of(sampled, thinned)},
                                limits, job.part(0.9, 1.0));
    if (result) {
        result->report["sampled_keys"] = thinned.sampled_keys;
        result->report["kept_keys"] = thinned.kept_keys;
        result->report["bound"] = thinned.bound ? reduce::bound_json(*thinned.bound) : Json();
    }
    return result;
}

}  // namespace animbridge::sl_anim
