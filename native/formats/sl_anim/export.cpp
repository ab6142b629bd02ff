// SPDX-License-Identifier: MIT
#include "formats/sl_anim/export.h"

#include "base/text.h"
#include "formats/sl_anim/export_report.h"
#include "formats/sl_anim/limbs.h"
#include "formats/sl_anim/reducer.h"
#include "formats/sl_anim/skeleton.h"

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

}  // namespace animbridge::sl_anim
