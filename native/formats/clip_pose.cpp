// SPDX-License-Identifier: MIT
#include "formats/clip_pose.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/clip_poser.h"

namespace animbridge {

namespace {

/// A row of `size` numbers; nothing where the first is NaN.
void put_numbers(const char* member, const std::vector<double>& values, std::size_t row, std::size_t size,
                 Json& joint) {
    const auto numbers = std::span(values).subspan(row * size, size);
    if (!std::isnan(numbers.front())) {
        joint[member] = numbers;
    }
}

}  // namespace

Result<void> require_room(const PoseArrays& out, std::size_t joints) {
    if (out.joint_capacity < joints) {
        return fail(ErrorCode::invalid_argument, "pose.joint_capacity is " +
                                                     std::to_string(out.joint_capacity) + ", the file has " +
                                                     std::to_string(joints));
    }
    return {};
}

Result<Json> poses_json(std::span<const double> times_seconds, const std::vector<std::string>& joints,
                        const std::function<Result<void>(const PoseArrays& out)>& play) {
    const std::size_t count = times_seconds.size();
    const std::size_t rows = count * joints.size();
    std::vector<double> clip_seconds(count);
    std::vector<double> weights(count);
    std::vector<double> local_rotations(4 * rows);
    std::vector<double> local_positions(3 * rows);
    std::vector<double> world_rotations(4 * rows);
    std::vector<double> world_positions(3 * rows);
    Json poses = Json::array();
    TRY_VOID(play({joints.size(), clip_seconds.data(), weights.data(), local_rotations.data(),
                   local_positions.data(), world_rotations.data(), world_positions.data(), &poses}));
    for (std::size_t i = poses.size(); i < count; ++i) {
        Json shown = Json::array();
        shown.reserve(joints.size());
        for (std::size_t row = i * joints.size(); row < (i + 1) * joints.size(); ++row) {
            Json joint = {{"joint", json_text(joints[row - i * joints.size()])}};
            put_numbers("local_rotation_wxyz", local_rotations, row, 4, joint);
            put_numbers("local_position", local_positions, row, 3, joint);
            put_numbers("world_rotation_wxyz", world_rotations, row, 4, joint);
            put_numbers("world_position", world_positions, row, 3, joint);
            shown.push_back(std::move(joint));
        }
        poses.push_back({{"seconds", times_seconds[i]},
                         {"clip_seconds", clip_seconds[i]},
                         {"weight", weights[i]},
                         {"joints", std::move(shown)}});
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
