// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "formats/scene/document.h"
#include "model/clip/clip.h"

namespace animbridge::scene {

/// The options for making a scene from a clip.
struct FromClip {
    std::string animation_name = "Animation";
    double frames_per_second = 30;  ///< the file's; curves get keys where lines would leave them
    bool is_skinned = true;         ///< every joint is a bone of one skin, so that programs make an armature
    bool turns_to_front = true;     ///< a body that faces elsewhere is turned by quarter turns
    bool keeps_kinds = false;       ///< tracks that only jump, or are one cubic spline, become such channels
};

/// The clip as a scene in clip space (up Z, front -Y, metres): a node "Armature" that carries everything, the
/// joints below it, and one animation of linear keys, steps and cubic splines. Bind pose and rest pose are
/// the same. Properties are left out.
[[nodiscard]] Document from_clip(const Clip& clip, const FromClip& options);

/// A scene of from_clip with only straight keys: most programs support no others.
[[nodiscard]] Document with_lines(Document document);

/// A scene of from_clip with its numbers in another space.
[[nodiscard]] Document in_space(Document document, const Space& space);

}  // namespace animbridge::scene
