// SPDX-License-Identifier: MIT
#include <algorithm>

#include "formats/sl_anim/checker.h"
#include "formats/sl_anim/rules.h"
#include "formats/sl_anim/skeleton.h"

namespace animbridge::sl_anim {

namespace {

std::optional<std::size_t> find_volume(std::string_view name) {
    const auto& joints = skeleton();
    const auto found = std::find_if(joints.begin(), joints.end(), [&](const SkeletonJoint& joint) {
        return joint.kind == JointKind::collision_volume && joint.node.name == name;
    });
    return found == joints.end() ? std::nullopt
                                 : std::optional(static_cast<std::size_t>(found - joints.begin()));
}

bool all_finite(const Constraint& constraint) {
    const auto finite = [](RawFloat value) { return value.is_finite(); };
    const auto finite_vector = [&](const RawVector& v) { return std::all_of(v.begin(), v.end(), finite); };
    return finite_vector(constraint.source_offset) && finite_vector(constraint.target_offset) &&
           finite_vector(constraint.target_dir) && finite(constraint.ease_in_start) &&
           finite(constraint.ease_in_stop) && finite(constraint.ease_out_start) &&
           finite(constraint.ease_out_stop);
}

/// Checks that the file moves every joint of the chain. Like the viewer, it searches the records in order and
/// fails at a joint that it does not know.
void check_chain(const Constraint& constraint, std::size_t volume, const std::vector<JointPlace>& places,
                 const std::string& at, std::int64_t offset, FindingList& findings) {
    std::optional<std::size_t> joint = skeleton()[volume].node.parent;
    for (int link = 0; link <= constraint.chain_length; ++link) {
        const auto end = std::find_if(places.begin(), places.end(), [&](const JointPlace& place) {
            return !place.known || place.known == joint;
        });
        const std::string name = joint ? skeleton()[*joint].node.name : "mRoot";
        if (joint && end != places.end() && !end->known) {
            findings.add(rule::constraint_unresolved_joint_before_chain, at + ": its chain", name, -1,
                         end->byte_offset);
            return;
        }
        if (!joint || end == places.end()) {
            findings.add(rule::constraint_joint_missing, at + ": not animated by this file", name, -1,
                         offset);
            return;
        }
        joint = skeleton()[*joint].node.parent;
    }
}

void check_constraint(const Document& document, std::size_t index, const std::vector<JointPlace>& places,
                      std::int64_t offset, FindingList& findings) {
    const Constraint& constraint = document.constraints[index];
    const std::string at = "constraint " + std::to_string(index);
    if (constraint.chain_length > document.joints.size()) {
        findings.add(rule::constraint_chain_beyond_joints,
                     at + ": " + std::to_string(constraint.chain_length) + " links", {}, -1, offset);
    }
    if (constraint.chain_length > 3) {
        findings.add(rule::constraint_chain_too_long,
                     at + ": " + std::to_string(constraint.chain_length) + " links", {}, -1, offset);
    }
    if (constraint.type > 1) {
        findings.add(rule::constraint_type_unknown, at + ": " + std::to_string(constraint.type), {}, -1,
                     offset + 1);
    }
    const std::string_view source = volume_text(constraint.source_volume);
    const std::string_view target = volume_text(constraint.target_volume);
    const auto volume = find_volume(source);
    if (!volume) {
        findings.add(rule::constraint_volume_unknown, at + ": source \"" + std::string(source) + "\"", {}, -1,
                     offset + 2);
    }
    if (target != "GROUND" && !find_volume(target)) {
        findings.add(rule::constraint_volume_unknown, at + ": target \"" + std::string(target) + "\"", {}, -1,
                     offset + 30);
    }
    if (!all_finite(constraint)) {
        findings.add(rule::constraint_not_finite, at, {}, -1, offset);
    }
    if (volume) {
        check_chain(constraint, *volume, places, at, offset, findings);
    }
    if (constraint.ease_out_stop.value() == 0.0F) {
        findings.add(rule::constraint_never_active, at, {}, -1, offset + 82);
    }
    for (const auto& [name, place] :
         {std::pair(&constraint.source_volume, 2), std::pair(&constraint.target_volume, 30)}) {
        const auto* const tail = name->begin() + static_cast<std::ptrdiff_t>(volume_text(*name).size());
        // A name that fills its field loses its last letter.
        if (tail == name->end() || std::any_of(tail, name->end(), [](char c) { return c != '\0'; })) {
            findings.add(rule::volume_name_tail_cleared, at, {}, -1, offset + place);
        }
    }
}

}  // namespace

void check_constraints(const Document& document, const std::vector<JointPlace>& places,
                       FindingList& findings) {
    auto offset = static_cast<std::int64_t>(file_bytes(document) - document.trailing.size() -
                                            constraint_bytes * document.constraints.size());
    if (document.constraint_count < 0 || document.constraint_count > max_constraints) {
        findings.add(rule::constraints_ignored, std::to_string(document.constraint_count) + " constraints",
                     {}, -1, offset - 4);
    }
    for (std::size_t i = 0; i < document.constraints.size(); ++i) {
        check_constraint(document, i, places, offset, findings);
        offset += static_cast<std::int64_t>(constraint_bytes);
    }
}

}  // namespace animbridge::sl_anim
