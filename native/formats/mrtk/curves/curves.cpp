// SPDX-License-Identifier: MIT
#include "formats/mrtk/curves/curves.h"

#include <algorithm>
#include <cmath>

namespace animbridge::mrtk::curves {

RotationViews rotation_of(const file::Document& document, std::size_t pose) {
    const std::size_t first = file::first_rotation_of(pose);
    return {CurveView(document, first), CurveView(document, first + 1), CurveView(document, first + 2),
            CurveView(document, first + 3)};
}

bool has_keys(const file::Document& document, std::size_t pose) {
    const auto first = document.curves.begin() + static_cast<std::ptrdiff_t>(file::first_curve_of(pose));
    return std::any_of(first, first + file::pose_curves,
                       [](const file::Curve& curve) { return curve.count > 0; });
}

bool has_hand(const file::Document& document, std::size_t hand) {
    for (std::size_t joint = 0; joint < file::joint_count; ++joint) {
        if (has_keys(document, file::pose_of(hand, joint))) {
            return true;
        }
    }
    return false;
}

bool same_times(const CurveView& a, const CurveView& b) {
    if (a.size() != b.size()) {
        return false;
    }
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a.time_bits(i) != b.time_bits(i)) {
            return false;
        }
    }
    return true;
}

bool share_times(const RotationViews& rotation) {
    return std::all_of(rotation.begin() + 1, rotation.end(),
                       [&](const CurveView& view) { return same_times(rotation[0], view); });
}

bool has_lost_w(const file::Document& document, std::size_t pose) {
    const auto [x, y, z, w] = rotation_of(document, pose);
    if (!document.has_sections() || x.size() != y.size() || x.size() != z.size() || x.size() < 2) {
        return false;
    }
    if (w.size() != 2) {
        return w.size() == 1;
    }
    const std::size_t last = x.size() - 1;
    if (w.time_bits(0) != x.time_bits(0) || w.time_bits(1) != x.time_bits(last) ||
        w.value(1) != z.value(last)) {
        return false;
    }
    // If X has two keys as well, the last W is wrong if the resulting length is not that of a rotation.
    const double length =
        std::hypot(std::hypot(x.value(last), y.value(last)), std::hypot(z.value(last), w.value(1)));
    return x.size() > 2 || !(std::abs(length - 1.0) <= length_tolerance);
}

namespace {

RawFloat narrow(double value) { return RawFloat(static_cast<float>(value)); }

struct Point {
    double x = 0;
    double y = 0;
};

Point between(const Point& a, const Point& b, double u) {
    return {a.x + (b.x - a.x) * u, a.y + (b.y - a.y) * u};
}

/// The slope from one control point to the next, in values per second.
double slope_of(const Point& from, const Point& to, double length, double otherwise) {
    const double run = (to.x - from.x) * length;
    return run > 0.0 ? (to.y - from.y) / run : otherwise;
}

/// Divides a curved segment by a key between its two. The key's time is exact, its value is the curve's.
file::FullKey divided(file::FullKey& left, file::FullKey& right, const CurveKey& a, const CurveKey& b,
                      double seconds) {
    const Segment segment = segment_between(a, b);
    const double length = b.time - a.time;
    const double share = (seconds - a.time) / length;
    const double u = bezier_parameter(segment, share);
    const Point p0{0.0, a.value};
    const Point p1{segment.out_weight, a.value + a.out_tangent * segment.out_weight * length};
    const Point p2{1.0 - segment.in_weight, b.value - b.in_tangent * segment.in_weight * length};
    const Point p3{1.0, b.value};
    const Point q0 = between(p0, p1, u);
    const Point q1 = between(p1, p2, u);
    const Point q2 = between(p2, p3, u);
    const Point r0 = between(q0, q1, u);
    const Point r1 = between(q1, q2, u);
    const Point s = between(r0, r1, u);
    const auto part = [](double reach, double whole) {
        return whole > 0.0 ? narrow(reach / whole) : RawFloat();
    };
    file::FullKey middle;
    middle.time = narrow(seconds);
    middle.value = narrow(s.y);
    middle.in_tangent = narrow(slope_of(r0, s, length, 0.0));
    middle.out_tangent = narrow(slope_of(s, r1, length, 0.0));
    middle.in_weight = part(s.x - r0.x, s.x);
    middle.out_weight = part(r1.x - s.x, 1.0 - s.x);
    middle.weighted_mode = file::weighted_both;
    left.out_weight = part(q0.x, s.x);
    left.weighted_mode |= file::weighted_out;
    right.in_weight = part(1.0 - q2.x, 1.0 - s.x);
    right.weighted_mode |= file::weighted_in;
    return middle;
}

/// The key at a time inside the segment after key `left`.
file::FullKey key_inside(LooseCurve& curve, std::size_t left, double seconds, bool is_switch) {
    const CurveView view = curve.view(is_switch);
    const CurveKey a = view.key(left);
    const CurveKey b = view.key(left + 1);
    const Segment::Kind kind = is_switch ? Segment::Kind::step : segment_between(a, b).kind;
    if (kind == Segment::Kind::curved) {
        return divided(curve.keys[left], curve.keys[left + 1], a, b, seconds);
    }
    file::FullKey key = full_key_of({narrow(seconds), narrow(view.evaluate(seconds))});
    if (kind == Segment::Kind::step && !is_switch) {
        key.in_tangent = curve.keys[left].out_tangent;
        key.out_tangent = RawFloat(INFINITY);
        return key;
    }
    // A line whose tangents are on it stays one with the same tangents.
    const file::FullKey& before = curve.keys[left];
    if (before.weighted_mode != file::weighted_both || before.out_weight.value() != 0.0F) {
        key.in_tangent = curve.keys[left].out_tangent;
        key.out_tangent = curve.keys[left + 1].in_tangent;
        key.weighted_mode = 0;
    }
    return key;
}

/// A key that holds a value.
file::FullKey held_key(double seconds, RawFloat value) { return full_key_of({narrow(seconds), value}); }

}  // namespace

LooseCurves taken_apart(const file::Document& document) {
    LooseCurves curves(file::curve_count);
    for (std::size_t i = 0; i < file::curve_count; ++i) {
        const CurveView view(document, i);
        curves[i].pre_wrap = view.pre_wrap();
        curves[i].post_wrap = view.post_wrap();
        curves[i].keys.reserve(view.size());
        for (std::size_t key = 0; key < view.size(); ++key) {
            curves[i].keys.push_back(view.full_key(key));
        }
    }
    return curves;
}

file::Document head_of(const file::Document& document) {
    file::Document head;
    head.minor = document.minor;
    head.sections = document.sections;
    head.layout = document.layout;
    head.markers = document.markers;
    head.marker_names = document.marker_names;
    head.trailing = document.trailing;
    return head;
}

file::Document put_together(const file::Document& like, const LooseCurves& curves) {
    file::Document document = head_of(like);
    for (std::size_t i = 0; i < file::curve_count; ++i) {
        file::Curve& made = document.curves[i];
        const bool full = document.has_full_keys(i);
        made.first = full ? document.full_keys.size() : document.simple_keys.size();
        if (!document.stores(i)) {
            continue;
        }
        const LooseCurve& curve = curves[i];
        made = {made.first, static_cast<std::uint32_t>(curve.keys.size()), curve.pre_wrap, curve.post_wrap};
        if (full) {
            document.full_keys.insert(document.full_keys.end(), curve.keys.begin(), curve.keys.end());
            continue;
        }
        for (const file::FullKey& key : curve.keys) {
            document.simple_keys.push_back({key.time, key.value});
        }
    }
    return document;
}

std::size_t cut_before(LooseCurve& curve, double seconds, bool is_switch) {
    if (curve.keys.empty()) {
        return 0;
    }
    const std::size_t before = curve.view().keys_until(seconds);
    std::vector<file::FullKey>& keys = curve.keys;
    if (before == 0) {
        return 0;
    }
    if (static_cast<double>(keys[before - 1].time.value()) == seconds) {
        keys.erase(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(before - 1));
        return 0;
    }
    const file::FullKey first = before == keys.size() ? held_key(seconds, keys.back().value)
                                                      : key_inside(curve, before - 1, seconds, is_switch);
    keys.erase(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(before));
    keys.insert(keys.begin(), first);
    return 1;
}

std::size_t cut_after(LooseCurve& curve, double seconds, bool is_switch) {
    if (curve.keys.empty()) {
        return 0;
    }
    const std::size_t until = curve.view().keys_until(seconds);
    std::vector<file::FullKey>& keys = curve.keys;
    if (until == keys.size()) {
        return 0;
    }
    const bool has_key = until > 0 && static_cast<double>(keys[until - 1].time.value()) == seconds;
    if (has_key) {
        keys.resize(until);
        return 0;
    }
    const file::FullKey last =
        until == 0 ? held_key(seconds, keys.front().value) : key_inside(curve, until - 1, seconds, is_switch);
    keys.resize(until);
    keys.push_back(last);
    return 1;
}

RawFloat retimed(RawFloat time, double shift, double speed) {
    return narrow((static_cast<double>(time.value()) + shift) / speed);
}

void retime(LooseCurve& curve, double shift, double speed) {
    for (file::FullKey& key : curve.keys) {
        key.time = retimed(key.time, shift, speed);
        if (speed != 1.0) {
            key.in_tangent = narrow(static_cast<double>(key.in_tangent.value()) * speed);
            key.out_tangent = narrow(static_cast<double>(key.out_tangent.value()) * speed);
        }
    }
}

void sort_keys(LooseCurve& curve) {
    std::ranges::stable_sort(curve.keys, [](const file::FullKey& a, const file::FullKey& b) {
        return a.time.value() < b.time.value();
    });
}

namespace {

/// A wrap mode that does not repeat; the present one if it does not.
std::int32_t held_wrap(std::int32_t present) { return repeats(present) ? file::clamp_forever : present; }

}  // namespace

bool is_repeating(const CurveView& curve) {
    return curve.size() > 1 && curve.time(curve.size() - 1) > curve.time(0) &&
           (repeats(curve.pre_wrap()) || repeats(curve.post_wrap()));
}

std::size_t repeating_curves(const file::Document& document) {
    std::size_t count = 0;
    for (std::size_t curve = 0; curve < file::curve_count; ++curve) {
        count += is_repeating(CurveView(document, curve)) ? 1 : 0;
    }
    return count;
}

file::Document held(file::Document document) {
    for (file::Curve& curve : document.curves) {
        curve.pre_wrap = held_wrap(curve.pre_wrap);
        curve.post_wrap = held_wrap(curve.post_wrap);
    }
    return document;
}

void hold(LooseCurve& curve) {
    curve.pre_wrap = held_wrap(curve.pre_wrap);
    curve.post_wrap = held_wrap(curve.post_wrap);
}

}  // namespace animbridge::mrtk::curves
