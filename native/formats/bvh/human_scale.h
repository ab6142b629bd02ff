// SPDX-License-Identifier: MIT
#pragma once

#include "formats/bvh/document.h"
#include "formats/bvh/placement.h"

namespace animbridge::bvh {

/// The height of a file's figure at rest, and the scale at which it is as tall as a human.
struct HumanScale {
    double height = 0.0;  ///< in the file's unit; 0: all joints rest at one point
    double scale = 1.0;   ///< metres per unit of the file
};

/// If the figure is 1 m to 2.5 m tall in metres, centimetres or inches, the scale is exactly that unit's.
/// Otherwise it makes the figure 1.75 m tall, rounded to three digits. `axes` define which way is up. For a
/// figure that rests flat, its longest side is its height. Without a height, the scale is 1.
[[nodiscard]] HumanScale human_scale(const Document& document, const Axes& axes);

/// Whether the joints' names and positions identify hips and legs, so that a human scale makes sense.
[[nodiscard]] bool has_body(const Document& document, const Axes& axes);

}  // namespace animbridge::bvh
