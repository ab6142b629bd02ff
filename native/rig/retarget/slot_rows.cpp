// SPDX-License-Identifier: MIT
#include "rig/retarget/slot_rows.h"

#include <algorithm>

namespace animbridge::rig {

std::vector<SlotRow> slot_rows() {
    std::vector<SlotRow> rows{{"spine", {"spine", "chest", "upperChest"}}, {"neck", {"neck"}}};
    for (const std::string side : {"left", "right"}) {
        rows.push_back(
            {side + "Thumb", {side + "ThumbMetacarpal", side + "ThumbProximal", side + "ThumbDistal"}});
        for (const std::string finger : {"Index", "Middle", "Ring", "Little"}) {
            const std::string name = side + finger;
            rows.push_back({name, {name + "Proximal", name + "Intermediate", name + "Distal"}});
        }
    }
    return rows;
}

const FoundChain* found_chain_named(const FoundRig& rig, std::string_view name) {
    const auto found = std::find_if(rig.chains.begin(), rig.chains.end(),
                                    [&](const FoundChain& chain) { return chain.name == name; });
    return found == rig.chains.end() || found->joints.empty() ? nullptr : &*found;
}

std::vector<std::size_t> joints_of_row(const FoundRig& rig, const SlotRow& row) {
    if (const FoundChain* chain = found_chain_named(rig, row.name)) {
        return chain->joints;
    }
    std::vector<std::size_t> joints;
    for (const std::string& slot : row.slots) {
        if (const auto joint = rig.joint_of(slot)) {
            joints.push_back(*joint);
        }
    }
    return joints;
}

std::vector<std::size_t> joints_of_slot(const FoundRig& rig, std::string_view slot) {
    if (const FoundChain* chain = found_chain_named(rig, slot)) {
        return chain->joints;
    }
    const auto joint = rig.joint_of(slot);
    return joint ? std::vector<std::size_t>{*joint} : std::vector<std::size_t>{};
}

std::string slot_at(const FoundRig& rig, std::size_t joint) {
    const auto found = std::find_if(rig.slots.begin(), rig.slots.end(),
                                    [&](const FoundSlot& slot) { return slot.joint == joint; });
    return found == rig.slots.end() ? std::string() : found->slot;
}

}  // namespace animbridge::rig
