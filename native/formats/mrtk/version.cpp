// SPDX-License-Identifier: MIT
#include "formats/mrtk/version.h"

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

/// Straight lines between keys; a step gets a key just before its jump.
void straighten(LooseCurve& curve, VersionChange& change) {
    std::vector<FullKey> keys;
    keys.reserve(curve.keys.size());
    for (std::size_t i = 0; i < curve.keys.size(); ++i) {
        const FullKey& key = curve.keys[i];
        const Segment::Kind kind = i == 0 ? Segment::Kind::linear : kind_before(curve, i);
        change.curved_segments += kind == Segment::Kind::curved ? 1 : 0;
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
    VersionChange change{like.minor, minor};
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
            {"curved_segments", change.curved_segments},
            {"steps", change.steps},
            {"gaze_keys", change.gaze_keys},
            {"empty_sections", change.empty_sections}};
}

}  // namespace animbridge::mrtk
