// SPDX-License-Identifier: MIT
#include "convert/sl_export.h"

#include <algorithm>

#include "convert/reports.h"
#include "formats/sl_anim/check.h"
#include "formats/sl_anim/skeleton.h"

namespace animbridge {

namespace {

using sl_anim::TrackName;

Channel clip_channel(rig::BoneChannel channel) {
    return channel == rig::BoneChannel::location ? Channel::translation : Channel::rotation;
}

/// The tracks of the file that have a bone and neither a curve that stayed nor a new one.
std::set<TrackName> removed_tracks(const sl_anim::Document* base, const Skeleton& skeleton,
                                   const rig::BoneMap& map, const std::set<TrackName>& kept,
                                   const std::set<TrackName>& changed) {
    std::set<TrackName> removed;
    for (const auto& joint : base == nullptr ? std::vector<sl_anim::Joint>{} : base->joints) {
        const auto known = sl_anim::find_joint(joint.name);
        if (!known || !map.bone_of_node[*known]) {
            continue;
        }
        for (const Channel channel : {Channel::rotation, Channel::translation}) {
            const TrackName name{skeleton.nodes[*known].name, channel};
            const bool has_keys =
                key_count(channel == Channel::rotation ? joint.rotation : joint.position) > 0;
            if (has_keys && !kept.contains(name) && !changed.contains(name)) {
                removed.insert(name);
            }
        }
    }
    return removed;
}

Json names_json(const std::set<TrackName>& tracks) {
    Json rows = Json::array();
    for (const TrackName& track : tracks) {
        rows.push_back({{"joint", json_text(track.joint)},
                        {"channel", track.channel == Channel::rotation ? "rotation" : "position"}});
    }
    return rows;
}

std::set<TrackName> tracks_of(const Clip& clip) {
    std::set<TrackName> names;
    for (const Track& track : clip.tracks) {
        names.insert({clip.skeleton.nodes[track.node].name, track.channel});
    }
    return names;
}

std::vector<std::string> unmapped_bones(std::span<const rig::CurveView> curves, const rig::Armature& armature,
                                        const rig::BoneMap& map) {
    std::set<std::string> names;
    for (const rig::CurveView& curve : curves) {
        if (!map.node_of_bone[curve.bone]) {
            names.insert(armature.bones[curve.bone].name);
        }
    }
    return {names.begin(), names.end()};
}

std::size_t collided_keys(const sl_anim::KeyList& keys) {
    std::size_t collided = 0;
    for (std::size_t i = 1; i < keys.coded.size(); ++i) {
        collided += keys.coded[i].time == keys.coded[i - 1].time ? 1U : 0U;
    }
    return collided;
}

/// Keys that fall on one time code: the viewer keeps the last.
std::size_t collided_keys(const sl_anim::Document& document) {
    std::size_t collided = 0;
    for (const auto& joint : document.joints) {
        collided += collided_keys(joint.rotation) + collided_keys(joint.position);
    }
    return collided;
}

/// Which of the avatar's tracks the export keeps, encodes anew and takes out.
struct Tracks {
    std::set<TrackName> kept;
    std::set<TrackName> changed;
    std::set<TrackName> removed;
};

Tracks sort_tracks(const Clip& clip, std::span<const UnchangedCurve> unchanged, const rig::BoneMap& map,
                   const sl_anim::Document* base) {
    Tracks tracks;
    for (const UnchangedCurve& curve : unchanged) {
        if (const auto node = map.node_of_bone[curve.bone]) {
            tracks.kept.insert({clip.skeleton.nodes[*node].name, clip_channel(curve.channel)});
        }
    }
    tracks.changed = tracks_of(clip);
    tracks.removed = removed_tracks(base, clip.skeleton, map, tracks.kept, tracks.changed);
    return tracks;
}

/// What a person should know beyond the numbers.
Json warnings_of(const sl_anim::Document& document, const sl_anim::Document* base, bool any_changed,
                 const std::vector<std::string>& strange_bones) {
    Json warnings = Json::array();
    for (const std::string& bone : strange_bones) {
        warnings.push_back("bone " + bone + " is no joint of the avatar: its curves are not exported");
    }
    if (base != nullptr && base->duration != document.duration) {
        warnings.push_back("the duration changes from " + std::to_string(base->duration.value()) + " s to " +
                           std::to_string(document.duration.value()) + " s: every time code is written anew");
    }
    if (const std::size_t collided = collided_keys(document); collided > 0 && any_changed) {
        warnings.push_back(std::to_string(collided) +
                           " keys share a time code with their neighbour: the viewer keeps the later one");
    }
    return warnings;
}

Result<void> require_accepted(const sl_anim::Document& document) {
    for (const Finding& finding : sl_anim::check(document, {sl_anim::Level::playback, {}})) {
        if (finding.rule->finding_class == FindingClass::rejected) {
            return fail(ErrorCode::rejected,
                        "the viewer would refuse the result: " + std::string(finding.rule->effect) +
                            " Found: " + finding.found);
        }
    }
    return {};
}

Json report_of(const sl_anim::Document& document, const Tracks& tracks, const sl_anim::Comparison& errors) {
    const auto worst = errors.worst();
    return {{"size_bytes", file_bytes(document)},
            {"duration_seconds", json_float(document.duration)},
            {"joints", document.joints.size()},
            {"changed", names_json(tracks.changed)},
            {"kept", names_json(tracks.kept)},
            {"dropped", names_json(tracks.removed)},
            {"max_rotation_error_degrees", worst.rotation_degrees},
            {"max_position_error_mm", worst.position_mm},
            {"worst",
             {{"joint", worst.joint},
              {"rotation_at_seconds", worst.rotation_at_seconds},
              {"position_at_seconds", worst.position_at_seconds}}},
            {"findings", findings_json(sl_anim::check(document, {sl_anim::Level::upload, {}}))["findings"]}};
}

}  // namespace

Result<SlExport> export_sl_anim(const rig::Armature& armature, const rig::BoneMap& map,
                                const rig::Timing& timing, std::span<const rig::CurveView> curves,
                                std::span<const UnchangedCurve> unchanged, const sl_anim::FromClip& options,
                                const Job& job) {
    const Skeleton skeleton = sl_anim::playing_skeleton();
    const auto clip =
        rig::clip_from_curves(curves, skeleton, armature, map, timing, options.duration_seconds);
    if (!clip) {
        return tl::unexpected<Error>(clip.error());
    }
    const Tracks tracks = sort_tracks(*clip, unchanged, map, options.base);
    sl_anim::Document document = sl_anim::from_clip(*clip, tracks.removed, options);
    if (auto accepted = require_accepted(document); !accepted) {
        return tl::unexpected<Error>(std::move(accepted.error()));
    }
    const auto shown =
        rig::shown_by_curves(curves, skeleton, armature, map, timing, options.duration_seconds);
    if (!shown) {
        return tl::unexpected<Error>(shown.error());
    }
    const auto errors = sl_anim::measure(*shown, document, job);
    if (!errors) {
        return tl::unexpected<Error>(errors.error());
    }
    Json report = report_of(document, tracks, *errors);
    report["warnings"] =
        warnings_of(document, options.base, !tracks.changed.empty(), unmapped_bones(curves, armature, map));
    return SlExport{std::move(document), std::move(report)};
}

}  // namespace animbridge
