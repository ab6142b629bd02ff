// SPDX-License-Identifier: MIT
#include "rig/humanoid/choose_rig.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>
#include <vector>

#include "rig/humanoid/joint_roles.h"
#include "rig/humanoid/slots.h"

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

bool has_slot_joint(const RigMatch& match, std::size_t joint) {
    return std::any_of(match.slots.begin(), match.slots.end(),
                       [&](const auto& pair) { return pair && pair->joint == joint; });
}

/// Joints of the rig's chains that have no slot, each once.
std::vector<std::size_t> chain_joints_of(const RigMatch& match) {
    std::vector<std::size_t> joints;
    for (const auto& chain : match.chains) {
        std::copy_if(chain.begin(), chain.end(), std::back_inserter(joints),
                     [&](std::size_t joint) { return !has_slot_joint(match, joint); });
    }
    std::sort(joints.begin(), joints.end());
    joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
    return joints;
}

/// How many joints from the hips up to the head the rig does not name. The torso is where conventions give
/// the same names to different joints.
std::size_t unknown_in_torso(const SlotMap& map, const std::vector<std::size_t>& chain_joints,
                             const RestBody& body, const JointRoles& roles, const Skeleton& skeleton) {
    const auto hips = map.joint("hips");
    const auto head = map.joint("head");
    if (!hips || !head) {
        return 0;
    }
    constexpr std::size_t most = 64;  // no body has more, and chains of thousands would take too long
    std::size_t unknown = 0;
    auto joint = body.parent(*head);
    for (std::size_t i = 0; i < most && joint && *joint != *hips; ++i, joint = body.parent(*joint)) {
        const bool is_known = map.slot_of(*joint) ||
                              std::binary_search(chain_joints.begin(), chain_joints.end(), *joint) ||
                              roles.of(skeleton.nodes[*joint].name) != JointRole::none;
        unknown += is_known ? 0 : 1;
    }
    return unknown;
}

/// The evidence for the rig, in names: each found one counts by its similarity, minus contradictions.
void weigh(RigMatch& match, const RigFile& rig, const Skeleton& skeleton, const RestBody& body, RigUse use) {
    constexpr double chain_joint = 0.5;
    constexpr double missing_required = 2;
    constexpr double misplaced = 2;
    constexpr double unknown = 1.5;
    constexpr double other_use = 0.5;
    double quality = 0;
    std::size_t found = 0;
    for (const auto& pair : match.slots) {
        quality += pair ? pair->quality : 0;
        found += pair ? 1 : 0;
    }
    SlotMap map = map_of(match, rig, body.joint_count(), FoundBy::convention);
    const auto chain_joints = chain_joints_of(match);
    std::size_t strange = 0;
    std::size_t kept = found;
    if (!rig.loose) {
        strange = unknown_in_torso(map, chain_joints, body, JointRoles(rig), skeleton);
        drop_misplaced(map, body);
        kept = static_cast<std::size_t>(
            std::count_if(rig.slots.begin(), rig.slots.end(), [&](const RigNames& row) {
                const auto slot = find_slot(row.of);
                return slot && map.at(*slot);
            }));
    }
    const RequiredCount required = required_of(match, rig);
    match.total = quality + chain_joint * static_cast<double>(chain_joints.size()) -
                  missing_required * static_cast<double>(required.listed - required.found) -
                  misplaced * static_cast<double>(found - kept) - unknown * static_cast<double>(strange);
    match.total *= rig.use && *rig.use != use && match.total > 0 ? other_use : 1;
    const double share = required.listed == 0
                             ? static_cast<double>(found) / static_cast<double>(rig.slots.size())
                             : static_cast<double>(required.found) / static_cast<double>(required.listed);
    match.score = found == 0 ? 0 : share * quality / static_cast<double>(found);
}

}  // namespace

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
                                   const Skeleton& skeleton, const RestBody& body, RigUse use) {
    std::optional<RigMatch> best;
    for (std::size_t rig = 0; rig < rigs.size(); ++rig) {
        RigMatch match = matches.match(rig);
        if (!is_enough(match, rigs[rig])) {
            continue;
        }
        weigh(match, rigs[rig], skeleton, body, use);
        const auto place = [&](const RigMatch& each) { return std::tuple(-each.total, rigs[each.rig].rank); };
        if (!best || place(match) < place(*best)) {
            best = std::move(match);
        }
    }
    return best;
}

}  // namespace animbridge::rig
