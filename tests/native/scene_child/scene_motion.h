// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <glm/mat4x4.hpp>
#include <string>
#include <vector>

#include "formats/scene_file/file/file.h"

/// A scene's poses, directly from the definitions of scene_file::file::Document. Shares no code with the
/// library.
namespace animbridge::test {

struct WorldPose {
    std::vector<glm::dmat4> matrices;   ///< per node, in the file's space
    std::vector<glm::dquat> rotations;  ///< the product of the local rotations from the root down
};

/// At rest, or at a time of an animation.
[[nodiscard]] WorldPose rest_pose_of(const scene_file::file::Document& document);
[[nodiscard]] WorldPose pose_of(const scene_file::file::Document& document,
                                const scene_file::file::Animation& animation, double seconds);

[[nodiscard]] glm::dmat4 matrix_from(const scene_file::file::Placement& placement);

}  // namespace animbridge::test
