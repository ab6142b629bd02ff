// SPDX-License-Identifier: MIT
#include "rig/exchange/exchange.h"

#include <algorithm>
#include <glm/geometric.hpp>

namespace animbridge {

namespace {

/// "the marker "a"", or "the markers "a", "b""; empty without names.
std::string named_things(const std::string& what, const std::string& several,
                         const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) {
        text += (text.empty() ? " \"" : ", \"") + name + "\"";
    }
    return text.empty() ? text : "the " + (names.size() > 1 ? several : what) + text;
}

}  // namespace

Json at_body_size(const Format& format, Json to_clip) {
    if (format.clip.has_size && !to_clip.contains("scale")) {
        to_clip["scale"] = "auto";
    }
    return to_clip;
}

std::vector<std::string> left_out_of(const ClipRequest& request, std::span<const std::string_view> markers) {
    const Clip& clip = request.clip;
    std::vector<std::string> properties;
    for (const Track& track : clip.tracks) {
        if (track.channel == Channel::property) {
            properties.push_back(track.property);
        }
    }
    std::vector<std::string> others;
    for (const Marker& marker : clip.markers) {
        if (std::ranges::find(markers, marker.name) == markers.end()) {
            others.push_back(marker.name);
        }
    }
    std::vector<std::string> left_out = request.left_out;
    left_out.push_back(named_things("property", "properties", properties));
    left_out.push_back(named_things("marker", "markers", others));
    std::erase(left_out, std::string());
    return left_out;
}

Json moved_joints_json(const Clip& clip) {
    Json moved = Json::array();
    for (const Track& track : clip.tracks) {
        const Node& node = clip.skeleton.nodes[track.node];
        bool moves = false;
        for (std::size_t key = 0; track.channel == Channel::translation && !moves && key < track.key_count();
             ++key) {
            moves = 1000.0 * glm::length(track.translation(key) - node.rest_local.translation) >
                    rig::curves::moved_mm;
        }
        if (moves && node.parent) {
            moved.push_back(json_text(node.name));
        }
    }
    return moved;
}

std::optional<Loop> loop_of(const Clip& clip) {
    std::array<std::optional<double>, 2> seconds;
    for (const Marker& marker : clip.markers) {
        for (std::size_t i = 0; i < loop_markers.size(); ++i) {
            if (marker.name == loop_markers.at(i)) {
                seconds.at(i) = marker.time_seconds;
            }
        }
    }
    return seconds[0] && seconds[1] ? std::optional(Loop{*seconds[0], *seconds[1]}) : std::nullopt;
}

Json clip_curves_report(const Clip& clip, const rig::armature::BoneMap& map,
                        const rig::armature::Armature& armature, const rig::curves::Timing& timing,
                        const rig::curves::CurvesFromClip& made) {
    Json matched = Json::array();
    Json unmatched = Json::array();
    for (std::size_t node = 0; node < clip.skeleton.nodes.size(); ++node) {
        const Json name = json_text(clip.skeleton.nodes[node].name);
        if (const auto bone = map.bone_of_node[node]) {
            matched.push_back({{"joint", name}, {"bone", json_text(armature.bones[*bone].name)}});
        } else {
            unmatched.push_back(name);
        }
    }
    Json close_keys = list_json(made.close_keys, [](const rig::curves::CloseKey& key) -> Json {
        return {{"joint", json_text(key.joint)}, {"frame", key.frame}};
    });
    return {{"duration_seconds", clip.duration_seconds},
            {"frame_end", timing.frame_at(clip.duration_seconds)},
            {"matched", std::move(matched)},
            {"unmatched_joints", std::move(unmatched)},
            {"close_keys", std::move(close_keys)},
            {"warnings", texts_json(made.warnings)}};
}

Json worst_json(const WorstDifference& worst) {
    return {{"joint", json_text(worst.joint)},
            {"position_at_seconds", worst.position_at_seconds},
            {"rotation_joint", json_text(worst.rotation_joint)},
            {"rotation_at_seconds", worst.rotation_at_seconds}};
}

bool StopBound::allows(const WorstDifference& worst) const {
    return (millimetres == 0.0 || worst.position_mm <= millimetres) &&
           (degrees == 0.0 || worst.rotation_degrees <= degrees);
}

namespace {

/// "at 1.20 s, mWristLeft would be 23.4 mm"
std::string would_be(const std::string& joint, double at_seconds, const std::string& off) {
    return joint.empty() ? "a joint of the file would be " + off
                         : "at " + fixed_text(at_seconds, 2) + " s, " + joint + " would be " + off;
}

}  // namespace

Result<Made> unless_too_far(Made made, const StopBound& bound, std::string_view motion) {
    const WorstDifference& worst = made.worst;
    if (bound.allows(worst)) {
        return made;
    }
    const bool is_off = bound.millimetres > 0.0 && worst.position_mm > bound.millimetres;
    std::string reason =
        is_off
            ? would_be(worst.joint, worst.position_at_seconds, fixed_text(worst.position_mm, 1) + " mm from ")
            : would_be(worst.rotation_joint, worst.rotation_at_seconds,
                       "turned by " + fixed_text(worst.rotation_degrees, 1) + " degrees from ");
    reason +=
        std::string(motion) + "; allowed are " +
        (is_off ? shown_number(bound.millimetres) + " mm. " : shown_number(bound.degrees) + " degrees. ");
    for (const std::string& cause : made.causes) {
        reason += cause + ". ";
    }
    return fail(ErrorCode::rejected,
                reason +
                    "To write the file all the same: --force, or a larger --stop-above (library: force, "
                    "stop_above_mm, stop_above_degrees)");
}

}  // namespace animbridge
