// SPDX-License-Identifier: MIT
#include "bridges/sl_anim_to_bvh/measure.h"

#include <algorithm>
#include <iterator>

#include "formats/sl_anim/bvh_loader.h"
#include "formats/sl_anim/compare.h"

namespace animbridge::sl_anim_to_bvh {

namespace {

Json comparison_report(const Comparison& comparison) {
    JointDifference rotated;
    JointDifference moved;
    for (const JointDifference& joint : comparison.joints) {
        if (joint.rotation_degrees > rotated.rotation_degrees) {
            rotated = joint;
        }
        if (joint.position_mm > moved.position_mm) {
            moved = joint;
        }
    }
    Json lost = Json::array();
    std::transform(comparison.only_in_a.begin(), comparison.only_in_a.end(), std::back_inserter(lost),
                   [](const std::string& name) { return json_text(name); });
    return {{"rotation_degrees", rotated.rotation_degrees},
            {"rotation_joint", rotated.joint},
            {"rotation_at_seconds", rotated.rotation_at_seconds},
            {"position_mm", moved.position_mm},
            {"position_joint", moved.joint},
            {"position_at_seconds", moved.position_at_seconds},
            {"joints_lost", std::move(lost)},
            {"times", comparison.times}};
}

}  // namespace

Result<Json> measure_upload(const sl_anim::Document& document, ByteView written) {
    TRY(const auto motion, sl_anim::read_bvh_as_viewer(written));
    TRY(const auto loaded, sl_anim::load_bvh(motion, {}));
    return sl_anim::compare(document, loaded.document, Job()).map(comparison_report);
}

}  // namespace animbridge::sl_anim_to_bvh
