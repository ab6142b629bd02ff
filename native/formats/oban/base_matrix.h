// SPDX-License-Identifier: MIT
#pragma once

#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <optional>
#include <span>

#include "base/result.h"
#include "formats/oban/axes.h"

/// What in an object's matrices never changes, and so is Base, and what turns.
namespace animbridge::oban {

/// Scale and shear that change by less than this part of themselves count as constant: 1 mm on 10 m, and a
/// hundred times what single precision makes of an object below a few parents.
inline constexpr double constant_tolerance = 1e-4;
/// A base that is at most so far off is what was meant: ten times the same noise.
inline constexpr double same_base_tolerance = 1e-5;

/// The Base of A(f), frame by frame, in the file's space. The linear part alone is looked at, so that places
/// far out do no harm. `known`, what Base was before, stays, translation and all, while its scale, shear and
/// mirroring are within same_base_tolerance. A new one is symmetric (a polar decomposition's), clean where it
/// is within that of a diagonal, of 1 or of a round number, mirrors along X, and has no translation.
/// ErrorCode::bad_value names the frame: a matrix that is no number or flat, and whose scale, shear or
/// mirroring is not the first one's.
[[nodiscard]] Result<Affine> constant_base(std::span<const Affine> frames,
                                           const std::optional<Affine>& known);

/// The rotation R next to A = T R Base.
[[nodiscard]] glm::dquat rotation_before(const glm::dmat3& linear, const glm::dmat3& base_inverse);

}  // namespace animbridge::oban
