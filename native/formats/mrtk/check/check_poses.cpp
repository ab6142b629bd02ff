// SPDX-License-Identifier: MIT
#include "base/options/options.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "formats/mrtk/check/checker.h"
#include "formats/mrtk/check/rules.h"
#include "formats/mrtk/curves/curves.h"

namespace animbridge::mrtk::check {

namespace {

/// MRTK samples all groups in the same frames. Three frames at its default rate: a device may miss one or
/// two, a partition loses up to 31.
constexpr double tail_seconds = 0.05;

using Four = std::array<double, 4>;

Four components_at(const curves::RotationViews& rotation, std::size_t key) {
    return {rotation[0].value(key), rotation[1].value(key), rotation[2].value(key), rotation[3].value(key)};
}

double dot_of(const Four& a, const Four& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]; }

/// The four curves must share their key times.
void check_quaternions(const curves::RotationViews& rotation, std::size_t pose, PlaceCounts& places) {
    const std::size_t curve = file::first_rotation_of(pose);
    Four before{};
    for (std::size_t key = 0; key < rotation[0].size(); ++key) {
        const Four q = components_at(rotation, key);
        const double length = std::sqrt(dot_of(q, q));
        const auto place = [&] { return "key " + std::to_string(key); };
        if (length == 0.0) {
            places.add(rule("zero_rotations"), curve, key, place);
        } else if (std::abs(length - 1.0) > curves::length_tolerance) {
            places.add(rule("rotation_length"), curve, key,
                       [&] { return place() + ": length " + six_digits(length) + "; allowed is 1"; });
        }
        if (dot_of(q, before) < 0.0) {
            places.add(rule("sign_flips"), curve, key, place);
        }
        before = q;
    }
}

void check_rotation(Checked& checked, std::size_t pose, const std::string& name) {
    const std::size_t curve = file::first_rotation_of(pose);
    const curves::RotationViews rotation = curves::rotation_of(checked.document, pose);
    if (curves::has_lost_w(checked.document, pose)) {
        checked.findings.add(rule("lost_rotation_w"),
                             "W with " + std::to_string(rotation[3].size()) + " of " +
                                 std::to_string(rotation[0].size()) + " keys",
                             name, -1, static_cast<std::int64_t>(checked.offsets[curve + 3]));
    } else if (!curves::share_times(rotation)) {
        checked.findings.add(rule("key_times_differ"), "rotation x, y, z, w", name, -1,
                             static_cast<std::int64_t>(checked.offsets[curve]));
    } else {
        PlaceCounts places;
        check_quaternions(rotation, pose, places);
        places.report(name, checked);
    }
}

void check_position(Checked& checked, std::size_t pose, const std::string& name) {
    const file::Document& document = checked.document;
    const std::size_t first = file::first_curve_of(pose);
    const curves::CurveView x(document, first);
    if (!curves::same_times(x, curves::CurveView(document, first + 1)) ||
        !curves::same_times(x, curves::CurveView(document, first + 2))) {
        checked.findings.add(rule("key_times_differ"), "position x, y, z", name, -1,
                             static_cast<std::int64_t>(checked.offsets[first]));
    }
}

/// Only version 1.1 loses keys at a joint's end. W may be lost as well.
bool is_single_key(const file::Document& document, std::size_t pose, double duration) {
    const std::size_t first = file::first_curve_of(pose);
    for (std::size_t i = first; i < first + file::pose_curves - 1; ++i) {
        const curves::CurveView view(document, i);
        if (view.size() != 1 || !(view.time(0) < duration)) {
            return false;
        }
    }
    return document.has_sections() && pose > 0;
}

void check_pose(Checked& checked, std::size_t pose, double duration) {
    const std::string name = file::pose_name(pose);
    const auto at = static_cast<std::int64_t>(checked.offsets[file::first_curve_of(pose)]);
    if (!curves::has_keys(checked.document, pose)) {
        const bool is_joint = pose > 0 && file::joint_of(pose) != file::Joint::none;
        if (is_joint && curves::has_hand(checked.document, file::hand_of(pose))) {
            checked.findings.add(rule("joints_missing"), "no keys", name, -1, at);
        }
        return;
    }
    if (is_single_key(checked.document, pose, duration)) {
        checked.findings.add(rule("single_key_joints"), "1 key", name, 0, at);
    }
    check_position(checked, pose, name);
    check_rotation(checked, pose, name);
}

/// The last time at which the recorder saw the hand; -infinity if it never did.
double last_tracked(const file::Document& document, std::size_t hand, double duration) {
    const curves::CurveView tracked(document, file::first_switch + hand);
    if (tracked.empty()) {
        return -std::numeric_limits<double>::infinity();
    }
    const std::size_t last = tracked.size() - 1;
    return tracked.value(last) > 0.5 ? duration : tracked.time(last);
}

/// `seen`: the time until which the group should have keys.
void check_tail(Checked& checked, std::size_t curve, double seen) {
    const curves::CurveView view(checked.document, curve);
    // A curve that repeats continues after its last key.
    if (view.size() < 2 || curves::repeats(view.post_wrap())) {
        return;
    }
    double last = -std::numeric_limits<double>::infinity();  // even in a file whose keys are not in order
    for (std::size_t key = 0; key < view.size(); ++key) {
        last = std::max(last, view.time(key));
    }
    if (last < seen - tail_seconds) {
        checked.findings.add(rule("lost_tail"),
                             file::curve_name(curve) + ": last key at " + six_digits(last) + " s of " +
                                 six_digits(seen) + " s",
                             file::owner_of(curve), static_cast<std::int64_t>(view.size() - 1),
                             checked.offset_of(curve, view.size() - 1), -1, last);
    }
}

/// In version 1.1: finds groups that end before the recorder stopped seeing them.
void check_tails(Checked& checked, double duration) {
    for (std::size_t pose = 0; pose < file::pose_count; ++pose) {
        const double seen =
            pose == 0 ? duration : last_tracked(checked.document, file::hand_of(pose), duration);
        check_tail(checked, file::first_curve_of(pose), seen);
        check_tail(checked, file::first_rotation_of(pose), seen);
    }
    check_tail(checked, file::first_gaze_curve, duration);
    check_tail(checked, file::first_gaze_curve + 3, duration);
}

/// Position or direction of the gaze.
void check_gaze_times(Checked& checked) {
    for (const std::size_t first : {file::first_gaze_curve, file::first_gaze_curve + 3}) {
        const curves::CurveView x(checked.document, first);
        if (!curves::same_times(x, curves::CurveView(checked.document, first + 1)) ||
            !curves::same_times(x, curves::CurveView(checked.document, first + 2))) {
            checked.findings.add(rule("key_times_differ"), file::curve_name(first) + ", y, z",
                                 file::gaze_name, -1, static_cast<std::int64_t>(checked.offsets[first]));
        }
    }
}

/// The spans in which a hand is not tracked, between times at which it is. The keys must be in order of time.
std::vector<std::array<double, 2>> gaps_of(const curves::CurveView& tracked) {
    std::vector<std::array<double, 2>> gaps;
    double lost = 0.0;
    bool is_lost = false;
    bool seen = false;
    for (std::size_t key = 0; key < tracked.size(); ++key) {
        const bool is_on = tracked.value(key) > 0.5;
        if (is_on && seen && is_lost) {
            gaps.push_back({lost, tracked.time(key)});
        } else if (!is_on && !is_lost) {
            lost = tracked.time(key);
        }
        is_lost = !is_on;
        seen = seen || is_on;
    }
    return gaps;
}

/// Marks the gaps that two neighbouring keys of the curve enclose.
void mark_bridged(const curves::CurveView& curve, const std::vector<std::array<double, 2>>& gaps,
                  std::vector<bool>& bridged) {
    std::size_t gap = 0;
    for (std::size_t key = 1; key < curve.size() && gap < gaps.size(); ++key) {
        while (gap < gaps.size() && gaps[gap][0] < curve.time(key - 1)) {
            ++gap;
        }
        for (; gap < gaps.size() && gaps[gap][1] <= curve.time(key); ++gap) {
            bridged[gap] = true;
        }
    }
}

void check_gaps(Checked& checked, std::size_t hand, const curves::CurveView& tracked) {
    const std::vector<std::array<double, 2>> gaps = gaps_of(tracked);
    std::vector<bool> bridged(gaps.size());
    const std::size_t begin = file::first_curve_of(file::pose_of(hand, file::Joint::none));
    for (std::size_t i = begin; !gaps.empty() && i < begin + file::joint_count * file::pose_curves; ++i) {
        if (const curves::CurveView curve(checked.document, i); curve.is_sorted()) {
            mark_bridged(curve, gaps, bridged);
        }
    }
    const auto first = std::ranges::find(bridged, true);
    if (first != bridged.end()) {
        const std::array<double, 2>& gap = gaps[static_cast<std::size_t>(first - bridged.begin())];
        const auto count = static_cast<std::size_t>(std::count(first, bridged.end(), true));
        checked.findings.add(rule("bridged_gaps"), six_digits(gap[0]) + " s to " + six_digits(gap[1]) + " s",
                             std::string(file::switch_names.at(hand)), -1,
                             static_cast<std::int64_t>(checked.offsets[file::first_switch + hand]), -1,
                             gap[0], count);
    }
}

void check_hand(Checked& checked, std::size_t hand) {
    const curves::CurveView tracked(checked.document, file::first_switch + hand);
    bool is_ever = false;
    for (std::size_t key = 0; key < tracked.size(); ++key) {
        is_ever = is_ever || tracked.value(key) > 0.5;
    }
    if (!is_ever && curves::has_hand(checked.document, hand)) {
        checked.findings.add(rule("hand_not_tracked"), tracked.empty() ? "no keys" : "not tracked at any key",
                             std::string(file::switch_names.at(hand)), -1,
                             static_cast<std::int64_t>(checked.offsets[file::first_switch + hand]));
    }
    if (is_ever && tracked.is_sorted()) {
        check_gaps(checked, hand, tracked);
    }
}

}  // namespace

void check_poses(Checked& checked) {
    const double duration = curves::duration_seconds(checked.document);
    for (std::size_t pose = 0; pose < file::pose_count; ++pose) {
        check_pose(checked, pose, duration);
    }
    for (std::size_t hand = 0; hand < file::hand_count; ++hand) {
        check_hand(checked, hand);
    }
    check_gaze_times(checked);
    if (checked.document.has_sections()) {
        check_tails(checked, duration);
    }
}

}  // namespace animbridge::mrtk::check
