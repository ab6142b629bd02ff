// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The roles of a skeleton's joints: the result of finding a rig map, and the input of retargeting.
namespace animbridge::rig {

/// How the joint of a slot was found.
enum class FoundBy : std::uint8_t {
    given,       ///< the caller's rig file, or a map inside the file itself
    convention,  ///< a name of the rig's convention
    name,        ///< a name from elsewhere, in a gap that the convention leaves
    structure,   ///< the joint's place in the tree, confirmed by a name or a side
};

struct FoundSlot {
    std::string slot;  ///< a humanoid slot's name, or a name of the caller's rig file
    std::size_t joint = 0;
    FoundBy by = FoundBy::convention;
    double score = 1;  ///< 0 to 1
};

/// Joints, each below the last, that move one part together: "spine" (above the hips, up to the neck),
/// "neck", "tail", "leftUpperArm" if a rig splits that bone. They include the joints of slots.
struct FoundChain {
    std::string name;
    std::vector<std::size_t> joints;  ///< at least two, top first; not necessarily each other's parents
};

struct MissingSlot {
    std::string slot;
    std::vector<std::size_t> candidates;  ///< the nearest ones, best first
    std::string why;
};

/// What a joint without a slot is for.
enum class JointRole : std::uint8_t { none, twist, helper, leaf, attachment };

struct FoundRig {
    std::string convention;            ///< the rig file's id; "" if no rig file fits
    double score = 0;                  ///< 0 to 1
    std::optional<glm::dvec3> facing;  ///< the horizontal unit vector in which the body faces, clip space
    double height_metres = 0;          ///< of the rest pose, lowest to highest joint
    std::vector<FoundSlot> slots;      ///< in the order of humanoid_slots()
    std::vector<FoundChain> chains;
    std::vector<MissingSlot> missing;
    std::vector<JointRole> roles;       ///< per joint
    std::vector<std::size_t> unmapped;  ///< joints without a slot, a chain or a role
    std::vector<std::string> warnings;  ///< sentences
    /// The names are those of one hand, and none says left or right. Then nothing is found.
    bool is_hand_without_side = false;
    /// Per joint: its local rotation in the rig file's reference pose; nullopt: as at rest. Empty: the file
    /// has none.
    std::vector<std::optional<glm::dquat>> reference_local;

    [[nodiscard]] std::optional<std::size_t> joint_of(std::string_view slot) const {
        for (const FoundSlot& found : slots) {
            if (found.slot == slot) {
                return found.joint;
            }
        }
        return std::nullopt;
    }
    [[nodiscard]] std::vector<std::size_t> joints_of(std::span<const std::string_view> slots_wanted) const {
        std::vector<std::size_t> joints;
        for (const std::string_view slot : slots_wanted) {
            if (const auto joint = joint_of(slot)) {
                joints.push_back(*joint);
            }
        }
        return joints;
    }
};

}  // namespace animbridge::rig
