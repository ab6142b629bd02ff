// SPDX-License-Identifier: MIT
#include "formats/sl_anim/avatar_rig_map.h"

#include "formats/sl_anim/skeleton.h"

namespace animbridge::sl_anim {

const rig::RigMap& avatar_rig_map() {
    static const rig::RigMap map =
        rig::read_rig_map(rig::built_in_rig_map_json(), playing_skeleton()).value();
    return map;
}

}  // namespace animbridge::sl_anim
