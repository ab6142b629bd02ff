// SPDX-License-Identifier: MIT
#include "base/options/options.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <unordered_set>

#include "formats/sl_anim/avatar/avatar.h"
#include "formats/sl_anim/check/checker.h"
#include "formats/sl_anim/check/rules.h"
#include "formats/sl_anim/codes/codes.h"

namespace animbridge::sl_anim::check {

namespace {

/// Rounding makes half turns a ten-thousandth longer than 1, which is invisible; 2 mm on a bone of a metre
/// are visible.
constexpr double longest_vector = 1.001;

/// A joint's record, and the offsets of its parts in the file.
struct Record {
    const file::Document& document;
    const file::Joint& joint;
    const JointPlace& place;
    FindingList& findings;

    [[nodiscard]] std::int64_t key_bytes() const { return document.version == file::Version::coded ? 8 : 16; }
    [[nodiscard]] std::int64_t priority_offset() const {
        return place.byte_offset + static_cast<std::int64_t>(joint.name.size()) + 1;
    }
    [[nodiscard]] std::int64_t rotation_offset(std::size_t key = 0) const {
        return priority_offset() + 8 + key_bytes() * static_cast<std::int64_t>(key);
    }
    [[nodiscard]] std::int64_t position_offset(std::size_t key = 0) const {
        return rotation_offset(file::key_count(joint.rotation)) + 4 +
               key_bytes() * static_cast<std::int64_t>(key);
    }
    void add(std::string_view rule_id, std::string found, std::int64_t offset, std::size_t key,
             float seconds) const {
        findings.add(rule_id, std::move(found), joint.name, static_cast<std::int64_t>(key), offset, -1,
                     double{seconds});
    }
    void add(std::string_view rule_id, std::string found, std::int64_t offset) const {
        findings.add(rule_id, std::move(found), joint.name, -1, offset);
    }
};

void check_name(const Record& record) {
    const file::Joint& joint = record.joint;
    if (joint.name == "mRoot" || joint.name == "mScreen") {
        record.add(rule("joint_forbidden"), joint.name, record.place.byte_offset);
        return;
    }
    if (!record.place.known) {
        record.add(rule("joint_unknown"), "\"" + joint.name + "\"", record.place.byte_offset);
        record.add(rule("joint_unknown_on_upload"), "\"" + joint.name + "\"", record.place.byte_offset);
        return;
    }
    const avatar::SkeletonJoint& known = avatar::skeleton()[*record.place.known];
    if (known.on_screen) {
        record.add(rule("joint_unknown_on_upload"), "\"" + joint.name + "\", a HUD point",
                   record.place.byte_offset);
    }
    if (known.node.name != joint.name) {
        record.add(rule("joint_alias_renamed"), joint.name + " to " + known.node.name,
                   record.place.byte_offset);
    }
}

void check_priority(const Record& record) {
    const std::string found = std::to_string(record.joint.priority);
    if (record.joint.priority < -1) {
        record.add(rule("joint_priority_too_low"), found, record.priority_offset());
    } else if (record.joint.priority > 6) {
        record.add(rule("joint_priority_too_high"), found, record.priority_offset());
    }
}

/// Checks keys of version 0.1: numbers must be finite, and the viewer clamps positions.
void check_legacy_keys(const Record& record, const std::vector<file::LegacyKey>& keys, bool are_positions) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const std::int64_t offset = are_positions ? record.position_offset(i) : record.rotation_offset(i);
        const auto& xyz = keys[i].xyz;
        const bool finite = keys[i].time_seconds.is_finite() &&
                            std::ranges::all_of(xyz, [](RawFloat v) { return v.is_finite(); });
        if (!finite) {
            record.add(rule("key_not_finite"), "not a number", offset, i, keys[i].time_seconds.value());
        } else if (are_positions && std::ranges::any_of(xyz, [](RawFloat v) {
                       return std::fabs(v.value()) > codes::position_limit;
                   })) {
            record.add(rule("position_clamped"), "more than 5 m", offset, i, keys[i].time_seconds.value());
        }
    }
}

/// Checks the order of a track's decoded times, and looks for duplicates.
void check_times(const Record& record, const std::vector<float>& times, std::string_view kind,
                 std::int64_t offset) {
    if (std::ranges::any_of(times, [](float time) { return std::isnan(time); })) {
        return;  // NaN has no order, and the file is rejected for it anyway
    }
    std::vector<std::size_t> order(times.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        order[i] = i;
    }
    const auto earlier = [&](std::size_t a, std::size_t b) { return times[a] < times[b]; };
    if (!std::ranges::is_sorted(order, earlier)) {
        record.add(rule("keys_reordered"), std::string(kind) + " keys", offset);
        std::ranges::stable_sort(order, earlier);
    }
    std::size_t duplicates = 0;
    std::size_t first = 0;
    for (std::size_t i = 1; i < order.size(); ++i) {
        if (times[order[i - 1]] == times[order[i]]) {
            first = duplicates++ == 0 ? order[i - 1] : first;
        }
    }
    if (duplicates > 0) {
        record.add(rule("duplicate_key_time"), std::to_string(duplicates) + " " + std::string(kind) + " keys",
                   offset, first, times[first]);
    }
    if (times.size() > 1 && duplicates + 1 == times.size()) {
        record.add(rule("keys_all_at_one_time"),
                   std::to_string(times.size()) + " " + std::string(kind) + " keys", offset);
    }
}

void check_coded_rotations(const Record& record, const std::vector<file::CodedKey>& keys,
                           const std::vector<float>& times) {
    const float duration = record.document.duration.value();
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (times[i] < 0.0F || times[i] > duration) {
            record.add(rule("rotation_key_outside_duration"), fixed_text(double{times[i]}, 3) + " s",
                       record.rotation_offset(i), i, times[i]);
            break;
        }
    }
    for (std::size_t i = 0; i < keys.size(); ++i) {
        double squared = 0.0;
        for (const std::uint16_t code : keys[i].xyz) {
            const double value = codes::decode(code, -codes::rotation_limit, codes::rotation_limit);
            squared += value * value;
        }
        if (squared > longest_vector * longest_vector) {
            record.add(rule("rotation_longer_than_one"), "length " + fixed_text(std::sqrt(squared), 4),
                       record.rotation_offset(i), i, times[i]);
        }
    }
}

void check_rotations(const Record& record) {
    const std::vector<float> times =
        codes::decode_rotations(record.joint.rotation, record.document.duration.value()).times;
    check_legacy_keys(record, record.joint.rotation.legacy, false);
    check_coded_rotations(record, record.joint.rotation.coded, times);
    check_times(record, times, "rotation", record.rotation_offset());
}

void check_pelvis_height(const Record& record, const codes::PositionKeys& keys) {
    constexpr float skeleton_height = 1.067F;
    constexpr float nearby = 0.15F;
    const auto about_there = [](const codes::Vector& p) {
        return std::fabs(p[2] - skeleton_height) < nearby;
    };
    if (!keys.empty() && std::ranges::all_of(keys.values, about_there)) {
        record.add(rule("pelvis_at_skeleton_height"),
                   "z " + fixed_text(double{keys.values.front()[2]}, 3) + " m", record.position_offset());
    }
}

void check_positions(const Record& record) {
    const codes::PositionKeys keys =
        codes::decode_positions(record.joint.position, record.document.duration.value());
    check_legacy_keys(record, record.joint.position.legacy, true);
    check_times(record, keys.times, "position", record.position_offset());
    if (record.place.known == std::size_t{0}) {
        check_pelvis_height(record, keys);
    }
}

}  // namespace

void check_joints(const file::Document& document, const std::vector<JointPlace>& places,
                  FindingList& findings) {
    std::unordered_set<std::size_t> seen;
    for (std::size_t i = 0; i < document.joints.size(); ++i) {
        const file::Joint& joint = document.joints[i];
        const Record record{document, joint, places[i], findings};
        check_name(record);
        if (places[i].known && !seen.insert(*places[i].known).second) {
            record.add(rule("duplicate_joint"), joint.name, places[i].byte_offset);
        }
        check_priority(record);
        check_rotations(record);
        check_positions(record);
        if (file::key_count(joint.rotation) + file::key_count(joint.position) == 0) {
            record.add(rule("joint_without_keys"), "no keys", places[i].byte_offset);
        }
    }
}

}  // namespace animbridge::sl_anim::check
