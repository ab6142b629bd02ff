// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <optional>
#include <string>
#include <vector>

namespace animbridge::rig {

/// The source of the reference pose, in which source and target look the same.
enum class ReferenceKind : std::uint8_t {
    automatic,  ///< the pose in the rig file; if it has none, the rest pose
    rest,
    tpose,  ///< the pose in the rig file; if it has none, the rest pose with the hips and spine level, and
            ///< the arms and legs straight
    given,  ///< Reference::local: a frame, or the current pose
};

struct Reference {
    ReferenceKind kind = ReferenceKind::automatic;
    /// Per joint of the skeleton: its local rotation; nullopt: as at rest. Only for ReferenceKind::given.
    std::vector<std::optional<glm::dquat>> local{};
};

/// Factors for the body's path.
struct RootScale {
    double horizontal = 1;
    double vertical = 1;
};

/// A correction of one part: each of its target joints turns by this about its own axes, at all times.
struct SlotOffset {
    std::string slot;
    glm::dquat turn{1, 0, 0, 0};
};

struct RetargetOptions {
    Reference source_reference{};
    Reference target_reference{};
    bool align = true;                      ///< turn the target's reference until it points like the source's
    std::optional<RootScale> root_scale{};  ///< none: by the lengths of the legs
    std::optional<double> source_ground_metres{};  ///< the height of the source's floor; none: measured
    std::optional<double>
        target_ground_metres{};        ///< the height of the target's floor; none: below its reference
    bool in_place = false;             ///< no horizontal path
    bool from_origin = false;          ///< the path begins above the rest position of the target's body
    bool on_ground = false;            ///< the lowest foot of the whole motion touches the target's floor
    bool pin_feet = false;             ///< feet stay in place while the source's feet are on the floor
    std::vector<std::string> slots{};  ///< the parts to retarget; empty: all
    bool only_keyed = false;           ///< parts whose source joints have no keys stay unchanged
    std::vector<SlotOffset> offsets{};
    /// Per joint of the target: the axes of offsets in the joint's frame; empty: the skeleton's at rest.
    std::vector<glm::dquat> target_axes{};
};

}  // namespace animbridge::rig
