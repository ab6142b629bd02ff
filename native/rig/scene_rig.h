// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "rig/rig_map.h"

namespace animbridge::rig {

/// An armature of a scene, and by which names its bones are understood.
struct SceneRig {
    Armature armature{};              ///< its facing is +X where `finds_facing`
    bool finds_facing = true;         ///< nobody says where the character looks
    const Skeleton* avatar{};         ///< whose joints the rig map names; outlives this
    const RigMap* built_in_map{};     ///< outlives this
    std::optional<RigMap> own_map{};  ///< the caller's; none: the built-in one serves

    [[nodiscard]] const RigMap& map() const { return own_map ? *own_map : *built_in_map; }
};

/// The armature with its facing found, and which of its bones show which of the avatar's joints. Refers to
/// the SceneRig.
struct MappedRig {
    Armature armature;
    BoneMap map;
};

/// ErrorCode::bad_value: several bones show one joint equally well.
[[nodiscard]] Result<MappedRig> mapped(const SceneRig& rig);

}  // namespace animbridge::rig
