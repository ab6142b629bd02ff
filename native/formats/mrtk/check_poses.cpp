// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "formats/mrtk/checker.h"
#include "formats/mrtk/poses.h"
#include "formats/mrtk/rules.h"

namespace animbridge::mrtk {

namespace {

/// How far a quaternion's length may be from 1. Trackers write 0.9997 to 1.0008; ten times that is no noise.
constexpr double length_tolerance = 0.01;
/// MRTK samples all curves in the same frames, so any later time than the camera's last shows a lost tail. A
/// millisecond is far below a frame and far above a float's rounding.
constexpr double same_frame_seconds = 0.001;

using Four = std::array<double, 4>;

Four components_at(const RotationViews& rotation, std::size_t key) {
    return {rotation[0].value(key), rotation[1].value(key), rotation[2].value(key), rotation[3].value(key)};
}

double dot_of(const Four& a, const Four& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]; }

/// The four curves share their key times.
void check_quaternions(const RotationViews& rotation, std::size_t pose, PlaceCounts& places) {
    const std::size_t curve = first_rotation_of(pose);
    const bool is_none = pose > 0 && joint_of(pose) == Joint::none;
    Four before{};
    for (std::size_t key = 0; key < rotation[0].size(); ++key) {
        const Four q = components_at(rotation, key);
        const double length = std::sqrt(dot_of(q, q));
        const auto place = [&] { return "key " + std::to_string(key); };
        if (length == 0.0) {
            places.add(is_none ? rule::none_rotation_zero : rule::rotation_zero, curve, key, place);
        } else if (std::abs(length - 1.0) > length_tolerance) {
            places.add(rule::rotation_not_unit, curve, key,
                       [&] { return place() + ": length " + number_text(length) + "; allowed is 1"; });
        }
        if (dot_of(q, before) < 0.0) {
            places.add(rule::sign_flips, curve, key, place);
        }
        before = q;
    }
}

void check_rotation(Checked& checked, std::size_t pose, const std::string& name) {
    const std::size_t curve = first_rotation_of(pose);
    const RotationViews rotation = rotation_of(checked.document, pose);
    if (has_lost_w(checked.document, pose)) {
        checked.findings.add(rule::rotation_w_lost,
                             "RotW with " + std::to_string(rotation[3].size()) + " of " +
                                 std::to_string(rotation[0].size()) + " keys",
                             name, -1, static_cast<std::int64_t>(checked.offsets[curve + 3]));
    } else if (!share_times(rotation)) {
        checked.findings.add(rule::key_times_differ, "RotX, RotY, RotZ, RotW", name, -1,
                             static_cast<std::int64_t>(checked.offsets[curve]));
    } else {
        PlaceCounts places;
        check_quaternions(rotation, pose, places);
        places.report(name, checked);
    }
}

void check_position(Checked& checked, std::size_t pose, const std::string& name) {
    const Document& document = checked.document;
    const std::size_t first = first_curve_of(pose);
    const CurveView x(document, first);
    if (!same_times(x, CurveView(document, first + 1)) || !same_times(x, CurveView(document, first + 2))) {
        checked.findings.add(rule::key_times_differ, "PosX, PosY, PosZ", name, -1,
                             static_cast<std::int64_t>(checked.offsets[first]));
    }
}

/// Version 1.1 alone loses keys at a joint's end.
bool is_single_key(const Document& document, std::size_t pose) {
    const auto first = document.curves.begin() + static_cast<std::ptrdiff_t>(first_curve_of(pose));
    return document.has_sections() &&
           std::all_of(first, first + pose_curves, [](const Curve& curve) { return curve.count == 1; });
}

void check_pose(Checked& checked, std::size_t pose) {
    const std::string name = pose_name(pose);
    const auto at = static_cast<std::int64_t>(checked.offsets[first_curve_of(pose)]);
    if (!has_keys(checked.document, pose)) {
        const bool is_joint = pose > 0 && joint_of(pose) != Joint::none;
        if (is_joint && has_hand(checked.document, hand_of(pose))) {
            checked.findings.add(rule::joints_missing, "no keys", name, -1, at);
        }
        return;
    }
    if (is_single_key(checked.document, pose)) {
        checked.findings.add(rule::single_key_joints, "1 key", name, 0, at);
    }
    check_position(checked, pose, name);
    check_rotation(checked, pose, name);
}

double last_seconds(const Document& document, std::size_t first, std::size_t end) {
    double last = -INFINITY;
    for (std::size_t i = first; i < end; ++i) {
        if (const CurveView view(document, i); !view.empty()) {
            last = std::max(last, view.time(view.size() - 1));
        }
    }
    return last;
}

void check_tail(Checked& checked) {
    const Document& document = checked.document;
    if (!document.has_sections() || !has_keys(document, 0)) {
        return;
    }
    const double camera = last_seconds(document, 0, pose_curves);
    const double others = last_seconds(document, pose_curves, curve_count);
    if (std::isfinite(camera) && std::isfinite(others) && others - camera > same_frame_seconds) {
        checked.findings.add(
            rule::tail_lost,
            "last camera key at " + number_text(camera) + " s, last key at " + number_text(others) + " s",
            camera_name, -1, static_cast<std::int64_t>(checked.offsets[0]), -1, camera);
    }
}

}  // namespace

void check_poses(Checked& checked) {
    for (std::size_t pose = 0; pose < pose_count; ++pose) {
        check_pose(checked, pose);
    }
    check_tail(checked);
}

}  // namespace animbridge::mrtk
