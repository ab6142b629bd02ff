// SPDX-License-Identifier: MIT
#pragma once

#include <glm/mat4x4.hpp>

#include "formats/scene/document.h"

namespace animbridge::scene_child {

struct Decomposed {
    scene::Placement placement{};
    bool shears = false;     ///< the matrix has a shear, which `placement` leaves out
    bool is_finite = true;   ///< false: `placement` is that of no transform at all
    bool has_volume = true;  ///< false: an axis has no length, and the rotation is a guess
};

/// Takes an affine matrix apart. A mirror becomes a negative scale of x.
[[nodiscard]] Decomposed decompose(const glm::dmat4& matrix);

[[nodiscard]] glm::dmat4 matrix_of(const scene::Placement& placement);

}  // namespace animbridge::scene_child
