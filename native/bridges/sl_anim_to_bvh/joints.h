// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "formats/bvh/file/file.h"
#include "formats/sl_anim/play/play.h"

/// The joints of a BVH for the viewer.
namespace animbridge::sl_anim_to_bvh {

inline constexpr std::size_t pelvis = 0;  ///< mPelvis in sl_anim::skeleton()

struct PlannedJoint {
    std::size_t joint = 0;                                 ///< index in sl_anim::skeleton()
    std::optional<std::size_t> parent{};                   ///< an earlier index in Plan::joints
    const sl_anim::Player::AnimatedJoint* keys = nullptr;  ///< null: needed only for its descendants
    bool positions = false;  ///< six channels, from which the loader makes both tracks
    /// A collision volume, or an attachment point without an alias. The loader reads its channels in the
    /// avatar's own axes, and uses position zero if it has no position channels.
    bool own_axes = false;
};

/// An animated joint that the file cannot hold.
struct LeftOut {
    std::string joint;
    std::string_view reason;
};

struct Plan {
    std::vector<PlannedJoint> joints{};  ///< depth first, starting with mPelvis
    std::vector<LeftOut> left_out{};
};

/// mPelvis, every animated joint that survives an upload, and the joints between. `player` must outlive the
/// plan.
[[nodiscard]] Plan plan_joints(const sl_anim::Player& player);

/// The hierarchy, before the joints have channels.
[[nodiscard]] std::vector<bvh::Joint> hierarchy_of(const Plan& plan, bool aliases);

}  // namespace animbridge::sl_anim_to_bvh
