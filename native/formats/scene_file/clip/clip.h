// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/base.h"
#include "formats/scene_file/file/file.h"
#include "model/clip/clip.h"

/// A scene file as a clip and back: which nodes are joints, placements that scale and mirror, channels and
/// tracks. The file's own space to clip space; nothing here reads or writes files.
namespace animbridge::scene_file::clip {

// ---- a scene to a clip ----

/// The nodes of a scene that are a clip's joints, in their order.
struct Joints {
    std::vector<std::uint32_t> nodes;  ///< per joint
    std::vector<std::string> names;    ///< per joint: the node's, or another if that is empty or taken
    std::vector<bool> is_joint;        ///< per node
    std::size_t renamed = 0;           ///< how many joints have another name than their node
};

/// The nodes that are a skin's bones, that a file names as body parts, that move, and those between them. If
/// there are none: all nodes except meshes, cameras and lights. A node above joints that neither moves in any
/// animation nor is a skin's bone is not a joint: it places the skeleton.
[[nodiscard]] Joints joints_of(const file::Document& document);

/// The options for making a clip from a scene.
struct ToClip {
    std::optional<std::size_t> animation{};  ///< index; none: the one that moves most
    file::Space space{};                     ///< usually the document's own
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
[[nodiscard]] SceneClip to_clip(const file::Document& document, const ToClip& options);

/// Like to_clip, without tracks and in the document's own space.
[[nodiscard]] SceneClip skeleton_of(const file::Document& document);

/// The index of the chosen animation; else of the one that moves most joints; if equal, the longest, then the
/// first. nullopt: there are no animations.
[[nodiscard]] std::optional<std::size_t> main_animation(const file::Document& document);

/// The text of a rig file (docs/rig-maps.md) with the body parts that the file names; empty if it names none.
[[nodiscard]] std::string human_rig(const file::Document& document);

// ---- a clip to a scene ----

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
[[nodiscard]] file::Document from_clip(const Clip& clip, const FromClip& options);

/// A scene of from_clip with only straight keys: most programs support no others.
[[nodiscard]] file::Document with_lines(file::Document document);

/// A scene of from_clip with its numbers in another space.
[[nodiscard]] file::Document in_space(file::Document document, const file::Space& space);

// ---- placements, which may scale and mirror, as rigid transforms of clip space ----

/// The rotation that takes the file's `up` to +Z and its `front` to -Y, the side that Blender's front view
/// shows.
[[nodiscard]] glm::dquat turn_of(const file::Space& space);

/// The space of a node's placement, relative to clip space.
struct Frame {
    double metres_per_unit = 1;   ///< for the node's translation
    glm::dvec3 stretch{1, 1, 1};  ///< an additional scale, along the parent's axes
    bool mirrored = false;        ///< an odd number of ancestors mirror; treated as one mirroring along x
    Transform above{};            ///< the transform of the ancestors that do not move and are not joints

    /// A placement of this frame's node as a rigid transform of its joint's parent.
    [[nodiscard]] Transform place(const file::Placement& placement) const {
        return {place_rotation(placement.rotation, placement.scale), place_point(placement.translation)};
    }
    [[nodiscard]] glm::dvec3 place_point(const glm::dvec3& translation) const {
        return above.translation + place_direction(translation);
    }
    /// Like place_point, for a difference of translations.
    [[nodiscard]] glm::dvec3 place_direction(const glm::dvec3& difference) const;
    /// Linear in the rotation, which need not have unit length. `scale`: the node's own, for its signs.
    [[nodiscard]] glm::dquat place_rotation(const glm::dquat& rotation, const glm::dvec3& scale) const;

    /// The frame of the node's children. `is_joint`: the node is a joint, so `above` is the identity.
    [[nodiscard]] Frame below(const file::Placement& placement, bool is_joint) const;
};

/// The frame of nodes without a parent.
[[nodiscard]] Frame frame_of_roots(const file::Space& space);

/// One per node. `space`: that of the file's numbers. `still`: the placement of each node without motion.
[[nodiscard]] std::vector<Frame> frames_of(const file::Document& document, const file::Space& space,
                                           const std::vector<file::Placement>& still,
                                           const std::vector<bool>& is_joint);

/// `local` in the frame of `parent`, both in the same space: inverse(parent) * local. Scales divide.
[[nodiscard]] file::Placement relative_to(const file::Placement& parent, const file::Placement& local);

[[nodiscard]] inline bool mirrors(const glm::dvec3& scale) { return scale.x * scale.y * scale.z < 0.0; }

// ---- channels and tracks ----

/// Whether the channel's values differ from each other.
[[nodiscard]] bool varies(const file::Channel& channel);

/// The channel, which must not be of scales, as a track of the clip's node `joint`. `scale`: the node's own.
[[nodiscard]] Track track_of(const file::Channel& channel, const Frame& frame, const glm::dvec3& scale,
                             std::size_t joint, double shift_seconds);

/// The size of a channel's track: the numbers of its keys, including inserted ones.
[[nodiscard]] std::size_t track_bytes(const file::Channel& channel);

/// Whether the track has straight keys at equal steps, ten a second or more: an animator sets fewer. Inserted
/// keys do not count.
[[nodiscard]] bool is_recording(const Track& track);

// A clip's track becomes a channel of the node after the track's: the first node carries all.

/// A track that only jumps and plays as a whole, as a channel of steps; nullopt for any other track.
[[nodiscard]] std::optional<file::Channel> step_channel(const Track& track, double end_seconds);

/// A track of Bezier keys with handles at a third of the segment that plays as a whole, as a cubic spline;
/// nullopt for any other track.
[[nodiscard]] std::optional<file::Channel> spline_channel(const Track& track, double end_seconds);

/// The played part of the track as straight keys, within 0.005 degrees; steps are short slopes. Its curves
/// must already be lines: with_close_lines.
[[nodiscard]] file::Channel line_channel(const Track& track, double frames_per_second, double end_seconds);

/// Replaces smooth curves by lines within 0.005 degrees and 0.02 mm, because errors along a limb add up.
[[nodiscard]] Clip with_close_lines(const Clip& clip, double frames_per_second);

/// A channel of any kind as straight keys.
[[nodiscard]] file::Channel with_lines(const file::Channel& channel, double frames_per_second);

}  // namespace animbridge::scene_file::clip
