// SPDX-License-Identifier: MIT
#pragma once

#include <glm/mat4x4.hpp>
#include <numbers>

#include "formats/scene/document.h"

namespace animbridge::scene {

inline constexpr double degrees_per_radian = 180.0 / std::numbers::pi;

struct Decomposed {
    Placement placement{};
    bool shears = false;     ///< the matrix has a shear, which `placement` leaves out
    bool is_finite = true;   ///< false: the matrix is not a transform, and `placement` is the identity
    bool has_volume = true;  ///< false: an axis has no length, and the rotation is a guess
};

/// Splits an affine matrix. A mirror becomes a negative scale of x.
[[nodiscard]] Decomposed decompose(const glm::dmat4& matrix);

[[nodiscard]] glm::dmat4 matrix_of(const Placement& placement);

}  // namespace animbridge::scene
