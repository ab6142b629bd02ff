// SPDX-License-Identifier: MIT
#pragma once

#include "formats/scene/document.h"

namespace animbridge::scene_child {

/// Width of a camera's picture by its height. Documents do not say it, and glTF wants it with the height's
/// field.
inline constexpr double written_aspect = 16.0 / 9.0;

/// The horizontal field of view that is written; for a camera of which it is unknown, that of a lens of 50 mm
/// before a film of 36 mm.
[[nodiscard]] inline double written_field_degrees(const scene::Camera& camera) {
    constexpr double usual_degrees = 39.6;
    return camera.horizontal_field_degrees > 0 ? camera.horizontal_field_degrees : usual_degrees;
}

}  // namespace animbridge::scene_child
