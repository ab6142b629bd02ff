// SPDX-License-Identifier: MIT
#include "rig/humanoid/parts.h"

#include <algorithm>

namespace animbridge::rig::humanoid {

namespace {

/// Whether the joint moves the part: it is not a helper beside it, nor a second joint in the same place.
bool moves_chain(const SlotMap& map, const RestBody& body, const std::vector<JointRole>& roles,
                 std::size_t joint) {
    return map.slot_of(joint) || (!body.is_at_parent(joint) &&
                                  (roles[joint] == JointRole::none || roles[joint] == JointRole::twist));
}

/// From a joint down to another one, without the latter.
std::vector<std::size_t> joints_down_to(const SlotMap& map, const RestBody& body,
                                        const std::vector<JointRole>& roles, std::size_t first,
                                        std::size_t end) {
    auto joints = body.path(first, end);
    std::erase_if(joints,
                  [&](std::size_t joint) { return joint == end || !moves_chain(map, body, roles, joint); });
    return joints;
}

std::vector<std::size_t> spine_joints(const SlotMap& map, const RestBody& body,
                                      const std::vector<JointRole>& roles) {
    const auto spine = map.joint("spine");
    const auto hips = map.joint("hips");
    for (const std::string_view slot : {"neck", "head"}) {
        const auto top = map.joint(slot);
        if (!top || !spine || !body.is_above(*spine, *top)) {
            continue;
        }
        // A spine may begin below the joint that the convention names so.
        const bool from_hips = hips && body.is_above(*hips, *spine);
        auto joints = joints_down_to(map, body, roles, from_hips ? *hips : *spine, *top);
        std::erase_if(joints, [&](std::size_t joint) { return hips && joint == *hips; });
        return joints;
    }
    return {};
}

std::vector<std::size_t> joints_between_slots(const SlotMap& map, const RestBody& body,
                                              const std::vector<JointRole>& roles, const std::string& slot) {
    const auto index = find_slot(slot);
    const auto first = index ? map.joint(*index) : std::nullopt;
    const auto next = index ? find_slot(humanoid_slots()[*index].toward) : std::nullopt;
    const auto end = slot == "neck" ? map.joint("head") : next ? map.joint(*next) : std::nullopt;
    return first && end && body.is_above(*first, *end) ? joints_down_to(map, body, roles, *first, *end)
                                                       : std::vector<std::size_t>();
}

bool is_of_tail(const NameTokens& name) {
    return std::ranges::find(name.tokens, "tail") != name.tokens.end();
}

/// The first joint named as a tail, and those of one name below it, as long as it does not branch.
std::vector<std::size_t> tail_joints(const SlotMap& map, const RestBody& body, const JointNames& names) {
    std::vector<std::size_t> joints;
    for (std::size_t joint = 0; joint < body.joint_count() && joints.empty(); ++joint) {
        if (is_of_tail(names.tokens[joint]) && !map.slot_of(joint)) {
            joints.push_back(joint);
        }
    }
    while (!joints.empty()) {
        std::vector<std::size_t> next;
        for (const std::size_t child : body.children(joints.back())) {
            if (is_of_tail(names.tokens[child]) && !map.slot_of(child)) {
                next.push_back(child);
            }
        }
        if (next.size() != 1) {
            break;
        }
        joints.push_back(next.front());
    }
    return joints;
}

}  // namespace

std::vector<FoundChain> find_chains(const SlotMap& map, const RestBody& body, const JointNames& names,
                                    const std::vector<JointRole>& roles, const RigMatch* match,
                                    const RigFile* rig) {
    std::vector<FoundChain> chains;
    std::vector<bool> is_taken(body.joint_count());
    const auto add = [&](const std::string& name, std::vector<std::size_t> joints) {
        // A joint moves only one part: Rigify's last spine bone is also its first neck bone.
        std::erase_if(joints, [&](std::size_t joint) { return is_taken[joint]; });
        const bool is_new =
            std::ranges::none_of(chains, [&](const FoundChain& chain) { return chain.name == name; });
        if (joints.size() > 1 && is_new) {
            for (const std::size_t joint : joints) {
                is_taken[joint] = true;
            }
            chains.push_back({name, std::move(joints)});
        }
    };
    add("spine", spine_joints(map, body, roles));
    add("neck", joints_between_slots(map, body, roles, "neck"));
    for (const char* side : {"left", "right"}) {
        for (const char* part : {"Shoulder", "UpperArm", "LowerArm", "UpperLeg", "LowerLeg"}) {
            const std::string slot = std::string(side) + part;
            add(slot, joints_between_slots(map, body, roles, slot));
        }
    }
    for (std::size_t row = 0; match != nullptr && row < rig->chains.size(); ++row) {
        add(rig->chains[row].of, match->chains[row]);
    }
    add("tail", tail_joints(map, body, names));
    return chains;
}

}  // namespace animbridge::rig::humanoid
