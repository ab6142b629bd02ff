// SPDX-License-Identifier: MIT
#include "convert/sl_to_bvh.h"

#include <algorithm>

#include "convert/bvh_document.h"
#include "convert/sl_limits.h"
#include "convert/sl_to_bvh_measure.h"
#include "convert/sl_to_bvh_report.h"

namespace animbridge::sl_to_bvh {

namespace {

/// Slower ones give frame times that are of no use, faster ones more frames than are written.
constexpr double slowest = 0.01;
constexpr double fastest = 100000.0;

Result<double> rate_from_json(const Json& value) {
    const double rate = value.is_number() ? value.get<double>() : 0.0;
    if (!(rate >= slowest && rate <= fastest)) {
        return json_fail("frames_per_second", value, "0.01 to 100000");
    }
    return rate;
}

Result<bool> aliases_from_json(const Json& value) {
    if (value != "joints" && value != "aliases") {
        return json_fail("names", value, "\"joints\" or \"aliases\"");
    }
    return value == "aliases";
}

Error nothing_to_write(const Plan& plan) {
    std::string reason = "no joint of the animation can be in a BVH";
    if (!plan.left_out.empty()) {
        const LeftOut& first = plan.left_out.front();
        reason += "; the first, " + to_utf8(first.joint) + ", is " + std::string(first.reason);
    }
    return Error{ErrorCode::rejected, std::move(reason)};
}

}  // namespace

Result<Options> options_from_json(const Json& json) {
    Options options;
    for (const auto& [name, value] : json.items()) {
        if (name == "frames_per_second") {
            const auto rate = rate_from_json(value);
            if (!rate) {
                return tl::unexpected<Error>(rate.error());
            }
            options.frames_per_second = *rate;
        } else if (name == "names") {
            const auto aliases = aliases_from_json(value);
            if (!aliases) {
                return tl::unexpected<Error>(aliases.error());
            }
            options.aliases = *aliases;
        } else if (name == "hold_keys") {
            if (!value.is_boolean()) {
                return json_fail(name, value, "true or false");
            }
            options.hold_keys = value.get<bool>();
        } else {
            return fail_at_option(name, "frames_per_second, names, hold_keys");
        }
    }
    return options;
}

Result<Converted> convert(const sl_anim::Document& document, const Options& options) {
    if (auto playable = require_playable(document); !playable) {
        return tl::unexpected<Error>(std::move(playable.error()));
    }
    const sl_anim::Player player(document);
    const Plan plan = plan_joints(player);
    const bool any = std::any_of(plan.joints.begin(), plan.joints.end(),
                                 [](const PlannedJoint& planned) { return planned.keys != nullptr; });
    if (!any) {
        return tl::unexpected<Error>(nothing_to_write(plan));
    }
    const auto grid = frame_grid(plan, player.duration_seconds(), options.frames_per_second);
    if (!grid) {
        return tl::unexpected<Error>(grid.error());
    }
    Converted converted;
    converted.document.joints = hierarchy_of(plan, options.aliases);
    Motion motion = build_motion(plan, *grid, options.hold_keys, converted.document.joints);
    converted.report =
        report_of(plan, motion, *grid, converted.document.joints, lost_of(document, plan, motion));
    converted.document.frame_time_seconds = grid->frame_time_seconds;
    converted.document.frame_count = grid->times_seconds.size() + 1;
    converted.document.motion = std::move(motion.values);
    return converted;
}

Result<Bridged> bridge(const BridgeInput& input) {
    const auto options = options_from_json(input.options);
    if (!options) {
        return tl::unexpected<Error>(in_request(options.error()));
    }
    const auto document = sl_anim::read(input.bytes);
    if (!document) {
        return tl::unexpected<Error>(document.error());
    }
    auto converted = convert(*document, *options);
    if (!converted) {
        return tl::unexpected<Error>(std::move(converted.error()));
    }
    DocumentPtr made = make_document(std::move(converted->document));
    if (input.edits != Json::object()) {
        auto edited = made->edited(input.edits);
        if (!edited) {
            return tl::unexpected<Error>(in_request(std::move(edited.error())));
        }
        made = std::move(*edited);
    }
    auto measured = measure_upload(*document, made->write());
    if (!measured) {
        return tl::unexpected<Error>(std::move(measured.error()));
    }
    converted->report["after_upload"] = std::move(*measured);
    return Bridged{std::move(made), std::move(converted->report)};
}

}  // namespace animbridge::sl_to_bvh
