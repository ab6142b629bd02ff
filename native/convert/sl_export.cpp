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

/// Keys that fall on one time code: the viewer keeps the last.
std::size_t collided_keys(const sl_anim::Document& document) {
    std::size_t collided = 0;
    for (const auto& joint : document.joints) {
        for (const auto* keys : {&joint.rotation, &joint.position}) {
            if (const auto* coded = std::get_if<std::vector<sl_anim::CodedKey>>(keys)) {
                for (std::size_t i = 1; i < coded->size(); ++i) {
                    collided += (*coded)[i].time == (*coded)[i - 1].time ? 1U : 0U;
                }
            }
        }
    }
    return collided;
}

Json base_report(const sl_anim::Document& document) {
    return {{"size_bytes", file_bytes(document)},
            {"duration_seconds", json_float(document.duration)},
            {"joints", document.joints.size()}};
}

}  // namespace

Result<SlExport> export_sl_anim(const rig::Armature& armature, const rig::Timing& timing,
                                std::span<const rig::CurveView> curves,
                                std::span<const UnchangedCurve> unchanged, const sl_anim::FromClip& options,
                                const Job& job) {
    const Skeleton skeleton = sl_anim::playing_skeleton();
    const rig::BoneMap map = rig::map_bones(skeleton, armature);
    auto clip = rig::clip_from_curves(curves, skeleton, armature, map, timing, options.duration_seconds);
    if (!clip) {
        return tl::unexpected<Error>(std::move(clip.error()));
    }
    std::set<TrackName> kept;
    for (const UnchangedCurve& curve : unchanged) {
        if (const auto node = map.node_of_bone[curve.bone]) {
            kept.insert({skeleton.nodes[*node].name, clip_channel(curve.channel)});
        }
    }
    const std::set<TrackName> changed = tracks_of(*clip);
    const std::set<TrackName> removed = removed_tracks(options.base, skeleton, map, kept, changed);
    auto document = sl_anim::from_clip(*clip, removed, options);
    if (!document) {
        return tl::unexpected<Error>(std::move(document.error()));
    }
    const auto findings = sl_anim::check(*document, {sl_anim::Level::upload, {}});
    const auto playback = sl_anim::check(*document, {sl_anim::Level::playback, {}});
    if (any_rejected(playback)) {
        const auto& rule = *std::find_if(playback.begin(), playback.end(), [](const Finding& f) {
            return f.rule->finding_class == FindingClass::rejected;
        });
        return fail(ErrorCode::rejected, "the viewer would refuse the result: " +
                                             std::string(rule.rule->effect) + " Found: " + rule.found);
    }
    auto errors = sl_anim::measure(*clip, *document, job);
    if (!errors) {
        return tl::unexpected<Error>(std::move(errors.error()));
    }
    Json warnings = Json::array();
    for (const std::string& bone : unmapped_bones(curves, armature, map)) {
        warnings.push_back("bone " + bone + " is no joint of the avatar: its curves are not exported");
    }
    if (options.base != nullptr && options.base->duration != document->duration) {
        warnings.push_back("the duration changes from " + std::to_string(options.base->duration.value()) +
                           " s to " + std::to_string(document->duration.value()) +
                           " s: every time code is written anew");
    }
    if (const std::size_t collided = collided_keys(*document); collided > 0 && !changed.empty()) {
        warnings.push_back(std::to_string(collided) +
                           " keys share a time code with their neighbour: the viewer keeps the later one");
    }
    Json report = base_report(*document);
    const auto worst = errors->worst();
    report["changed"] = names_json(changed);
    report["kept"] = names_json(kept);
    report["dropped"] = names_json(removed);
    report["max_rotation_error_degrees"] = worst.rotation_degrees;
    report["max_position_error_mm"] = worst.position_mm;
    report["worst"] = {{"joint", worst.joint},
                       {"rotation_at_seconds", worst.rotation_at_seconds},
                       {"position_at_seconds", worst.position_at_seconds}};
    report["warnings"] = std::move(warnings);
    report["findings"] = findings_json(findings)["findings"];
    return SlExport{std::move(*document), std::move(report)};
}

}  // namespace animbridge
