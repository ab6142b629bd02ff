// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "formats/scene/document.h"

namespace animbridge::scene {

/// The nodes of a scene that are a clip's joints, in their order.
struct Joints {
    std::vector<std::uint32_t> nodes;  ///< per joint
    std::vector<std::string> names;    ///< per joint: the node's, or another if that is empty or taken
    std::vector<bool> is_joint;        ///< per node
    std::size_t renamed = 0;           ///< how many joints have another name than their node
};

/// The nodes that are a skin's bones, that a file names as body parts, that move, and those between them. If
/// there are none: all nodes except meshes, cameras and lights. A node above joints that neither moves in any
/// animation nor is a skin's bone is not a joint: it places the skeleton.
[[nodiscard]] Joints joints_of(const Document& document);

/// Whether the channel's values differ from each other.
[[nodiscard]] bool varies(const Channel& channel);

}  // namespace animbridge::scene
