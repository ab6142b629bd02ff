// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "formats/scene/document.h"
#include "formats/scene/joints.h"
#include "model/clip.h"

namespace animbridge::scene {

/// How a scene becomes a clip.
struct ToClip {
    std::optional<std::size_t> animation{};  ///< index; none: the one that moves most
    Space space{};                           ///< usually the document's own
};

/// A scene as a clip, and what was done for that.
struct SceneClip {
    Clip clip;
    Joints joints;                           ///< the clip's nodes, in the scene
    std::optional<std::size_t> animation{};  ///< the index of the animation; none: the scene has none
    double shift_seconds = 0;                ///< what was added to the file's times: clips begin at 0
    std::size_t scaled = 0;                  ///< joints whose size changes, which a clip leaves out
    bool follows_sizes = true;               ///< the places of the joints below them follow from that
    std::size_t stretched = 0;  ///< joints below a scale that differs by axis: their turns are inexact
    std::size_t mirrored = 0;   ///< joints in a mirrored space, which were unmirrored
    double bind_degrees = 0;    ///< the largest difference between bind pose and the nodes' own rest
    std::string bind_joint{};   ///< where that is
    Result<void> part{};        ///< fails where the animation has no such part as the document asks for
};

/// The text of the report about sizes that a clip leaves out; empty: none.
[[nodiscard]] std::string left_out_sizes(const SceneClip& made);

/// The skeleton and one animation in clip space. Joints are at rest in the pose in which the skin was bound,
/// where there is one. Rotations between linear keys get inserted keys where the way is long, so that a clip,
/// which goes straight and normalises, follows the file's arc within 0.002 degrees.
[[nodiscard]] SceneClip to_clip(const Document& document, const ToClip& options);

/// The same without tracks, in the document's own space.
[[nodiscard]] SceneClip skeleton_of(const Document& document);

/// The index of the animation that was chosen; else of the one that moves most joints; of equals the longest,
/// then the first. None: no animations.
[[nodiscard]] std::optional<std::size_t> main_animation(const Document& document);

}  // namespace animbridge::scene
