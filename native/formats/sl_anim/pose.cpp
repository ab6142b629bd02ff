// SPDX-License-Identifier: MIT
#include "formats/sl_anim/pose.h"

#include "formats/sl_anim/player.h"
#include "model/reports.h"

namespace animbridge::sl_anim {

namespace {

Json joint_pose_json(const Player::AnimatedJoint& joint, float clip_seconds,
                     const std::vector<Transform>& world) {
    Json row = {{"joint", json_text(joint.name)}};
    if (!joint.rotation.empty()) {
        const Quaternion q = value_at(joint.rotation, clip_seconds);
        row["local_rotation_wxyz"] = Json::array({q.w, q.x, q.y, q.z});
    }
    if (!joint.position.empty()) {
        const Vector p = value_at(joint.position, clip_seconds);
        row["local_position"] = Json::array({p[0], p[1], p[2]});
    }
    if (joint.joint) {
        row["world_rotation_wxyz"] = quaternion_json(world[*joint.joint].rotation);
        row["world_position"] = animbridge::vector_json(world[*joint.joint].translation);
    }
    return row;
}

}  // namespace

Json pose_json(const Document& document, std::span<const double> times_seconds,
               std::optional<double> stop_seconds) {
    const Player player(document);
    Json poses = Json::array();
    for (const double seconds : times_seconds) {
        const PlayState state = player.state_at(seconds, stop_seconds);
        const std::vector<Transform> world = player.world_pose(state.clip_seconds);
        Json joints = Json::array();
        joints.reserve(player.joints().size());
        for (const auto& joint : player.joints()) {
            joints.push_back(joint_pose_json(joint, state.clip_seconds, world));
        }
        poses.push_back({{"seconds", seconds},
                         {"clip_seconds", state.clip_seconds},
                         {"weight", state.weight},
                         {"joints", std::move(joints)}});
    }
    return {{"poses", std::move(poses)}};
}

}  // namespace animbridge::sl_anim
