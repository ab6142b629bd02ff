// SPDX-License-Identifier: MIT
#include "bridges/sl_anim_to_bvh/measure.h"

#include <algorithm>
#include <iterator>

#include "formats/bvh/scene/scene.h"
#include "formats/sl_anim/clip/clip.h"
#include "formats/sl_anim/codes/codes.h"
#include "formats/sl_anim/loader/loader.h"
#include "formats/sl_anim/play/play.h"

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

Result<WorstDifference> measure_frames(const sl_anim::Document& document, const bvh::Document& made,
                                       ByteView written) {
    TRY(const auto motion, sl_anim::read_bvh_as_viewer(written));
    sl_anim::BvhLoad every_frame;
    every_frame.reduce_keys = false;
    TRY(const auto loaded, sl_anim::load_bvh(motion, every_frame));
    TRY(const auto clip, sl_anim::to_clip(document));
    bvh::Document frames;
    frames.frame_time_seconds = made.frame_time_seconds;
    frames.frame_count = made.frame_count - 1;  // the first one is the reference
    constexpr double steps_of_a_jump = 2.0;
    const double jump_seconds =
        steps_of_a_jump * double{document.duration.value()} / double{sl_anim::max_code};
    const float end = std::max(document.duration.value(), 0.0F);  // what is after it never plays
    std::vector<float> times;
    for (const double seconds : bvh::compared_times(frames, clip, jump_seconds).even) {
        times.push_back(std::min(static_cast<float>(seconds), end));
    }
    TRY(auto comparison, sl_anim::compare_at(document, loaded.document, sorted_unique(std::move(times)), {}));
    const std::vector<std::string>& left_out = comparison.only_in_a;
    std::erase_if(comparison.joints, [&](const JointDifference& joint) {
        return std::find(left_out.begin(), left_out.end(), joint.joint) != left_out.end();
    });
    return comparison.worst();
}

Result<Json> measure_upload(const sl_anim::Document& document, ByteView written) {
    TRY(const auto motion, sl_anim::read_bvh_as_viewer(written));
    TRY(const auto loaded, sl_anim::load_bvh(motion, {}));
    return sl_anim::compare(document, loaded.document, Job()).map(comparison_report);
}

}  // namespace animbridge::sl_anim_to_bvh
