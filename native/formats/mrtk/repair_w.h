// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "formats/mrtk/document.h"
#include "formats/mrtk/loose_curves.h"

/// Restores the W that MRTK 2.6.0 to 2.7.2 lose (docs/mrtk-format.md, "Lost W").
namespace animbridge::mrtk {

/// What was restored, and how the sign of W was chosen.
struct RestoredW {
    std::size_t rotations = 0;
    std::size_t keys = 0;
    std::size_t by_child = 0;       ///< rotations whose +Z points at the next joint, and continuity
    std::size_t by_twin = 0;        ///< the palm near the wrist's rotation, a tip near that of its neighbour
    std::size_t by_continuity = 0;  ///< there was no other evidence
};

/// Gives W a key at every key of X in each rotation that has_lost_w. The size of W follows from the length of
/// 1. `document` is the source of the curves, and must be playable.
RestoredW restore_w(const Document& document, LooseCurves& curves);

}  // namespace animbridge::mrtk
