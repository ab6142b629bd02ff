// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "formats/bvh/document.h"
#include "formats/sl_anim/player.h"

/// Which joints a BVH for the viewer has.
namespace animbridge::sl_anim_to_bvh {

inline constexpr std::size_t pelvis = 0;  ///< mPelvis in sl_anim::skeleton()

struct PlannedJoint {
    std::size_t joint = 0;                                 ///< in sl_anim::skeleton()
    std::optional<std::size_t> parent{};                   ///< a planned joint before this one
    const sl_anim::Player::AnimatedJoint* keys = nullptr;  ///< nullptr: only there for its descendants
    bool positions = false;  ///< six channels, of which the loader makes both tracks
    /// A volume, or an attachment point without an alias: the loader reads its channels in the avatar's own
    /// axes, and a position of zero where it has none.
    bool own_axes = false;
};

/// An animated joint that the file cannot have.
struct LeftOut {
    std::string joint;
    std::string_view reason;
};

struct Plan {
    std::vector<PlannedJoint> joints{};  ///< depth first, mPelvis first
    std::vector<LeftOut> left_out{};
};

/// mPelvis, every animated joint that survives an upload, and what lies between. `player` must outlive the
/// plan.
[[nodiscard]] Plan plan_joints(const sl_anim::Player& player);

/// The hierarchy, without channels.
[[nodiscard]] std::vector<bvh::Joint> hierarchy_of(const Plan& plan, bool aliases);

}  // namespace animbridge::sl_anim_to_bvh
