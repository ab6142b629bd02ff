// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

/// The parts of a humanoid body that rigs name in many ways.
namespace animbridge::rig {

enum class Side : unsigned char { centre, left, right };

/// A part of a body: VRM 1.0's 55 humanoid bones by their names there, and parts that VRM lacks: the root,
/// the fingers' metacarpals, the palm, fingertips, heel and toe tip.
struct Slot {
    std::string_view name;    ///< "leftUpperArm"
    std::string_view parent;  ///< the slot above it: "leftShoulder"; "" for the root
    std::string_view toward;  ///< the slot that it points at: "leftLowerArm"; "" if none is defined
    Side side = Side::centre;
    bool required = false;  ///< one of VRM's 15 required bones
};

/// Parents before children.
[[nodiscard]] std::span<const Slot> humanoid_slots();

/// The index of a slot in humanoid_slots(); nullopt if the name is not a slot.
[[nodiscard]] std::optional<std::size_t> find_slot(std::string_view name);

/// The same part on the other side: "leftHand" for "rightHand"; a central part is its own mirror.
[[nodiscard]] std::size_t mirrored_slot(std::size_t slot);

}  // namespace animbridge::rig
