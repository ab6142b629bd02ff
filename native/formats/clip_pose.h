// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "formats/format.h"
#include "model/clip.h"

/// Poses as JSON, and the player of formats whose files are played as their clip is: no program has rules of
/// its own for them.
namespace animbridge {

/// A caller's arrays for poses, described at ab_pose; each may be null.
struct PoseArrays {
    std::size_t joint_capacity = 0;
    double* clip_seconds = nullptr;
    double* ease_weights = nullptr;
    double* local_rotations = nullptr;
    double* local_positions = nullptr;
    double* world_rotations = nullptr;
    double* world_positions = nullptr;
    Json* rows = nullptr;  ///< an array, for formats that say other things of a pose: one row for each time

    static void put(double* array, std::size_t row, std::initializer_list<double> values) {
        if (array != nullptr) {
            std::copy(values.begin(), values.end(), array + row * values.size());
        }
    }
    static void put(double* array, std::size_t row, const glm::dquat& q) {
        put(array, row, {q.w, q.x, q.y, q.z});
    }
    static void put(double* array, std::size_t row, const glm::dvec3& v) { put(array, row, {v.x, v.y, v.z}); }
};

/// ErrorCode::invalid_argument if the arrays are too small for this many joints.
[[nodiscard]] Result<void> require_room(const PoseArrays& out, std::size_t joints);

/// {"poses": [...]} of what `play` puts into arrays. A pose is what the format says (PoseArrays::rows), or
/// {"seconds", "clip_seconds", "weight", "joints": [{"joint", "local_rotation_wxyz", "local_position",
/// "world_rotation_wxyz", "world_position"}]}, where a joint lacks what is NaN.
[[nodiscard]] Result<Json> poses_json(std::span<const double> times_seconds,
                                      const std::vector<std::string>& joints,
                                      const std::function<Result<void>(const PoseArrays& out)>& play);

/// Implements a row's `play`. ErrorCode::invalid_argument: the arrays are too small for the joints.
[[nodiscard]] Result<void> play_clip(const Clip& clip, std::span<const double> times_seconds,
                                     const PoseArrays& out);

}  // namespace animbridge
