// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

namespace animbridge::sl_anim {

/// The avatar's joint that the loader puts in the place of a BVH joint: bones and their aliases, and
/// attachment points with underscores for their blanks. None: the joint keeps its name and its axes.
[[nodiscard]] std::optional<std::string_view> bvh_joint_named(std::string_view name);

/// Whether a joint of the viewer's preview goes by this name: the upload refuses an animation of any other.
/// HUD points are on one's own avatar only.
[[nodiscard]] bool is_known_to_upload(std::string_view name);

}  // namespace animbridge::sl_anim
