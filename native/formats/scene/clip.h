// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/base.h"
#include "formats/scene/document.h"
#include "formats/scene/joints.h"
#include "model/clip/clip.h"

namespace animbridge::scene {

/// The options for making a clip from a scene.
struct ToClip {
    std::optional<std::size_t> animation{};  ///< index; none: the one that moves most
    Space space{};                           ///< usually the document's own
};

/// A scene as a clip, and how it was made.
struct SceneClip {
    Clip clip;
    Joints joints;                           ///< the clip's nodes, in the scene
    std::optional<std::size_t> animation{};  ///< the index of the animation; nullopt: the scene has none
    double shift_seconds = 0;                ///< what was added to the file's times: clips begin at 0
    std::size_t scaled = 0;                  ///< joints whose size changes; a clip leaves that out
    bool follows_sizes = true;               ///< the positions of the joints below still follow from it
    std::size_t stretched = 0;  ///< joints below a scale that differs by axis: their rotations are inexact
    std::size_t mirrored = 0;   ///< joints in a mirrored space, whose mirroring was removed
    double bind_degrees = 0;    ///< the largest difference between the bind pose and the nodes' own rest
    std::string bind_joint{};   ///< the joint with that difference
    Result<void> part{};        ///< an error if the animation lacks the part that the document asks for
};

/// The report's text about sizes that a clip leaves out; empty if there are none.
[[nodiscard]] std::string left_out_sizes(const SceneClip& made);

/// The skeleton and one animation in clip space. Joints rest in the bind pose of the skin, if there is one.
/// Rotations between linear keys get inserted keys where the turn is large, so that a clip, which lerps and
/// normalises, follows the file's arc within 0.002 degrees.
[[nodiscard]] SceneClip to_clip(const Document& document, const ToClip& options);

/// Like to_clip, without tracks and in the document's own space.
[[nodiscard]] SceneClip skeleton_of(const Document& document);

/// The index of the chosen animation; else of the one that moves most joints; if equal, the longest, then the
/// first. nullopt: there are no animations.
[[nodiscard]] std::optional<std::size_t> main_animation(const Document& document);

}  // namespace animbridge::scene
