// SPDX-License-Identifier: MIT
#include "bridges/sl_anim_to_bvh/bridge.h"

#include <algorithm>

#include "bridges/sl_anim_to_bvh/describe.h"
#include "bridges/sl_anim_to_bvh/measure.h"
#include "bridges/sl_anim_to_bvh/options.h"
#include "bridges/sl_anim_to_bvh/report.h"
#include "formats/bvh/file/file.h"
#include "formats/sl_anim/check/check.h"

namespace animbridge::sl_anim_to_bvh {

namespace {

Error nothing_to_write(const Plan& plan) {
    std::string reason = "no joint of the animation can be in a BVH";
    if (!plan.left_out.empty()) {
        const LeftOut& first = plan.left_out.front();
        reason += "; the first, " + to_utf8(first.joint) + ", is " + std::string(first.reason);
    }
    return Error{ErrorCode::rejected, std::move(reason)};
}

}  // namespace

Result<Converted> convert(const sl_anim::Document& document, const Options& options) {
    TRY_VOID(require_playable(document));
    const sl_anim::Player player(document);
    const Plan plan = plan_joints(player);
    const bool any = std::any_of(plan.joints.begin(), plan.joints.end(),
                                 [](const PlannedJoint& planned) { return planned.keys != nullptr; });
    if (!any) {
        return fail(nothing_to_write(plan));
    }
    TRY(const auto grid, frame_grid(plan, player.duration_seconds(), options.frames_per_second));
    Converted converted;
    converted.document.joints = hierarchy_of(plan, options.aliases);
    Motion motion = build_motion(plan, grid, options.hold_keys, converted.document.joints);
    converted.report =
        report_of(plan, motion, grid, converted.document.joints, lost_of(document, plan, motion));
    converted.document.frame_time_seconds = grid.frame_time_seconds;
    converted.document.frame_count = grid.times_seconds.size() + 1;
    converted.document.motion = std::move(motion.values);
    return converted;
}

namespace {

Result<Made> convert_bytes(const BridgeInput& input) {
    TRY(const auto options, options_from_json(input.options));
    TRY(const auto document, sl_anim::read(input.bytes));
    TRY(auto converted, convert(document, options));
    DocumentPtr made = make_document(std::move(converted.document));
    if (input.edits != Json::object()) {
        TRY(auto edited, made->edited(input.edits).map_error([](Error error) {
            return in_member(std::move(error), "edits");
        }));
        made = std::move(edited.document);
    }
    TRY_VOID(input.job.report(0.5));
    TRY(const Bytes file, made->write());
    TRY(const auto worst, measure_frames(document, *as_bvh(*made), file));
    Json& report = converted.report;
    report["max_position_error_mm"] = worst.position_mm;
    report["max_rotation_error_degrees"] = worst.rotation_degrees;
    report["worst"] = worst_json(worst);
    TRY(auto kept,
        unless_too_far({std::move(made),
                        std::move(report),
                        worst,
                        {"The motion may be too fast for the frames. Give it more of them (command: --fps; "
                         "library: frames_per_second)"}},
                       options.stop, "the animation"));
    TRY(kept.report["after_upload"], measure_upload(document, file));
    return kept;
}

}  // namespace

constinit const Bridge bridge = {
    .from = "sl_anim",
    .to = "bvh",
    .way = "from .anim to BVH",
    .convert = convert_bytes,
    .options = options,
    .describe = describe,
};

}  // namespace animbridge::sl_anim_to_bvh
