// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include "api/give_curves.h"
#include "api/take_armature.h"
#include "api/take_curves.h"
#include "api/take_export.h"
#include "convert/sl_document.h"
#include "convert/sl_export.h"
#include "formats/sl_anim/clip.h"

using namespace animbridge;
using api::guarded;
using api::misuse;
using api::take_timing;

namespace {

Json curves_report(const Clip& clip, const rig::Armature& armature, const rig::BoneMap& map,
                   const rig::Timing& timing, const rig::CurvesFromClip& result) {
    Json matched = Json::array();
    std::optional<std::size_t> last;
    for (const Track& track : clip.tracks) {
        const auto bone = track.node < map.bone_of_node.size() ? map.bone_of_node[track.node] : std::nullopt;
        if (bone && last != track.node) {
            matched.push_back({{"joint", clip.skeleton.nodes[track.node].name},
                               {"bone", json_text(armature.bones[*bone].name)}});
        }
        last = track.node;
    }
    Json unmatched = Json::array();
    for (const std::size_t node : result.unmatched_nodes) {
        unmatched.push_back(json_text(clip.skeleton.nodes[node].name));
    }
    Json close_keys = Json::array();
    for (const rig::CloseKey& key : result.close_keys) {
        close_keys.push_back({{"joint", json_text(key.joint)}, {"frame", key.frame}});
    }
    return {{"facing", name_of(armature.facing)},
            {"duration_seconds", clip.duration_seconds},
            {"frame_end", timing.frame_at(clip.duration_seconds)},
            {"matched", std::move(matched)},
            {"unmatched_joints", std::move(unmatched)},
            {"inserted_keys", result.inserted_keys},
            {"close_keys", std::move(close_keys)},
            {"warnings", result.warnings}};
}

/// The F-curve at a running index over all channels.
Result<void> fill_curve(const ab_curves& curves, std::size_t index, ab_curve& filled) {
    const auto& ends = curves.channel_ends;
    const auto end = std::upper_bound(ends.begin(), ends.end(), index);
    if (end == ends.end()) {
        return misuse("index is not below ab_curves_count");
    }
    const rig::BoneCurves& channel = curves.result.curves[static_cast<std::size_t>(end - ends.begin())];
    const std::size_t component = index - (*end - channel.points.size());
    filled.bone = channel.bone == rig::no_bone ? -1 : static_cast<std::int32_t>(channel.bone);
    filled.channel = static_cast<std::int32_t>(channel.channel);
    filled.component = static_cast<std::int32_t>(component);
    filled.key_count = static_cast<std::uint32_t>(channel.points[component].size() / 2);
    filled.co = channel.points[component].data();
    filled.inserted = channel.inserted.empty() ? nullptr : channel.inserted.data();
    return {};
}

}  // namespace

extern "C" {

ab_status ab_curves_from_document(const ab_document* document, const ab_armature* armature,
                                  const ab_timing* timing, ab_curves** out, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        if (document == nullptr || out == nullptr) {
            return misuse("document or out is NULL");
        }
        const auto rig = api::take_armature(armature);
        if (!rig) {
            return tl::unexpected<Error>(rig.error());
        }
        const auto times = take_timing(timing);
        if (!times) {
            return tl::unexpected<Error>(times.error());
        }
        const sl_anim::Document* animation = as_sl_anim(*document->document);
        if (animation == nullptr) {
            return misuse("document is not of the format sl_anim; a BVH's curves are ab_curves_from_bvh's");
        }
        const auto clip = sl_anim::to_clip(*animation);
        if (!clip) {
            return tl::unexpected<Error>(in_file(clip.error(), document->name));
        }
        // Unknown joints are extra nodes behind the avatar's: a bone that happens to have their name does not
        // play in the viewer either.
        auto made = rig::curves_from_clip(*clip, (*rig)->armature, (*rig)->map, *times);
        std::string report = print_json(curves_report(*clip, (*rig)->armature, (*rig)->map, *times, made));
        return api::give_curves(std::move(made), std::move(report), out);
    });
}

size_t ab_curves_count(const ab_curves* curves) {
    return curves == nullptr || curves->channel_ends.empty() ? 0 : curves->channel_ends.back();
}

ab_status ab_curves_get(const ab_curves* curves, size_t index, ab_curve* out, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        if (curves == nullptr || out == nullptr || out->struct_size < sizeof(out->struct_size)) {
            return misuse("curves or out is NULL, or out->struct_size is not set");
        }
        ab_curve filled{};
        if (auto found = fill_curve(*curves, index, filled); !found) {
            return found;
        }
        filled.struct_size = out->struct_size;
        std::memcpy(out, &filled, std::min<std::size_t>(filled.struct_size, sizeof(filled)));
        return {};
    });
}

ab_status ab_curves_report(const ab_curves* curves, ab_buffer** out, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        if (curves == nullptr || out == nullptr) {
            return misuse("curves or out is NULL");
        }
        *out = api::new_buffer(curves->report);
        return {};
    });
}

void ab_curves_free(ab_curves* curves) { delete curves; }

ab_status ab_sl_document_from_curves(const ab_armature* armature, const ab_timing* timing,
                                     const ab_curve* curves, size_t count, const ab_sl_export* options,
                                     const ab_job* job, ab_document** out, ab_buffer** report,
                                     ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        if (out == nullptr) {
            return misuse("out is NULL");
        }
        const auto target = api::take_export(armature, timing, options, job);
        if (!target) {
            return tl::unexpected<Error>(target.error());
        }
        const rig::Armature& rig = target->rig->armature;
        const auto taken = api::take_curves(curves, count, rig);
        if (!taken) {
            return tl::unexpected<Error>(taken.error());
        }
        auto exported = export_sl_anim(rig, target->rig->map, target->timing, taken->views, taken->unchanged,
                                       target->options, target->job, target->limits);
        if (!exported) {
            return tl::unexpected<Error>(std::move(exported.error()));
        }
        api::give_export(std::move(*exported), out, report);
        return {};
    });
}

}  // extern "C"
