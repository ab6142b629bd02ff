// SPDX-License-Identifier: MIT
#pragma once

#include "formats/scene/document.h"

namespace animbridge::scene_child {

/// The width of a camera's picture divided by its height. Documents do not have it, and glTF needs it with
/// the vertical field of view.
inline constexpr double written_aspect = 16.0 / 9.0;

/// The horizontal field of view to write; if it is unknown, that of a 50 mm lens with a 36 mm film.
[[nodiscard]] inline double written_field_degrees(const scene::Camera& camera) {
    constexpr double usual_degrees = 39.6;
    return camera.horizontal_field_degrees > 0 ? camera.horizontal_field_degrees : usual_degrees;
}

}  // namespace animbridge::scene_child
