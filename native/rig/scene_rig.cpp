// SPDX-License-Identifier: MIT
#include "rig/scene_rig.h"

namespace animbridge::rig {

Result<MappedRig> mapped(const SceneRig& rig) {
    return map_bones(*rig.avatar, rig.armature, rig.map()).map([&](BoneMap map) {
        MappedRig result{rig.armature, std::move(map)};
        if (rig.finds_facing) {
            result.armature.facing =
                find_facing(*rig.avatar, result.armature, result.map).value_or(Facing::x);
        }
        return result;
    });
}

}  // namespace animbridge::rig
