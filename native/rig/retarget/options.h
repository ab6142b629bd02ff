// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <optional>
#include <string>
#include <vector>

namespace animbridge::rig {

/// Where the posture comes from in which source and target look the same.
enum class ReferenceKind : std::uint8_t {
    automatic,  ///< the pose that the rig file stores; without one, the rest pose
    rest,
    tpose,  ///< the pose that the rig file stores; without one, the rest pose with its hips and spine made
            ///< level, and its arms and legs straight
    given,  ///< Reference::local: a frame, or the current pose
};

struct Reference {
    ReferenceKind kind = ReferenceKind::automatic;
    /// Per joint of the skeleton, its local rotation; nullopt: as at rest. Only for ReferenceKind::given.
    std::vector<std::optional<glm::dquat>> local{};
};

/// Factors of the body's path.
struct RootScale {
    double horizontal = 1;
    double vertical = 1;
};

/// A correction of one part: each of its target joints is turned by this about its own axes, at all times.
struct SlotOffset {
    std::string slot;
    glm::dquat turn{1, 0, 0, 0};
};

struct RetargetOptions {
    Reference source_reference{};
    Reference target_reference{};
    bool align = true;  ///< turn the target's reference until it points as the source's does
    std::optional<RootScale> root_scale{};         ///< none: by the lengths of the legs
    std::optional<double> source_ground_metres{};  ///< the height of the source's floor; none: found
    std::optional<double>
        target_ground_metres{};        ///< the height of the target's floor; none: its reference stands on it
    bool in_place = false;             ///< no horizontal path
    bool from_origin = false;          ///< the path begins above the place where the target's body rests
    bool on_ground = false;            ///< the lowest foot of the whole motion touches the target's floor
    bool pin_feet = false;             ///< feet stay where they are while the source's feet stand
    std::vector<std::string> slots{};  ///< the parts to retarget; empty: all
    bool only_keyed = false;           ///< parts whose source joints have no keys stay as they are
    std::vector<SlotOffset> offsets{};
    /// Per joint of the target, the axes of offsets in the joint's frame; empty: the skeleton's at rest.
    std::vector<glm::dquat> target_axes{};
};

}  // namespace animbridge::rig
