// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "rig/samples.h"

namespace animbridge::rig {

/// A bone that leaves its rest position, relative to the bone of the nearest mapped joint above.
struct LooseBone {
    std::size_t bone = 0;
    std::optional<std::size_t> ancestor{};  ///< that bone; nullopt: no joint above has a bone
    double most_mm = 0;
};

/// The bones without a joint that carry this one, as far as the motion shows it, in rigs whose parents do not
/// define it (bones without parents that follow others by constraints). Its head stays at its rest position
/// on the first one, the first one's head on the second, and so on up to the ancestor. Empty: the bone moves
/// by itself. A bone with its head at the same position is its control, and does not carry it; nor does one
/// with a matrix that is not a transform. Frames are those of the samples.
[[nodiscard]] std::vector<std::size_t> loose_carriers(const SampleView& samples, const Armature& armature,
                                                      const BoneMap& map, const LooseBone& loose);

}  // namespace animbridge::rig
