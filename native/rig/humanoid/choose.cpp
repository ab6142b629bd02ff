// SPDX-License-Identifier: MIT
#include "rig/humanoid/humanoid.h"

#include <algorithm>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <iterator>
#include <limits>
#include <tuple>

#include "rig/humanoid/parts.h"

namespace animbridge::rig::humanoid {

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
    return std::ranges::any_of(match.slots, [&](const auto& pair) { return pair && pair->joint == joint; });
}

/// Joints of the rig's chains that have no slot, each once.
std::vector<std::size_t> chain_joints_of(const RigMatch& match) {
    std::vector<std::size_t> joints;
    for (const auto& chain : match.chains) {
        std::ranges::copy_if(chain, std::back_inserter(joints),
                             [&](std::size_t joint) { return !has_slot_joint(match, joint); });
    }
    std::ranges::sort(joints);
    joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
    return joints;
}

/// How many joints from the hips up to the head the rig does not name. The torso is where conventions give
/// the same names to different joints.
std::size_t unknown_in_torso(const SlotMap& map, const std::vector<std::size_t>& chain_joints,
                             const RestBody& body, const JointRoles& roles, const JointNames& names) {
    const auto hips = map.joint("hips");
    const auto head = map.joint("head");
    if (!hips || !head) {
        return 0;
    }
    constexpr std::size_t most = 64;  // no body has more, and chains of thousands would take too long
    std::size_t unknown = 0;
    auto joint = body.parent(*head);
    for (std::size_t i = 0; i < most && joint && *joint != *hips; ++i, joint = body.parent(*joint)) {
        const bool is_known = map.slot_of(*joint) || std::ranges::binary_search(chain_joints, *joint) ||
                              roles.of(names, *joint) != JointRole::none;
        unknown += is_known ? 0 : 1;
    }
    return unknown;
}

/// The evidence for the rig, in names: each found one counts by its similarity, minus contradictions.
void weigh(RigMatch& match, const RigFile& rig, const JointNames& names, const RestBody& body, RigUse use) {
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
        strange = unknown_in_torso(map, chain_joints, body, JointRoles(rig), names);
        drop_misplaced(map, body);
        kept = static_cast<std::size_t>(std::ranges::count_if(rig.slots, [&](const RigNames& row) {
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
    return std::ranges::count_if(match.slots, [](const auto& pair) { return pair.has_value(); }) >=
           hand_parts;
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
                                   const JointNames& names, const RestBody& body, RigUse use) {
    std::optional<RigMatch> best;
    for (std::size_t rig = 0; rig < rigs.size(); ++rig) {
        RigMatch match = matches.match(rig);
        if (!is_enough(match, rigs[rig])) {
            continue;
        }
        weigh(match, rigs[rig], names, body, use);
        const auto place = [&](const RigMatch& each) { return std::tuple(-each.total, rigs[each.rig].rank); };
        if (!best || place(match) < place(*best)) {
            best = std::move(match);
        }
    }
    return best;
}

RestBody::RestBody(const Skeleton& skeleton)
    : heads_(skeleton.nodes.size()),
      parents_(skeleton.nodes.size()),
      children_(skeleton.nodes.size()),
      first_(skeleton.nodes.size()),
      last_(skeleton.nodes.size()),
      at_parent_(skeleton.nodes.size()),
      hands_over_(skeleton.nodes.size()),
      idle_(skeleton.nodes.size()),
      attachment_(skeleton.nodes.size()) {
    place(skeleton);
    number(skeleton);
    measure();
    find_doubles(skeleton);
}

void RestBody::place(const Skeleton& skeleton) {
    std::vector<Transform> world(skeleton.nodes.size());
    for (std::size_t i = 0; i < world.size(); ++i) {
        const Node& node = skeleton.nodes[i];
        world[i] = node.parent ? world[*node.parent] * node.rest_local : node.rest_local;
        heads_[i] = world[i].translation;
        parents_[i] = node.parent;
        idle_[i] = node.is_idle;
        attachment_[i] = node.is_attachment;
        if (node.parent) {
            children_[*node.parent].push_back(i);
        }
    }
}

void RestBody::number(const Skeleton& skeleton) {
    // Children come after their parents, so counts go up the tree in one pass from the end.
    std::vector<std::size_t> carried(heads_.size(), 1);
    for (std::size_t i = heads_.size(); i-- > 0;) {
        if (skeleton.nodes[i].parent) {
            carried[*skeleton.nodes[i].parent] += carried[i];
        }
    }
    std::size_t next_root = 0;
    std::vector<std::size_t> next(heads_.size());
    for (std::size_t i = 0; i < heads_.size(); ++i) {
        std::size_t& at = parents_[i] ? next[*parents_[i]] : next_root;
        first_[i] = at;
        last_[i] = at + carried[i];
        next[i] = at + 1;
        at = last_[i];
    }
}

void RestBody::measure() {
    constexpr double far = std::numeric_limits<double>::infinity();
    glm::dvec3 low(far);
    glm::dvec3 high(-far);
    for (const glm::dvec3& head : heads_) {
        if (is_finite(head)) {
            low = glm::min(low, head);
            high = glm::max(high, head);
        }
    }
    const glm::dvec3 size = glm::max(high - low, glm::dvec3(0));
    height_metres_ = size.z;
    // Relative to the body, for files in any unit: a hundred-thousandth of it is shorter than any bone.
    const double nothing = 1e-5 * std::max({size.x, size.y, size.z});
    for (std::size_t i = 0; i < heads_.size(); ++i) {
        at_parent_[i] = parents_[i] && glm::length(heads_[i] - heads_[*parents_[i]]) <= nothing;
    }
}

void RestBody::find_doubles(const Skeleton& skeleton) {
    for (std::size_t i = 0; i < heads_.size(); ++i) {
        if (children_[i].size() != 1 || !at_parent_[children_[i].front()]) {
            continue;
        }
        const std::size_t child = children_[i].front();
        const std::string& name = skeleton.nodes[child].name;
        // What carries many joints is a face, and what carries it is the head.
        constexpr std::size_t most_on_torso = 8;
        const std::size_t carried = children_[child].size();
        hands_over_[i] = carried == 0 ? skeleton.nodes[i].name.starts_with(name) : carried <= most_on_torso;
    }
}

std::vector<std::size_t> RestBody::path(std::size_t above, std::size_t joint) const {
    std::vector<std::size_t> joints;
    if (!is_above(above, joint)) {
        return joints;
    }
    for (std::size_t at = joint; at != above; at = *parents_[at]) {
        joints.push_back(at);
    }
    joints.push_back(above);
    std::ranges::reverse(joints);
    return joints;
}

}  // namespace animbridge::rig::humanoid
