// SPDX-License-Identifier: MIT
#include "rig/humanoid/choose_rig.h"

#include <algorithm>
#include <tuple>

namespace animbridge::rig {

namespace {

struct RequiredCount {
    std::size_t listed = 0;  ///< by the rig
    std::size_t found = 0;
};

bool is_required(const RigNames& row) {
    const auto slot = find_slot(row.of);
    return slot && humanoid_slots()[*slot].required;
}

RequiredCount required_of(const RigMatch& match, const RigFile& rig) {
    RequiredCount count;
    for (std::size_t row = 0; row < rig.slots.size(); ++row) {
        if (is_required(rig.slots[row])) {
            ++count.listed;
            count.found += match.slots[row] ? 1 : 0;
        }
    }
    return count;
}

/// What speaks for the rig, in names: each found one counts by how alike it is, less what contradicts it.
void weigh(RigMatch& match, const RigFile& rig, const RestBody& body, std::size_t joint_count, RigUse use) {
    constexpr double chain_joint = 0.5;
    constexpr double missing_required = 2;
    constexpr double misplaced = 2;
    constexpr double other_use = 0.5;
    double quality = 0;
    std::size_t found = 0;
    for (const auto& pair : match.slots) {
        quality += pair ? pair->quality : 0;
        found += pair ? 1 : 0;
    }
    std::size_t chain_joints = 0;
    for (const auto& chain : match.chains) {
        chain_joints += chain.size();
    }
    SlotMap map = map_of(match, rig, joint_count, FoundBy::convention);
    std::size_t kept = found;
    if (!rig.loose) {
        drop_misplaced(map, body);
        kept = 0;
        for (const RigNames& row : rig.slots) {
            const auto slot = find_slot(row.of);
            kept += slot && map.at(*slot) ? 1 : 0;
        }
    }
    const RequiredCount required = required_of(match, rig);
    match.total = quality + chain_joint * static_cast<double>(chain_joints) -
                  missing_required * static_cast<double>(required.listed - required.found) -
                  misplaced * static_cast<double>(found - kept);
    match.total *= rig.use && *rig.use != use && match.total > 0 ? other_use : 1;
    const double share = required.listed == 0
                             ? static_cast<double>(found) / static_cast<double>(rig.slots.size())
                             : static_cast<double>(required.found) / static_cast<double>(required.listed);
    match.score = found == 0 ? 0 : share * quality / static_cast<double>(found);
}

/// Whether enough is found to speak of the convention: 6 of 15 required parts, or most of a hand.
bool is_enough(const RigMatch& match, const RigFile& rig) {
    const RequiredCount required = required_of(match, rig);
    constexpr std::size_t body_parts = 6;
    if (required.listed >= body_parts) {
        return required.found >= body_parts;
    }
    constexpr std::ptrdiff_t hand_parts = 12;
    return std::count_if(match.slots.begin(), match.slots.end(),
                         [](const auto& pair) { return pair.has_value(); }) >= hand_parts;
}

}  // namespace

SlotMap map_of(const RigMatch& match, const RigFile& rig, std::size_t joint_count, FoundBy by) {
    SlotMap map(joint_count);
    for (std::size_t row = 0; row < rig.slots.size(); ++row) {
        const auto slot = find_slot(rig.slots[row].of);
        if (slot && match.slots[row]) {
            map.set(*slot, {match.slots[row]->joint, by, match.slots[row]->quality});
        }
    }
    return map;
}

std::optional<RigMatch> choose_rig(const NameMatches& matches, std::span<const RigFile> rigs,
                                   const RestBody& body, RigUse use) {
    std::optional<RigMatch> best;
    for (std::size_t rig = 0; rig < rigs.size(); ++rig) {
        RigMatch match = matches.match(rig);
        if (!is_enough(match, rigs[rig])) {
            continue;
        }
        weigh(match, rigs[rig], body, body.joint_count(), use);
        const auto place = [&](const RigMatch& each) { return std::tuple(-each.total, rigs[each.rig].rank); };
        if (!best || place(match) < place(*best)) {
            best = std::move(match);
        }
    }
    return best;
}

}  // namespace animbridge::rig
