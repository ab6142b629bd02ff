// SPDX-License-Identifier: MIT
#include "formats/mrtk/version.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace animbridge::mrtk {

namespace {

Segment::Kind kind_before(const LooseCurve& curve, std::size_t key) {
    const CurveView view = curve.view();
    return segment_between(view.key(key - 1), view.key(key)).kind;
}

/// Adds keys on a curved segment, so that lines between them follow the curve.
void bend(const CurveView& view, std::size_t left, std::vector<FullKey>& keys, VersionChange& change) {
    const double length = view.time(left + 1) - view.time(left);
    const int pieces = lines_of(length);
    for (int piece = 1; piece < pieces; ++piece) {
        const RawFloat seconds(static_cast<float>(view.time(left) + length * piece / pieces));
        const auto at = static_cast<double>(seconds.value());
        if (at > static_cast<double>(keys.back().time.value()) && at < view.time(left + 1)) {
            const double value = value_between(view.key(left), view.key(left + 1), at);
            keys.push_back(full_key_of({seconds, RawFloat(static_cast<float>(value))}));
            ++change.line_keys;
        }
    }
    ++change.curved_segments;
}

/// Straight lines between keys; a step gets a key just before its jump.
void straighten(LooseCurve& curve, VersionChange& change) {
    std::vector<FullKey> keys;
    keys.reserve(curve.keys.size());
    const CurveView view = curve.view();
    for (std::size_t i = 0; i < curve.keys.size(); ++i) {
        const FullKey& key = curve.keys[i];
        const Segment::Kind kind = i == 0 ? Segment::Kind::linear : kind_before(curve, i);
        if (kind == Segment::Kind::curved) {
            bend(view, i - 1, keys, change);
        }
        if (kind == Segment::Kind::step && !(curve.keys[i - 1].value == key.value)) {
            const RawFloat before(std::nextafter(key.time.value(), -INFINITY));
            ++change.steps;
            if (before.value() > curve.keys[i - 1].time.value()) {
                keys.push_back(full_key_of({before, curve.keys[i - 1].value}));
            }
        }
        keys.push_back(full_key_of({key.time, key.value}));
    }
    curve.keys = std::move(keys);
}

}  // namespace

int lines_of(double seconds) {
    // Bounded before the conversion: a file's times may be anything.
    return static_cast<int>(
        std::clamp(std::ceil(seconds / longest_line_seconds), 1.0, static_cast<double>(most_lines)));
}

bool is_all_lines(const LooseCurves& curves) {
    for (std::size_t i = 0; i < curve_count; ++i) {
        for (std::size_t key = 1; !is_switch(i) && key < curves[i].keys.size(); ++key) {
            if (kind_before(curves[i], key) != Segment::Kind::linear) {
                return false;
            }
        }
    }
    return true;
}

VersionChange change_version(Document& like, LooseCurves& curves, std::int32_t minor) {
    VersionChange change{like.minor, minor, like.layout};
    const std::array<std::uint8_t, section_count> sections = like.sections;
    like.layout = Layout::specified;
    like.minor = minor;
    if (minor == 1) {
        for (std::size_t i = 0; i < curve_count; ++i) {
            if (!is_switch(i)) {
                straighten(curves[i], change);
            }
        }
        return change;
    }
    like.sections = {1, 1, 0};
    change.empty_sections = (sections[0] == 0 ? 1 : 0) + (sections[1] == 0 ? 1 : 0);
    for (std::size_t i = first_gaze_curve; i < curve_count; ++i) {
        change.gaze_keys += curves[i].keys.size();
        curves[i] = {};
    }
    return change;
}

Json version_json(const VersionChange& change) {
    return {{"from", "1." + std::to_string(change.from)},
            {"to", "1." + std::to_string(change.to)},
            {"from_layout", name_of(change.from_layout)},
            {"curved_segments", change.curved_segments},
            {"line_keys", change.line_keys},
            {"steps", change.steps},
            {"gaze_keys", change.gaze_keys},
            {"empty_sections", change.empty_sections}};
}

}  // namespace animbridge::mrtk
