// SPDX-License-Identifier: MIT
#include "rig/humanoid/missing_slots.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace animbridge::rig {

namespace {

bool is_finger(const Slot& slot) {
    constexpr std::array<std::string_view, 5> fingers = {"Thumb", "Index", "Middle", "Ring", "Little"};
    return std::any_of(fingers.begin(), fingers.end(), [&](std::string_view finger) {
        return slot.name.find(finger) != std::string_view::npos;
    });
}

bool has_fingers(const SlotMap& map, Side side) {
    for (std::size_t slot = 0; slot < humanoid_slots().size(); ++slot) {
        const Slot& what = humanoid_slots()[slot];
        if (what.side == side && is_finger(what) && map.at(slot)) {
            return true;
        }
    }
    return false;
}

/// Tips, palms, roots, eyes and jaws are optional, and never reported as missing.
bool is_extra(const Slot& slot) {
    return slot.name == "root" || slot.name == "jaw" || slot.name.ends_with("Eye") ||
           slot.name.ends_with("Tip") || slot.name.ends_with("Palm") || slot.name.ends_with("Heel") ||
           (slot.name.ends_with("Metacarpal") && slot.name.find("Thumb") == std::string_view::npos);
}

/// Whether each slot is reported if it is missing.
std::vector<bool> wanted_slots(const SlotMap& map, const RigFile* rig) {
    std::vector<bool> wanted(humanoid_slots().size());
    bool is_body = rig == nullptr;
    for (const RigNames& row : rig != nullptr ? rig->slots : std::vector<RigNames>()) {
        if (const auto slot = find_slot(row.of)) {
            const Slot& what = humanoid_slots()[*slot];
            is_body = is_body || row.of == "hips";
            wanted[*slot] = !is_extra(what) && (!is_finger(what) || has_fingers(map, what.side));
        }
    }
    for (std::size_t slot = 0; slot < wanted.size(); ++slot) {
        wanted[slot] = wanted[slot] || (is_body && humanoid_slots()[slot].required);
    }
    return wanted;
}

constexpr std::size_t most_candidates = 3;

/// For each slot, a few joints without a slot whose names may mean it.
std::vector<std::vector<std::size_t>> by_meaning(const SlotMap& map, const RestBody& body,
                                                 const NameMeanings& meanings) {
    std::vector<std::vector<std::size_t>> joints(humanoid_slots().size());
    constexpr std::size_t most_joints = 4096;  // beyond this, a list of candidates is useless
    for (std::size_t joint = 0; joint < std::min(body.joint_count(), most_joints); ++joint) {
        if (map.slot_of(joint)) {
            continue;
        }
        for (const std::size_t slot : meanings.of(joint)) {
            if (joints[slot].size() < most_candidates) {
                joints[slot].push_back(joint);
            }
        }
    }
    return joints;
}

void add_children_of_above(std::vector<std::size_t>& candidates, const SlotMap& map, const RestBody& body,
                           const JointNames& names, std::size_t slot) {
    const auto above = map.slot_above(slot);
    if (!above) {
        return;
    }
    const auto& children = body.children(*map.joint(*above));
    for (std::size_t i = 0; i < children.size() && candidates.size() < most_candidates; ++i) {
        const std::size_t child = children[i];
        const bool is_new = std::find(candidates.begin(), candidates.end(), child) == candidates.end();
        if (is_new && !map.slot_of(child) && names.sides[child] == humanoid_slots()[slot].side) {
            candidates.push_back(child);
        }
    }
}

}  // namespace

std::vector<MissingSlot> missing_slots(const SlotMap& map, const RestBody& body, const JointNames& names,
                                       const NameMeanings& meanings, const RigFile* rig) {
    const auto wanted = wanted_slots(map, rig);
    auto candidates = by_meaning(map, body, meanings);
    std::vector<MissingSlot> missing;
    for (std::size_t slot = 0; slot < wanted.size(); ++slot) {
        if (!wanted[slot] || map.at(slot)) {
            continue;
        }
        add_children_of_above(candidates[slot], map, body, names, slot);
        const std::string& why = map.why(slot);
        missing.push_back({std::string(humanoid_slots()[slot].name), candidates[slot],
                           !why.empty()     ? why
                           : rig == nullptr ? "the joints' names fit no known rig"
                                            : "no joint has a name that stands for this part alone"});
    }
    return missing;
}

}  // namespace animbridge::rig
