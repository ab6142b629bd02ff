// SPDX-License-Identifier: MIT
#include "formats/sl_anim/check/check.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/options/options.h"
#include "formats/sl_anim/avatar/avatar.h"
#include "formats/sl_anim/check/checker.h"
#include "formats/sl_anim/check/content.h"
#include "formats/sl_anim/check/rules.h"

namespace animbridge::sl_anim::check {

namespace {

/// With the digits that distinguish it from a limit.
std::string number(float value) { return six_digits(double{value}); }

void check_emote(const file::Document& document, const CheckOptions& options, FindingList& findings) {
    constexpr std::int64_t emote_offset = 12;
    if (!options.asset_id.empty() && document.emote_name == options.asset_id) {
        findings.add(rule("emote_starts_itself"), document.emote_name, {}, -1, emote_offset);
        return;
    }
    switch (avatar::emote_of(document.emote_name)) {
        case avatar::Emote::closed_mouth:
            findings.add(rule("emote_closed_mouth"), document.emote_name, {}, -1, emote_offset);
            break;
        case avatar::Emote::unknown:
            findings.add(rule("emote_unknown"), document.emote_name, {}, -1, emote_offset);
            break;
        case avatar::Emote::none:
        case avatar::Emote::known:
            break;
    }
}

}  // namespace

std::vector<JointPlace> joint_places(const file::Document& document) {
    std::vector<JointPlace> places;
    places.reserve(document.joints.size());
    std::size_t offset = file::header_bytes + document.emote_name.size();
    for (const file::Joint& joint : document.joints) {
        places.push_back({static_cast<std::int64_t>(offset), avatar::find_joint(joint.name)});
        offset += file::record_bytes(joint, document.version);
    }
    return places;
}

void check_header(const file::Document& document, const CheckOptions& options, FindingList& findings) {
    const auto behind_emote = static_cast<std::int64_t>(13 + document.emote_name.size());
    const float duration = document.duration.value();
    if (document.base_priority < -1) {
        findings.add(rule("base_priority_too_low"), std::to_string(document.base_priority), {}, -1, 4);
    } else if (document.base_priority > 6) {
        findings.add(rule("base_priority_clamped"), std::to_string(document.base_priority), {}, -1, 4);
    }
    if (!document.duration.is_finite()) {
        findings.add(rule("duration_not_finite"), number(duration), {}, -1, 8);
    } else if (duration > max_duration_seconds) {
        findings.add(rule("duration_too_long"), number(duration) + " s", {}, -1, 8);
    }
    check_emote(document, options, findings);
    const auto require_finite = [&](RawFloat value, std::string_view id, std::int64_t offset) {
        if (!value.is_finite()) {
            findings.add(id, number(value.value()), {}, -1, behind_emote + offset);
        }
    };
    require_finite(document.loop_in_point, rule("loop_point_not_finite"), 0);
    require_finite(document.loop_out_point, rule("loop_point_not_finite"), 4);
    constexpr std::array<std::string_view, 2> never_looped = {"ca1baf4d-0a18-5a1f-0330-e4bd1e71f09e",
                                                              "6a9a173b-61fa-3ad5-01fa-a851cfc5f66a"};
    if (document.loop != 0 && std::ranges::find(never_looped, options.asset_id) != never_looped.end()) {
        findings.add(rule("loop_forced_off"), "loop " + std::to_string(document.loop), {}, -1,
                     behind_emote + 8);
    }
    require_finite(document.ease_in_duration, rule("ease_not_finite"), 12);
    require_finite(document.ease_out_duration, rule("ease_not_finite"), 16);
    if (document.hand_pose > 14) {
        findings.add(rule("hand_pose_unknown"), std::to_string(document.hand_pose), {}, -1,
                     behind_emote + 20);
    } else if (document.hand_pose == 14) {
        findings.add(rule("hand_pose_ignored"), "14", {}, -1, behind_emote + 20);
    }
    if (document.joints.empty() || document.joints.size() > max_joints) {
        findings.add(rule("joint_count_out_of_range"), std::to_string(document.joints.size()), {}, -1,
                     behind_emote + 24);
    }
}

void check_timing(const file::Document& document, FindingList& findings) {
    const float duration = document.duration.value();
    const float loop_in = document.loop_in_point.value();
    const float loop_out = document.loop_out_point.value();
    if (duration < 0.0F) {
        findings.add(rule("duration_negative"), number(duration) + " s", {}, -1, 8);
    }
    if (document.loop != 0) {
        const std::string points = "in " + number(loop_in) + " s, out " + number(loop_out) + " s, duration " +
                                   number(duration) + " s";
        if (loop_in > loop_out) {
            findings.add(rule("loop_points_out_of_order"), points);
        }
        const bool overruns =
            loop_out > duration || (loop_in > loop_out && loop_in + (loop_in - loop_out) > duration);
        if (overruns && duration != 0.0F) {
            findings.add(rule("loop_stops_itself"), points);
        }
    }
    const auto at_base = [](const file::Joint& joint) { return joint.priority == -1; };
    const bool any_at_base = std::ranges::any_of(document.joints, at_base);
    if (document.base_priority == -1 && std::ranges::all_of(document.joints, at_base)) {
        findings.add(rule("motion_without_priority"), "-1 everywhere", {}, -1, 4);
    }
    const bool shows_base = std::ranges::any_of(
        document.joints, [&](const file::Joint& joint) { return joint.priority == document.base_priority; });
    if (!any_at_base && !shows_base && !document.joints.empty()) {
        findings.add(rule("base_priority_hidden"), std::to_string(document.base_priority), {}, -1, 4);
    }
}

std::vector<Finding> check(const file::Document& document, const CheckOptions& options) {
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
            check_content(document, options, findings);
        }
    }
    return findings.take();
}

namespace {

std::optional<std::size_t> find_volume(std::string_view name) {
    const auto& joints = avatar::skeleton();
    const auto found = std::ranges::find_if(joints, [&](const avatar::SkeletonJoint& joint) {
        return joint.kind == avatar::JointKind::collision_volume && joint.node.name == name;
    });
    return found == joints.end() ? std::nullopt
                                 : std::optional(static_cast<std::size_t>(found - joints.begin()));
}

bool all_finite(const file::Constraint& constraint) {
    const auto finite = [](RawFloat value) { return value.is_finite(); };
    const auto finite_vector = [&](const file::RawVector& v) { return std::ranges::all_of(v, finite); };
    return finite_vector(constraint.source_offset) && finite_vector(constraint.target_offset) &&
           finite_vector(constraint.target_dir) && finite(constraint.ease_in_start) &&
           finite(constraint.ease_in_stop) && finite(constraint.ease_out_start) &&
           finite(constraint.ease_out_stop);
}

/// Checks that the file moves every joint of the chain. Like the viewer, it searches the records in order and
/// fails at a joint that it does not know.
void check_chain(const file::Constraint& constraint, std::size_t volume,
                 const std::vector<JointPlace>& places, const std::string& at, std::int64_t offset,
                 FindingList& findings) {
    std::optional<std::size_t> joint = avatar::skeleton()[volume].node.parent;
    for (int link = 0; link <= constraint.chain_length; ++link) {
        const auto end = std::ranges::find_if(
            places, [&](const JointPlace& place) { return !place.known || place.known == joint; });
        const std::string name = joint ? avatar::skeleton()[*joint].node.name : "mRoot";
        if (joint && end != places.end() && !end->known) {
            findings.add(rule("constraint_unresolved_joint_before_chain"), at + ": its chain", name, -1,
                         end->byte_offset);
            return;
        }
        if (!joint || end == places.end()) {
            findings.add(rule("constraint_joint_missing"), at + ": not animated by this file", name, -1,
                         offset);
            return;
        }
        joint = avatar::skeleton()[*joint].node.parent;
    }
}

void check_constraint(const file::Document& document, std::size_t index,
                      const std::vector<JointPlace>& places, std::int64_t offset, FindingList& findings) {
    const file::Constraint& constraint = document.constraints[index];
    const std::string at = "constraint " + std::to_string(index);
    if (constraint.chain_length > document.joints.size()) {
        findings.add(rule("constraint_chain_beyond_joints"),
                     at + ": " + std::to_string(constraint.chain_length) + " links", {}, -1, offset);
    }
    if (constraint.chain_length > 3) {
        findings.add(rule("constraint_chain_too_long"),
                     at + ": " + std::to_string(constraint.chain_length) + " links", {}, -1, offset);
    }
    if (constraint.type > 1) {
        findings.add(rule("constraint_type_unknown"), at + ": " + std::to_string(constraint.type), {}, -1,
                     offset + 1);
    }
    const std::string_view source = file::volume_text(constraint.source_volume);
    const std::string_view target = file::volume_text(constraint.target_volume);
    const auto volume = find_volume(source);
    if (!volume) {
        findings.add(rule("constraint_volume_unknown"), at + ": source \"" + std::string(source) + "\"", {},
                     -1, offset + 2);
    }
    if (target != "GROUND" && !find_volume(target)) {
        findings.add(rule("constraint_volume_unknown"), at + ": target \"" + std::string(target) + "\"", {},
                     -1, offset + 30);
    }
    if (!all_finite(constraint)) {
        findings.add(rule("constraint_not_finite"), at, {}, -1, offset);
    }
    if (volume) {
        check_chain(constraint, *volume, places, at, offset, findings);
    }
    if (constraint.ease_out_stop.value() == 0.0F) {
        findings.add(rule("constraint_never_active"), at, {}, -1, offset + 82);
    }
    for (const auto& [name, place] :
         {std::pair(&constraint.source_volume, 2), std::pair(&constraint.target_volume, 30)}) {
        const auto* const tail = name->begin() + static_cast<std::ptrdiff_t>(file::volume_text(*name).size());
        // A name that fills its field loses its last letter.
        if (tail == name->end() || std::any_of(tail, name->end(), [](char c) { return c != '\0'; })) {
            findings.add(rule("volume_name_tail_cleared"), at, {}, -1, offset + place);
        }
    }
}

}  // namespace

void check_constraints(const file::Document& document, const std::vector<JointPlace>& places,
                       FindingList& findings) {
    auto offset = static_cast<std::int64_t>(file::file_bytes(document) - document.trailing.size() -
                                            file::constraint_bytes * document.constraints.size());
    if (document.constraint_count < 0 || document.constraint_count > file::max_constraints) {
        findings.add(rule("constraints_ignored"), std::to_string(document.constraint_count) + " constraints",
                     {}, -1, offset - 4);
    }
    for (std::size_t i = 0; i < document.constraints.size(); ++i) {
        check_constraint(document, i, places, offset, findings);
        offset += static_cast<std::int64_t>(file::constraint_bytes);
    }
}

std::span<const Rule> rules() { return rule_table::all_rules; }

}  // namespace animbridge::sl_anim::check
