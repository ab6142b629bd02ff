// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include "animbridge/animbridge.h"

#include "rig/rig_map.h"

namespace animbridge::api {

/// A caller's armature, and which of its bones show which of the avatar's joints.
struct TakenArmature {
    rig::Armature armature{};
    bool finds_facing = true;                  ///< the caller does not say where the character looks
    std::optional<rig::RigMap> own_rig_map{};  ///< the caller's; none: the built-in one serves
    rig::BoneMap map{};                        ///< refers to the rig map

    [[nodiscard]] const rig::RigMap& rig_map() const {
        return own_rig_map ? *own_rig_map : rig::built_in_rig_map();
    }
};

[[nodiscard]] Result<std::unique_ptr<const TakenArmature>> take_armature(const ab_armature* pointer);

/// The same without asking which bones show which joints: `map` is empty, and a facing that is to be found is
/// +X.
[[nodiscard]] Result<std::unique_ptr<TakenArmature>> take_unmapped_armature(const ab_armature* pointer);

}  // namespace animbridge::api
