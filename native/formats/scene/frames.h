// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "formats/scene/document.h"
#include "model/clip/clip.h"

/// Converts a file's placements, which may scale and mirror, to rigid transforms of clip space.
namespace animbridge::scene {

/// The rotation that takes the file's `up` to +Z and its `front` to -Y, the side that Blender's front view
/// shows.
[[nodiscard]] glm::dquat turn_of(const Space& space);

/// The space of a node's placement, relative to clip space.
struct Frame {
    double metres_per_unit = 1;   ///< for the node's translation
    glm::dvec3 stretch{1, 1, 1};  ///< an additional scale, along the parent's axes
    bool mirrored = false;        ///< an odd number of ancestors mirror; treated as one mirroring along x
    Transform above{};            ///< the transform of the ancestors that do not move and are not joints

    /// A placement of this frame's node as a rigid transform of its joint's parent.
    [[nodiscard]] Transform place(const Placement& placement) const {
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
    [[nodiscard]] Frame below(const Placement& placement, bool is_joint) const;
};

/// The frame of nodes without a parent.
[[nodiscard]] Frame frame_of_roots(const Space& space);

/// One per node. `space`: that of the file's numbers. `still`: the placement of each node without motion.
[[nodiscard]] std::vector<Frame> frames_of(const Document& document, const Space& space,
                                           const std::vector<Placement>& still,
                                           const std::vector<bool>& is_joint);

/// `local` in the frame of `parent`, both in the same space: inverse(parent) * local. Scales divide.
[[nodiscard]] Placement relative_to(const Placement& parent, const Placement& local);

[[nodiscard]] inline bool mirrors(const glm::dvec3& scale) { return scale.x * scale.y * scale.z < 0.0; }

}  // namespace animbridge::scene
