// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "rig/humanoid/rig_match.h"
#include "rig/humanoid/slot_map.h"

namespace animbridge::rig {

/// Joints that move one part together, between two slots of the body. The tree defines them; the rig file's
/// names do where the tree cannot (joints that are not each other's parents, a tail, a chain of the caller's
/// own). `match` and `rig` may be null.
[[nodiscard]] std::vector<FoundChain> find_chains(const SlotMap& map, const RestBody& body,
                                                  const JointNames& names,
                                                  const std::vector<JointRole>& roles, const RigMatch* match,
                                                  const RigFile* rig);

}  // namespace animbridge::rig
