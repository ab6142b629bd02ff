// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "rig/samples.h"

namespace animbridge::rig {

/// A bone that leaves its rest position, as seen from the bone of the next joint above.
struct LooseBone {
    std::size_t bone = 0;
    std::optional<std::size_t> ancestor{};  ///< that bone; nullopt: no joint above has a bone
    double most_mm = 0;
};

/// The bones without a joint that carry it, as far as the motion shows, in rigs whose parents do not say so
/// (bones without parents that follow others by constraints): its head stays where it rests on the first
/// one, the first one's head on the second, and so on up to the ancestor. Empty: it moves by itself. A bone
/// with its head at the same place is its control, and carries nothing. Frames as in the samples; a matrix
/// that is not a transform carries nothing either.
[[nodiscard]] std::vector<std::size_t> loose_carriers(const SampleView& samples, const Armature& armature,
                                                      const BoneMap& map, const LooseBone& loose);

}  // namespace animbridge::rig
