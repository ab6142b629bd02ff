// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "animbridge/animbridge.h"
#include "rig/armature/armature.h"

namespace animbridge::api {

/// Checks and copies a caller's armature.
[[nodiscard]] Result<rig::SceneRig> take_armature(const ab_armature* pointer);

/// take_armature, but nullopt for NULL, which means an object.
[[nodiscard]] Result<std::optional<rig::SceneRig>> take_armature_or_object(const ab_armature* pointer);

}  // namespace animbridge::api
