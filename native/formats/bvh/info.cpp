// SPDX-License-Identifier: MIT
#include "formats/bvh/json.h"

namespace animbridge::bvh {

Json info(const Document& document) {
    return {{"format", "bvh"},
            {"title", "BVH motion"},
            {"frames", document.frame_count},
            {"frame_time_seconds", document.frame_time_seconds},
            {"joint_count", document.joints.size()},
            {"channels", document.channel_count()}};
}

}  // namespace animbridge::bvh
