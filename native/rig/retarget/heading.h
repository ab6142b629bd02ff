// SPDX-License-Identifier: MIT
#pragma once

#include <glm/gtc/quaternion.hpp>
#include <string>
#include <vector>

#include "base/result.h"
#include "rig/retarget/parts.h"
#include "rig/retarget/posture.h"

namespace animbridge::rig {

/// Per part the constant turn from the source's directions to the target's: of a body, the turn about Z
/// between their headings; of a hand without a body, the turn between the hands. Adds to `warnings` where
/// nothing says how the two stand. ErrorCode::rejected if a map mixes up left and right.
[[nodiscard]] Result<std::vector<glm::dquat>> turns_of_parts(
    const Parts& parts, const FoundRig& source_rig, const Posture& source, const FoundRig& target_rig,
    const Posture& target, const RetargetOptions& options, std::vector<std::string>& warnings);

}  // namespace animbridge::rig
