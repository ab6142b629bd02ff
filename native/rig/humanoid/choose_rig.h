// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>

#include "rig/humanoid/rig_match.h"
#include "rig/humanoid/slot_map.h"

namespace animbridge::rig {

/// The convention that explains most of the names; nullopt if none explains enough of a body or of a hand.
[[nodiscard]] std::optional<RigMatch> choose_rig(const NameMatches& matches, std::span<const RigFile> rigs,
                                                 const Skeleton& skeleton, const RestBody& body, RigUse use);

/// Whether enough names match to identify the convention: 6 of 15 required parts, or most of a hand.
[[nodiscard]] bool is_enough(const RigMatch& match, const RigFile& rig);

/// The matched slots that are parts of a humanoid body.
[[nodiscard]] SlotMap map_of(const RigMatch& match, const RigFile& rig, std::size_t joint_count, FoundBy by);

}  // namespace animbridge::rig
