// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "formats/mrtk/loose_curves.h"

/// Repairs of rotations other than the lost W.
namespace animbridge::mrtk {

struct ContinuedSigns {
    std::size_t keys = 0;       ///< keys whose quaternion was negated
    std::size_t rotations = 0;  ///< rotations that have such keys
    std::size_t skipped = 0;    ///< rotations whose four curves have different key times
};
/// Negates each quaternion that points away from the one before it, with its tangents.
ContinuedSigns continue_signs(LooseCurves& curves);

/// Makes each zero quaternion the identity: W becomes 1. Returns the number of keys. Rotations whose four
/// curves have different key times stay.
std::size_t repair_zero_rotations(LooseCurves& curves);

}  // namespace animbridge::mrtk
