// SPDX-License-Identifier: MIT
#include "formats/mrtk/edit/edit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "model/compare/compare.h"

namespace animbridge::mrtk::edit {

namespace {

curves::Segment::Kind kind_before(const curves::LooseCurve& curve, std::size_t key) {
    const curves::CurveView view = curve.view();
    return curves::segment_between(view.key(key - 1), view.key(key)).kind;
}

/// Whether the curve is in metres; else it is part of a quaternion or of a direction.
bool is_position(std::size_t curve) {
    if (curve >= file::first_gaze_curve) {
        return curve < file::first_gaze_curve + 3;
    }
    return (curve < file::first_switch ? curve : curve - file::first_joint_curve) % file::pose_curves < 3;
}

/// How far lines may be from a curve, so that three positions are within half a millimetre together, and four
/// parts of a quaternion of length 1 within a tenth of a degree.
double bound_of(std::size_t curve) {
    constexpr double metres = 0.00028;
    constexpr double part_of_quaternion = 0.0004;
    return is_position(curve) ? metres : part_of_quaternion;
}

/// Curves whose keys belong together: a position, a rotation, or half of a gaze.
struct KeyGroup {
    std::size_t first = 0;
    std::size_t count = 1;
};

std::vector<KeyGroup> key_groups() {
    std::vector<KeyGroup> groups;
    for (std::size_t pose = 0; pose < file::pose_count; ++pose) {
        groups.push_back({file::first_curve_of(pose), 3});
        groups.push_back({file::first_rotation_of(pose), 4});
    }
    groups.push_back({file::first_gaze_curve, 3});
    groups.push_back({file::first_gaze_curve + 3, 3});
    return groups;
}

bool share_key_times(const curves::LooseCurves& curves, const KeyGroup& group) {
    const curves::CurveView first = curves[group.first].view();
    for (std::size_t i = group.first + 1; i < group.first + group.count; ++i) {
        if (!curves::same_times(first, curves[i].view())) {
            return false;
        }
    }
    return true;
}

/// The times of the keys that the lines of one segment of a group need, in order and in single precision.
std::vector<float> line_times_of(const curves::LooseCurves& curves, const KeyGroup& group,
                                 std::size_t segment) {
    std::vector<float> times;
    for (std::size_t i = group.first; i < group.first + group.count; ++i) {
        const curves::CurveView view = curves[i].view();
        const curves::CurveKey left = view.key(segment);
        const curves::CurveKey right = view.key(segment + 1);
        if (curves::segment_between(left, right).kind == curves::Segment::Kind::curved) {
            for (const double seconds : curves::line_times(left, right, bound_of(i))) {
                times.push_back(static_cast<float>(seconds));
            }
        }
    }
    return sorted_unique(std::move(times));
}

/// line_times_of all segments, without the times of the keys. All curves of the group get them, because a
/// quaternion whose parts have keys at different times has no sign.
std::vector<std::vector<RawFloat>> line_times_of(const curves::LooseCurves& curves, const KeyGroup& group) {
    const curves::CurveView view = curves[group.first].view();
    std::vector<std::vector<RawFloat>> times(view.empty() ? 0 : view.size() - 1);
    for (std::size_t segment = 0; segment < times.size(); ++segment) {
        for (const float seconds : line_times_of(curves, group, segment)) {
            const auto at = static_cast<double>(seconds);
            if (at > view.time(segment) && at < view.time(segment + 1)) {
                times[segment].emplace_back(seconds);
            }
        }
    }
    return times;
}

/// Straight lines between keys, with more of them at `added` times; a step gets a key just before its jump.
void straighten(curves::LooseCurve& curve, const std::vector<std::vector<RawFloat>>& added,
                VersionChange& change) {
    std::vector<file::FullKey> keys;
    keys.reserve(curve.keys.size());
    const curves::CurveView view = curve.view();
    for (std::size_t i = 0; i < curve.keys.size(); ++i) {
        const file::FullKey& key = curve.keys[i];
        const curves::Segment::Kind kind = i == 0 ? curves::Segment::Kind::linear : kind_before(curve, i);
        change.curved_segments += kind == curves::Segment::Kind::curved ? 1 : 0;
        for (std::size_t line = 0; i > 0 && line < added[i - 1].size(); ++line) {
            const RawFloat seconds = added[i - 1][line];
            const double value =
                curves::value_between(view.key(i - 1), view.key(i), static_cast<double>(seconds.value()));
            keys.push_back(curves::full_key_of({seconds, RawFloat(static_cast<float>(value))}));
            ++change.line_keys;
        }
        if (kind == curves::Segment::Kind::step && !(curve.keys[i - 1].value == key.value)) {
            const RawFloat before(std::nextafter(key.time.value(), -INFINITY));
            ++change.steps;
            if (before.value() > keys.back().time.value()) {
                keys.push_back(curves::full_key_of({before, curve.keys[i - 1].value}));
            }
        }
        keys.push_back(curves::full_key_of({key.time, key.value}));
    }
    curve.keys = std::move(keys);
}

void straighten(curves::LooseCurves& curves, const KeyGroup& group, VersionChange& change) {
    if (group.count > 1 && !share_key_times(curves, group)) {
        for (std::size_t i = group.first; i < group.first + group.count; ++i) {
            straighten(curves, {i, 1}, change);
        }
        return;
    }
    const auto added = line_times_of(curves, group);
    for (std::size_t i = group.first; i < group.first + group.count; ++i) {
        straighten(curves[i], added, change);
    }
}

}  // namespace

int lines_of(double seconds) {
    // Bounded before the conversion: a file's times may have any value.
    return static_cast<int>(
        std::clamp(std::ceil(seconds / longest_line_seconds), 1.0, static_cast<double>(most_lines)));
}

bool is_all_lines(const curves::LooseCurves& curves) {
    for (std::size_t i = 0; i < file::curve_count; ++i) {
        for (std::size_t key = 1; !file::is_switch(i) && key < curves[i].keys.size(); ++key) {
            if (kind_before(curves[i], key) != curves::Segment::Kind::linear) {
                return false;
            }
        }
    }
    return true;
}

VersionChange change_version(file::Document& like, curves::LooseCurves& curves, std::int32_t minor) {
    VersionChange change{like.minor, minor, like.layout};
    const std::array<std::uint8_t, file::section_count> sections = like.sections;
    like.layout = file::Layout::specified;
    like.minor = minor;
    if (minor == 1) {
        for (const KeyGroup& group : key_groups()) {
            straighten(curves, group, change);
        }
        return change;
    }
    like.sections = {1, 1, 0};
    change.empty_sections = (sections[0] == 0 ? 1 : 0) + (sections[1] == 0 ? 1 : 0);
    for (std::size_t i = file::first_gaze_curve; i < file::curve_count; ++i) {
        change.gaze_keys += curves[i].keys.size();
        curves[i] = {};
    }
    return change;
}

Json version_json(const VersionChange& change) {
    return {{"from", "1." + std::to_string(change.from)},
            {"to", "1." + std::to_string(change.to)},
            {"from_layout", file::name_of(change.from_layout)},
            {"curved_segments", change.curved_segments},
            {"line_keys", change.line_keys},
            {"steps", change.steps},
            {"gaze_keys", change.gaze_keys},
            {"empty_sections", change.empty_sections}};
}

}  // namespace animbridge::mrtk::edit
