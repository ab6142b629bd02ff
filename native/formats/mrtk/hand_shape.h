// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "formats/mrtk/names.h"
#include "model/skeleton.h"

/// The hierarchy of a hand's joints, and a hand for recordings that have no pose to rest in.
namespace animbridge::mrtk {

/// The joint above, as in OpenXR (docs/mrtk-format.md, "Joints"). nullopt for the wrist and for None.
[[nodiscard]] std::optional<std::size_t> parent_of(std::size_t joint);

/// The joint that a joint's bone points to; for the wrist, the knuckle of the middle finger. nullopt for
/// tips, the palm and None.
[[nodiscard]] std::optional<std::size_t> next_of(std::size_t joint);

/// The length of a bone in metres if nothing else defines it: for a tip, or a joint without a next one.
inline constexpr double tip_length = 0.012;

/// A flat hand of an adult, by joint, in clip space with the wrist at the origin: the palm faces -Z, the
/// fingers point along +Y. As in recordings, each joint's +Y points to the fingertip, and its +Z out of the
/// back of the hand. The joint None is not part of it and stays at the origin.
///
/// Lengths of the bones: A. Buryanov and V. Kotiuk, "Proportions of Hand Segments", International Journal of
/// Morphology 28(3), 2010.
[[nodiscard]] std::array<Transform, joint_count> flat_hand(std::size_t hand);

}  // namespace animbridge::mrtk
