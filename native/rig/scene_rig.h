// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "rig/rig_map.h"

namespace animbridge::rig {

/// An armature of a scene, and the rig map for its bones.
struct SceneRig {
    Armature armature{};              ///< facing is +X if `finds_facing`
    bool finds_facing = true;         ///< find the facing from the bones
    const Skeleton* avatar{};         ///< has the joints that the rig map names; must outlive this
    const RigMap* built_in_map{};     ///< must outlive this
    std::optional<RigMap> own_map{};  ///< the caller's, instead of the built-in one

    [[nodiscard]] const RigMap& map() const { return own_map ? *own_map : *built_in_map; }
};

/// The armature with its facing, and its bones paired with the avatar's joints. The SceneRig must outlive it.
struct MappedRig {
    Armature armature;
    BoneMap map;
};

/// ErrorCode::bad_value: several bones are equally good for one joint.
[[nodiscard]] Result<MappedRig> mapped(const SceneRig& rig);

}  // namespace animbridge::rig
