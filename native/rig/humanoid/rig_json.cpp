// SPDX-License-Identifier: MIT
#include <array>
#include <string_view>

#include "rig/humanoid/find_rig.h"

namespace animbridge::rig {

namespace {

Json joint_names_json(const std::vector<std::size_t>& joints, const Skeleton& skeleton) {
    Json names = Json::array();
    for (const std::size_t joint : joints) {
        names.push_back(json_text(skeleton.nodes[joint].name));
    }
    return names;
}

Json slots_json(const FoundRig& rig, const Skeleton& skeleton) {
    Json slots = Json::object();
    for (const FoundSlot& slot : rig.slots) {
        slots.append_member(slot.slot, {{"joint", json_text(skeleton.nodes[slot.joint].name)},
                                        {"by", name_of(slot.by)},
                                        {"score", slot.score}});
    }
    return slots;
}

}  // namespace

std::string_view name_of(FoundBy by) {
    constexpr std::array<std::string_view, 4> names = {"given", "convention", "name", "structure"};
    return names[static_cast<std::size_t>(by)];
}

Json rig_json(const FoundRig& rig, const Skeleton& skeleton) {
    Json chains = Json::object();
    for (const FoundChain& chain : rig.chains) {
        chains.append_member(chain.name, joint_names_json(chain.joints, skeleton));
    }
    Json missing = Json::array();
    for (const MissingSlot& slot : rig.missing) {
        missing.push_back({{"slot", slot.slot},
                           {"why", slot.why},
                           {"candidates", joint_names_json(slot.candidates, skeleton)}});
    }
    const Json facing =
        rig.facing ? Json::array({rig.facing->x, rig.facing->y, rig.facing->z}) : Json(nullptr);
    return {{"convention", rig.convention.empty() ? Json(nullptr) : json_text(rig.convention)},
            {"score", rig.score},
            {"facing", facing},
            {"height_metres", rig.height_metres},
            {"slots", slots_json(rig, skeleton)},
            {"chains", std::move(chains)},
            {"missing", std::move(missing)},
            {"unmapped", joint_names_json(rig.unmapped, skeleton)},
            {"warnings", Json(rig.warnings)}};
}

}  // namespace animbridge::rig
