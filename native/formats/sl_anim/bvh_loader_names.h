// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

namespace animbridge::sl_anim {

/// The avatar's joint that the loader substitutes for a BVH joint: a bone or one of its aliases, or an
/// attachment point with underscores for spaces. Null: the joint keeps its name and axes.
[[nodiscard]] std::optional<std::string_view> bvh_joint_named(std::string_view name);

/// Whether the viewer's upload preview has a joint of this name; the upload refuses all others. The preview
/// has no HUD points, which exist only on the user's own avatar.
[[nodiscard]] bool is_known_to_upload(std::string_view name);

}  // namespace animbridge::sl_anim
