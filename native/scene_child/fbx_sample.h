// SPDX-License-Identifier: MIT
#pragma once

#include <ufbx.h>

#include <cstdint>
#include <vector>

#include "formats/scene/document.h"

namespace animbridge::scene_child {

/// The keys of one node in one animation of an FBX file: one channel for each part of its placement that
/// moves. `metres_per_unit`: the file's.
[[nodiscard]] std::vector<scene::Channel> sample_node(const ufbx_anim& animation, const ufbx_node& node,
                                                      std::uint32_t index, double metres_per_unit);

}  // namespace animbridge::scene_child
