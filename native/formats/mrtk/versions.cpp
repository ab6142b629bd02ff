// SPDX-License-Identifier: MIT
#include "formats/mrtk/versions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "formats/mrtk/unity_curve.h"

namespace animbridge::mrtk {

namespace {

CurveKey curve_key(const FullKey& key) {
    return {key.time.value(),      key.value.value(),      key.in_tangent.value(), key.out_tangent.value(),
            key.in_weight.value(), key.out_weight.value(), key.weighted_mode};
}

FullKey line_key(float seconds, float value) { return full_key_of({RawFloat(seconds), RawFloat(value)}); }

/// The same motion in lines.
std::vector<FullKey> in_lines(const std::vector<FullKey>& keys) {
    std::vector<FullKey> lines;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        lines.push_back(full_key_of({keys[i].time, keys[i].value}));
        if (i + 1 == keys.size()) {
            break;
        }
        const CurveKey left = curve_key(keys[i]);
        const CurveKey right = curve_key(keys[i + 1]);
        const Segment segment = segment_between(left, right);
        if (segment.kind == Segment::Kind::step) {
            const float before =
                std::nextafter(keys[i + 1].time.value(), -std::numeric_limits<float>::infinity());
            if (before > keys[i].time.value()) {
                lines.push_back(line_key(before, keys[i].value.value()));
            }
        } else if (segment.kind == Segment::Kind::curved) {
            const double length = right.time - left.time;
            const int pieces = std::max(1, static_cast<int>(std::ceil(length / longest_line_seconds)));
            for (int piece = 1; piece < pieces; ++piece) {
                const double seconds = left.time + length * piece / pieces;
                lines.push_back(line_key(static_cast<float>(seconds),
                                         static_cast<float>(value_between(left, right, seconds))));
            }
        }
    }
    return lines;
}

}  // namespace

Version chosen(const Builder& builder, Version wanted) {
    if (wanted != Version::automatic) {
        return wanted;
    }
    return builder.is_linear() || builder.has_gaze() ? Version::v1_1 : Version::v1_0;
}

Document in_version(Builder builder, Version version) {
    const bool is_1_1 = chosen(builder, version) == Version::v1_1;
    for (std::size_t i = 0; is_1_1 && i < curve_count; ++i) {
        if (!is_switch(i)) {
            builder.keys.at(i) = in_lines(builder.keys.at(i));
        }
    }
    return builder.build(is_1_1);
}

std::vector<std::string> lost_in(const Builder& builder, Version version) {
    std::vector<std::string> lost;
    if (chosen(builder, version) == Version::v1_0) {
        if (builder.has_gaze()) {
            lost.emplace_back("the gaze, which version 1.0 has no place for");
        }
    } else if (!builder.is_linear()) {
        lost.emplace_back("curves between keys, which become straight lines of at most 1/120 s");
    }
    return lost;
}

}  // namespace animbridge::mrtk
