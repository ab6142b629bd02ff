// SPDX-License-Identifier: MIT
#include "formats/scene/human_rig.h"

#include <utility>

#include "base/json/json.h"
#include "formats/scene/joints.h"

namespace animbridge::scene {

std::string human_rig(const Document& document) {
    if (document.human_bones.empty()) {
        return "";
    }
    const Joints joints = joints_of(document);
    std::vector<std::size_t> joint_of(document.nodes.size());
    for (std::size_t joint = 0; joint < joints.nodes.size(); ++joint) {
        joint_of[joints.nodes[joint]] = joint;
    }
    Json slots = Json::object();
    for (const HumanBone& bone : document.human_bones) {
        // Every body part is a joint.
        slots[bone.slot] = Json::array({json_text(joints.names[joint_of[bone.node]])});
    }
    return print_json(
        {{"animbridge_rig", 1}, {"id", "humanoid"}, {"built_in", true}, {"slots", std::move(slots)}});
}

}  // namespace animbridge::scene
