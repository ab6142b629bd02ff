// SPDX-License-Identifier: MIT
#include "formats/bvh/pose.h"

#include <algorithm>

#include "formats/bvh/clip.h"
#include "model/clip_poser.h"
#include "model/reports.h"

namespace animbridge::bvh {

Result<Clip> clip_to_pose(const Document& document) {
    const double frame_seconds = document.frame_time_seconds > 0.0 ? document.frame_time_seconds : 1.0;
    return to_clip(document, {}, frame_seconds);
}

Result<Json> pose_json(const Document& document, std::span<const double> times_seconds) {
    TRY(const auto clip, clip_to_pose(document));
    ClipPoser poser(clip);
    Json poses = Json::array();
    for (const double seconds : times_seconds) {
        const double clip_seconds = std::clamp(seconds, 0.0, clip.duration_seconds);
        poser.pose(clip_seconds);
        Json joints = Json::array();
        joints.reserve(document.joints.size());
        for (std::size_t i = 0; i < document.joints.size(); ++i) {
            joints.push_back({{"joint", json_text(document.joints[i].name)},
                              {"local_rotation_wxyz", quaternion_json(poser.local()[i].rotation)},
                              {"local_position", vector_json(poser.local()[i].translation)},
                              {"world_rotation_wxyz", quaternion_json(poser.world()[i].rotation)},
                              {"world_position", vector_json(poser.world()[i].translation)}});
        }
        poses.push_back({{"seconds", seconds},
                         {"clip_seconds", clip_seconds},
                         {"weight", 1.0},
                         {"joints", std::move(joints)}});
    }
    return Json{{"poses", std::move(poses)}};
}

}  // namespace animbridge::bvh
