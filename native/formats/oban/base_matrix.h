// SPDX-License-Identifier: MIT
#pragma once

#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <optional>
#include <span>

#include "base/result.h"
#include "formats/oban/axes.h"

/// Splits an object's matrices into a constant part, which becomes Base, and a rotation.
namespace animbridge::oban {

/// Scale and shear are constant if they change by a smaller fraction than this: 1 mm on 10 m, and a hundred
/// times the float noise of an object below a few parents.
inline constexpr double constant_tolerance = 1e-4;
/// A Base within this tolerance is considered equal: ten times the same noise.
inline constexpr double same_base_tolerance = 1e-5;

/// The Base of A(f), from one matrix per frame in the file's space. Only the linear parts matter, so
/// positions far from the origin do no harm.
///
/// `template_base` is Base before this export. It stays, including its translation, while scale, shear and
/// mirroring are within same_base_tolerance. A new Base is symmetric (from a polar decomposition) and has no
/// translation. Within the same tolerance it becomes diagonal, and its scale 1 or a round number. It mirrors
/// along X.
///
/// ErrorCode::bad_value names the frame whose matrix is not finite or is flat, or whose scale, shear or
/// mirroring differs from the first frame's.
[[nodiscard]] Result<Affine> constant_base(std::span<const Affine> frames,
                                           const std::optional<Affine>& template_base);

/// The rotation R in A = T R Base.
[[nodiscard]] glm::dquat rotation_before(const glm::dmat3& linear, const glm::dmat3& base_inverse);

}  // namespace animbridge::oban
