// SPDX-License-Identifier: MIT
#pragma once

#include <glm/gtc/quaternion.hpp>
#include <string>
#include <vector>

#include "base/base.h"
#include "rig/retarget/parts.h"
#include "rig/retarget/posture.h"

namespace animbridge::rig {

/// The constant turn of each part from the source's directions to the target's: for a body, the turn about Z
/// between their headings; for a hand without a body, the turn between the hands. Adds to `warnings` if the
/// turn cannot be determined. ErrorCode::rejected if a map mixes up left and right.
[[nodiscard]] Result<std::vector<glm::dquat>> turns_of_parts(
    const Parts& parts, const FoundRig& source_rig, const Posture& source, const FoundRig& target_rig,
    const Posture& target, const RetargetOptions& options, std::vector<std::string>& warnings);

}  // namespace animbridge::rig
