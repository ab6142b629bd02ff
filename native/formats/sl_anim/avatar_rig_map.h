// SPDX-License-Identifier: MIT
#pragma once

#include "rig/rig_map.h"

namespace animbridge::sl_anim {

/// The built-in map from bone names to the avatar's joints. Built once and never changed.
[[nodiscard]] const rig::RigMap& avatar_rig_map();

}  // namespace animbridge::sl_anim
