// SPDX-License-Identifier: MIT
#include "formats/mrtk/pose.h"

#include <algorithm>
#include <string>
#include <vector>

#include "formats/clip_pose.h"
#include "formats/mrtk/player.h"
#include "model/reports.h"

namespace animbridge::mrtk {

namespace {

std::vector<std::size_t> poses_of(const Document& document) {
    std::vector<std::size_t> existing;
    for (std::size_t pose = 0; pose < pose_count; ++pose) {
        if (has_keys(document, pose)) {
            existing.push_back(pose);
        }
    }
    return existing;
}

Json joint_json(const Player& player, std::size_t pose, double seconds) {
    const ShownPose shown = player.pose(pose, seconds);
    return {{"joint", pose_name(pose)},
            {"position", vector_json(shown.position)},
            {"rotation_wxyz", quaternion_json(shown.meant)},
            {"played_rotation_wxyz", quaternion_json(shown.played)}};
}

Json gaze_json(const Player& player, double seconds) {
    if (!player.has_gaze()) {
        return nullptr;
    }
    const ShownGaze gaze = player.gaze(seconds);
    return {{"origin", vector_json(gaze.origin)}, {"direction", vector_json(gaze.direction)}};
}

Json row_json(const Player& player, const std::vector<std::size_t>& existing, double seconds) {
    Json joints = Json::array();
    joints.reserve(existing.size());
    for (const std::size_t pose : existing) {
        joints.push_back(joint_json(player, pose, seconds));
    }
    Json row = {{"seconds", seconds}, {"joints", std::move(joints)}, {"gaze", gaze_json(player, seconds)}};
    for (std::size_t i = 0; i < switch_count; ++i) {
        row[switch_names.at(i)] = player.is_on(i, seconds);
    }
    return row;
}

}  // namespace

Result<std::vector<std::string>> played_joints(const Document& document) {
    return require_playable(document).map([&] {
        std::vector<std::string> names;
        for (const std::size_t pose : poses_of(document)) {
            names.emplace_back(pose_name(pose));
        }
        return names;
    });
}

Result<void> play(const Document& document, std::span<const double> times_seconds,
                  std::optional<double> /*stop_seconds*/, const PoseArrays& out) {
    const std::vector<std::size_t> existing = poses_of(document);
    TRY_VOID(require_room(out, existing.size()));
    return require_playable(document).map([&] {
        const Player player(document);
        for (std::size_t i = 0; i < times_seconds.size(); ++i) {
            PoseArrays::put(out.clip_seconds, i, {std::min(times_seconds[i], player.duration_seconds())});
            PoseArrays::put(out.ease_weights, i, {1.0});
            for (std::size_t joint = 0; joint < existing.size(); ++joint) {
                const ShownPose shown = player.pose(existing[joint], times_seconds[i]);
                const std::size_t row = i * out.joint_capacity + joint;
                PoseArrays::put(out.local_rotations, row, shown.meant);
                PoseArrays::put(out.local_positions, row, shown.position);
                PoseArrays::put(out.world_rotations, row, shown.meant);
                PoseArrays::put(out.world_positions, row, shown.position);
            }
            if (out.rows != nullptr) {
                out.rows->push_back(row_json(player, existing, times_seconds[i]));
            }
        }
    });
}

}  // namespace animbridge::mrtk
