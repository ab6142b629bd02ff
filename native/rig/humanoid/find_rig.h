// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "base/base.h"
#include "base/json/json.h"
#include "model/clip/clip.h"
#include "rig/humanoid/found_rig.h"
#include "rig/humanoid/rig_file.h"

namespace animbridge::rig {

/// Which joint is which part of a body. Whole conventions come first, then names in the gaps that the best
/// one leaves, then the joint's place in the tree if a name or a side confirms it. A slot that would be a
/// guess stays empty and is listed as missing; a skeleton that no rig file fits gets no slots.
///
/// `known`: usually built_in_rigs(). `own`: the caller's rig file, whose names take precedence and whose
/// slots may have any names; null: none. `use`: the purpose of the skeleton, for armatures with a set of
/// bones for each purpose. ErrorCode::bad_value: no joint has a name of `own`. Time is about linear in the
/// joints.
[[nodiscard]] Result<FoundRig> find_rig(const Skeleton& skeleton, std::span<const RigFile> known,
                                        const RigFile* own = nullptr, RigUse use = RigUse::source);

/// The report that `animbridge rig --json` prints (docs/rig-maps.md).
[[nodiscard]] Json rig_json(const FoundRig& rig, const Skeleton& skeleton);

/// "given", "convention", "name" or "structure".
[[nodiscard]] std::string_view name_of(FoundBy by);

}  // namespace animbridge::rig
