// SPDX-License-Identifier: MIT
#include "formats/sl_anim/bvh_loader_names.h"

#include "formats/sl_anim/skeleton.h"

namespace animbridge::sl_anim {

std::optional<std::string_view> bvh_joint_named(std::string_view name) {
    const auto known = find_joint(name);
    if (!known) {
        return std::nullopt;
    }
    const SkeletonJoint& joint = skeleton()[*known];
    const bool is_alias = joint.kind == JointKind::attachment_point && joint.node.name != name;
    return joint.kind == JointKind::bone || is_alias ? std::optional<std::string_view>(joint.node.name)
                                                     : std::nullopt;
}

bool is_known_to_upload(std::string_view name) {
    const auto known = find_joint(name);
    return known && !skeleton()[*known].on_screen;
}

}  // namespace animbridge::sl_anim
