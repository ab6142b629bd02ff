// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "rig/humanoid/found_rig.h"

namespace animbridge::rig {

/// Slots that form one bending row. Rigs differ in the number of joints in it.
struct SlotRow {
    std::string name;
    std::vector<std::string> slots;
};

[[nodiscard]] std::vector<SlotRow> slot_rows();

/// The rig's chain of that name, with at least one joint; null: none.
[[nodiscard]] const FoundChain* found_chain_named(const FoundRig& rig, std::string_view name);

/// The joints of a row: its chain if the rig has one, else its slots.
[[nodiscard]] std::vector<std::size_t> joints_of_row(const FoundRig& rig, const SlotRow& row);

/// The joints of one slot: several if the rig splits the bone.
[[nodiscard]] std::vector<std::size_t> joints_of_slot(const FoundRig& rig, std::string_view slot);

/// The name of the joint's slot; "" if it has none.
[[nodiscard]] std::string slot_at(const FoundRig& rig, std::size_t joint);

}  // namespace animbridge::rig
