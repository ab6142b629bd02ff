// SPDX-License-Identifier: MIT
#include "formats/sl_anim/check.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text_table.h"
#include "formats/sl_anim/checker.h"
#include "formats/sl_anim/emote.h"
#include "formats/sl_anim/rules.h"
#include "formats/sl_anim/skeleton.h"
#include "formats/sl_anim/upload.h"

namespace animbridge::sl_anim {

namespace {

/// With the digits that distinguish it from a limit.
std::string number(float value) { return six_digits(double{value}); }

void check_emote(const Document& document, const CheckOptions& options, FindingList& findings) {
    constexpr std::int64_t emote_offset = 12;
    if (!options.asset_id.empty() && document.emote_name == options.asset_id) {
        findings.add(rule::emote_starts_itself, document.emote_name, {}, -1, emote_offset);
        return;
    }
    switch (emote_of(document.emote_name)) {
        case Emote::closed_mouth:
            findings.add(rule::emote_closed_mouth, document.emote_name, {}, -1, emote_offset);
            break;
        case Emote::unknown:
            findings.add(rule::emote_unknown, document.emote_name, {}, -1, emote_offset);
            break;
        case Emote::none:
        case Emote::known:
            break;
    }
}

}  // namespace

std::vector<JointPlace> joint_places(const Document& document) {
    std::vector<JointPlace> places;
    places.reserve(document.joints.size());
    std::size_t offset = header_bytes + document.emote_name.size();
    for (const Joint& joint : document.joints) {
        places.push_back({static_cast<std::int64_t>(offset), find_joint(joint.name)});
        offset += record_bytes(joint, document.version);
    }
    return places;
}

void check_header(const Document& document, const CheckOptions& options, FindingList& findings) {
    const auto behind_emote = static_cast<std::int64_t>(13 + document.emote_name.size());
    const float duration = document.duration.value();
    if (document.base_priority < -1) {
        findings.add(rule::base_priority_too_low, std::to_string(document.base_priority), {}, -1, 4);
    } else if (document.base_priority > 6) {
        findings.add(rule::base_priority_clamped, std::to_string(document.base_priority), {}, -1, 4);
    }
    if (!document.duration.is_finite()) {
        findings.add(rule::duration_not_finite, number(duration), {}, -1, 8);
    } else if (duration > max_duration_seconds) {
        findings.add(rule::duration_too_long, number(duration) + " s", {}, -1, 8);
    }
    check_emote(document, options, findings);
    const auto require_finite = [&](RawFloat value, std::string_view id, std::int64_t offset) {
        if (!value.is_finite()) {
            findings.add(id, number(value.value()), {}, -1, behind_emote + offset);
        }
    };
    require_finite(document.loop_in_point, rule::loop_point_not_finite, 0);
    require_finite(document.loop_out_point, rule::loop_point_not_finite, 4);
    constexpr std::array<std::string_view, 2> never_looped = {"ca1baf4d-0a18-5a1f-0330-e4bd1e71f09e",
                                                              "6a9a173b-61fa-3ad5-01fa-a851cfc5f66a"};
    if (document.loop != 0 &&
        std::find(never_looped.begin(), never_looped.end(), options.asset_id) != never_looped.end()) {
        findings.add(rule::loop_forced_off, "loop " + std::to_string(document.loop), {}, -1,
                     behind_emote + 8);
    }
    require_finite(document.ease_in_duration, rule::ease_not_finite, 12);
    require_finite(document.ease_out_duration, rule::ease_not_finite, 16);
    if (document.hand_pose > 14) {
        findings.add(rule::hand_pose_unknown, std::to_string(document.hand_pose), {}, -1, behind_emote + 20);
    } else if (document.hand_pose == 14) {
        findings.add(rule::hand_pose_ignored, "14", {}, -1, behind_emote + 20);
    }
    if (document.joints.empty() || document.joints.size() > max_joints) {
        findings.add(rule::joint_count_out_of_range, std::to_string(document.joints.size()), {}, -1,
                     behind_emote + 24);
    }
}

void check_timing(const Document& document, FindingList& findings) {
    const float duration = document.duration.value();
    const float loop_in = document.loop_in_point.value();
    const float loop_out = document.loop_out_point.value();
    if (duration < 0.0F) {
        findings.add(rule::duration_negative, number(duration) + " s", {}, -1, 8);
    }
    if (document.loop != 0) {
        const std::string points = "in " + number(loop_in) + " s, out " + number(loop_out) + " s, duration " +
                                   number(duration) + " s";
        if (loop_in > loop_out) {
            findings.add(rule::loop_points_out_of_order, points);
        }
        const bool overruns =
            loop_out > duration || (loop_in > loop_out && loop_in + (loop_in - loop_out) > duration);
        if (overruns && duration != 0.0F) {
            findings.add(rule::loop_stops_itself, points);
        }
    }
    const float eases = document.ease_in_duration.value() + document.ease_out_duration.value();
    if (document.loop == 0 && duration >= 0.0F && std::isfinite(eases) && eases > duration) {
        findings.add(rule::ease_longer_than_duration, number(eases) + " s of " + number(duration) + " s");
    }
    const auto at_base = [](const Joint& joint) { return joint.priority == -1; };
    const bool any_at_base = std::any_of(document.joints.begin(), document.joints.end(), at_base);
    if (document.base_priority == -1 &&
        std::all_of(document.joints.begin(), document.joints.end(), at_base)) {
        findings.add(rule::motion_without_priority, "-1 everywhere", {}, -1, 4);
    }
    const bool shows_base =
        std::any_of(document.joints.begin(), document.joints.end(),
                    [&](const Joint& joint) { return joint.priority == document.base_priority; });
    if (!any_at_base && !shows_base && !document.joints.empty()) {
        findings.add(rule::base_priority_hidden, std::to_string(document.base_priority), {}, -1, 4);
    }
}

std::vector<Finding> check(const Document& document, const CheckOptions& options) {
    FindingList findings(rules(), options.level);
    const std::vector<JointPlace> places = joint_places(document);
    check_header(document, options, findings);
    check_joints(document, places, findings);
    check_constraints(document, places, findings);
    check_timing(document, findings);
    if (options.level >= CheckLevel::upload) {
        check_storing(document, findings);
        if (!findings.any_rejected(CheckLevel::playback)) {
            check_stored_size(document, findings);
        }
    }
    return findings.take();
}

}  // namespace animbridge::sl_anim
