// SPDX-License-Identifier: MIT
#include "formats/scene/gltf/human.h"

#include <array>
#include <utility>

#include "formats/scene/gltf/json_members.h"

namespace animbridge::scene {

namespace {

struct HumanMap {
    const char* extension;
    const char* format;
};

constexpr std::array human_maps{HumanMap{"VRMC_vrm", "VRM 1.0"}, HumanMap{"VRMC_vrm_animation", "VRMA"},
                                HumanMap{"VRM", "VRM 0.x"}};

const Json& human_bones_in(const Json& json, const char* extension) {
    return member(member(member(member(json, "extensions"), extension), "humanoid"), "humanBones");
}

}  // namespace

std::string human_format_of(const GltfFile& file) {
    for (const HumanMap& map : human_maps) {
        if (!human_bones_in(file.json, map.extension).is_null()) {
            return map.format;
        }
    }
    return {};
}

std::vector<HumanBone> human_bones_of(const GltfFile& file) {
    std::vector<HumanBone> result;
    const auto add = [&](std::string slot, const Json& bone) {
        const auto node = index_in(member(bone, "node"));
        if (node && !slot.empty()) {
            result.push_back({std::move(slot), *node});
        }
    };
    for (const HumanMap& map : human_maps) {
        const Json& bones = human_bones_in(file.json, map.extension);
        if (bones.is_object()) {
            for (const auto& [slot, bone] : bones.items()) {
                add(slot, bone);
            }
        } else if (bones.is_array()) {  // VRM 0.x
            for (const Json& bone : bones) {
                add(text_in(member(bone, "bone")), bone);
            }
        }
        if (!result.empty()) {
            break;
        }
    }
    return result;
}

}  // namespace animbridge::scene
