// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "formats/scene/document.h"

namespace animbridge::scene {

/// The nodes of a scene that are a clip's joints, in their order.
struct Joints {
    std::vector<std::uint32_t> nodes;  ///< per joint
    std::vector<std::string> names;    ///< per joint: the node's, or another where that is empty or taken
    std::vector<bool> is_joint;        ///< per node
    std::size_t renamed = 0;           ///< how many joints have another name than their node
};

/// The nodes that are a skin's bones, that a file names as body parts, that move, and those between such. A
/// scene without any has all nodes but meshes, cameras and lights. A node that carries joints and neither
/// moves in any animation nor is one of a skin's bones is not a joint: it places the skeleton.
[[nodiscard]] Joints joints_of(const Document& document);

/// Whether the channel's values differ from each other.
[[nodiscard]] bool varies(const Channel& channel);

}  // namespace animbridge::scene
