// SPDX-License-Identifier: MIT
#include "formats/motion.h"

namespace animbridge {

Result<void> require_room(const PoseArrays& out, std::size_t joints) {
    if (out.joint_capacity < joints) {
        return fail(ErrorCode::invalid_argument, "pose.joint_capacity is " +
                                                     std::to_string(out.joint_capacity) + ", the file has " +
                                                     std::to_string(joints));
    }
    return {};
}

Result<const rig::SceneRig*> require_rig(const rig::SceneRig* rig) {
    if (rig == nullptr) {
        return fail(ErrorCode::invalid_argument, "armature is NULL");
    }
    return rig;
}

Result<void> require_object(const rig::SceneRig* rig, const Format& format) {
    if (rig != nullptr) {
        return fail(ErrorCode::invalid_argument,
                    std::string(format.noun) + " moves one object: found an armature; allowed is NULL");
    }
    return {};
}

}  // namespace animbridge
