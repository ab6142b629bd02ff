// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "rig/humanoid/rig_match.h"
#include "rig/humanoid/slot_map.h"

namespace animbridge::rig {

/// Joints that move one part together: between two slots of the body, by the tree; where the tree does not
/// say (a rig whose joints are not each other's parents, a tail, a chain of the caller's own), by the rig
/// file's names. `match` and `rig` may be null.
[[nodiscard]] std::vector<FoundChain> find_chains(const SlotMap& map, const RestBody& body,
                                                  const JointNames& names,
                                                  const std::vector<JointRole>& roles, const RigMatch* match,
                                                  const RigFile* rig);

}  // namespace animbridge::rig
