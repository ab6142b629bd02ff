// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include "animbridge/animbridge.h"

#include "rig/rig_map.h"

namespace animbridge::api {

/// A caller's armature, and which of its bones show which of the avatar's joints.
struct TakenArmature {
    rig::Armature armature;
    rig::RigMap own_rig_map;  ///< the caller's; empty where the built-in one serves
    rig::BoneMap map;         ///< refers to the rig map
};

[[nodiscard]] Result<std::unique_ptr<const TakenArmature>> take_armature(const ab_armature* pointer);

}  // namespace animbridge::api
