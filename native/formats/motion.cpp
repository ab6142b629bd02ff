// SPDX-License-Identifier: MIT
#include "formats/motion.h"

#include <algorithm>
#include <iterator>

namespace animbridge {

std::vector<std::string> left_out_of(const Clip& clip, std::span<const std::string_view> markers) {
    std::vector<std::string> left_out;
    for (const Track& track : clip.tracks) {
        if (track.channel == Channel::property) {
            left_out.push_back("the channel \"" + track.property + "\" of " +
                               clip.skeleton.nodes[track.node].name);
        }
    }
    for (const Marker& marker : clip.markers) {
        if (std::find(markers.begin(), markers.end(), marker.name) == markers.end()) {
            left_out.push_back("the marker \"" + marker.name + "\"");
        }
    }
    return left_out;
}

Json left_out_json(const std::vector<std::string>& left_out) {
    Json list = Json::array();
    std::transform(left_out.begin(), left_out.end(), std::back_inserter(list),
                   [](const std::string& text) { return json_text(text); });
    return list;
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

Result<void> require_room(const PoseArrays& out, std::size_t joints) {
    if (out.joint_capacity < joints) {
        return fail(ErrorCode::invalid_argument, "pose.joint_capacity is " +
                                                     std::to_string(out.joint_capacity) + ", the file has " +
                                                     std::to_string(joints));
    }
    return {};
}

Result<const rig::SceneRig*> require_rig(const rig::SceneRig* rig) {
    if (rig == nullptr) {
        return fail(ErrorCode::invalid_argument, "armature is NULL");
    }
    return rig;
}

Result<void> require_object(const rig::SceneRig* rig, const Format& format) {
    if (rig != nullptr) {
        return fail(ErrorCode::invalid_argument,
                    std::string(format.noun) + " moves one object: found an armature; allowed is NULL");
    }
    return {};
}

}  // namespace animbridge
