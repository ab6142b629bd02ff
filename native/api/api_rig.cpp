// SPDX-License-Identifier: MIT
#include "api/handles.h"
#include "api/take_armature.h"
#include "formats/registry.h"

using namespace animbridge;
using api::guarded;
using api::misuse;

namespace {

Json match_json(const rig::Armature& armature, const rig::BoneMap& map) {
    Json matched = Json::array();
    Json unmatched_joints = Json::array();
    for (std::size_t node = 0; node < map.bone_of_node.size(); ++node) {
        const std::string& joint = avatar().nodes[node].name;
        if (const auto bone = map.bone_of_node[node]) {
            matched.push_back({{"joint", joint},
                               {"bone", json_text(armature.bones[*bone].name)},
                               {"by", json_text(map.by[*bone])}});
        } else {
            unmatched_joints.push_back(joint);
        }
    }
    Json unmatched_bones = Json::array();
    for (std::size_t bone = 0; bone < map.node_of_bone.size(); ++bone) {
        if (!map.node_of_bone[bone]) {
            unmatched_bones.push_back(json_text(armature.bones[bone].name));
        }
    }
    return {{"facing", name_of(armature.facing)},
            {"matched", std::move(matched)},
            {"unmatched_joints", std::move(unmatched_joints)},
            {"unmatched_bones", std::move(unmatched_bones)}};
}

}  // namespace

extern "C" {

ab_status ab_rig_map_json(ab_buffer** out, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        if (out == nullptr) {
            return misuse("out is NULL");
        }
        *out = api::new_buffer(std::string(rig::built_in_rig_map_json()));
        return {};
    });
}

ab_status ab_rig_match_json(const ab_armature* armature, ab_buffer** out, ab_error* error) {
    return guarded(error, [&]() -> Result<void> {
        if (out == nullptr) {
            return misuse("out is NULL");
        }
        TRY(const auto rig, api::take_armature(armature));
        return rig::mapped(rig).map([&](const rig::MappedRig& mapped) {
            *out = api::new_json_buffer(match_json(mapped.armature, mapped.map));
        });
    });
}

}  // extern "C"
