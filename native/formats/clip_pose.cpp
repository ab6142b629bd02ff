// SPDX-License-Identifier: MIT
#include "formats/clip_pose.h"

#include <algorithm>
#include <utility>

#include "model/clip_poser.h"
#include "model/reports.h"

namespace animbridge {

Json clip_pose_json(const Clip& clip, std::span<const double> times_seconds) {
    ClipPoser poser(clip);
    Json poses = Json::array();
    for (const double seconds : times_seconds) {
        const double clip_seconds = std::clamp(seconds, 0.0, clip.duration_seconds);
        poser.pose(clip_seconds);
        Json joints = Json::array();
        joints.reserve(clip.skeleton.nodes.size());
        for (std::size_t i = 0; i < clip.skeleton.nodes.size(); ++i) {
            joints.push_back({{"joint", json_text(clip.skeleton.nodes[i].name)},
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

Result<void> play_clip(const Clip& clip, std::span<const double> times_seconds, const PoseArrays& out) {
    const std::size_t joints = clip.skeleton.nodes.size();
    TRY_VOID(require_room(out, joints));
    ClipPoser poser(clip);
    for (std::size_t i = 0; i < times_seconds.size(); ++i) {
        const double clip_seconds = std::clamp(times_seconds[i], 0.0, clip.duration_seconds);
        poser.pose(clip_seconds);
        PoseArrays::put(out.clip_seconds, i, {clip_seconds});
        PoseArrays::put(out.ease_weights, i, {1.0});
        for (std::size_t joint = 0; joint < joints; ++joint) {
            const std::size_t row = i * out.joint_capacity + joint;
            PoseArrays::put(out.local_rotations, row, poser.local()[joint].rotation);
            PoseArrays::put(out.local_positions, row, poser.local()[joint].translation);
            PoseArrays::put(out.world_rotations, row, poser.world()[joint].rotation);
            PoseArrays::put(out.world_positions, row, poser.world()[joint].translation);
        }
    }
    return {};
}

}  // namespace animbridge
