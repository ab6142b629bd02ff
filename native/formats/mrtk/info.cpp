// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "formats/mrtk/json.h"
#include "formats/mrtk/poses.h"
#include "formats/mrtk/unity_curve.h"

namespace animbridge::mrtk {

namespace {

/// The number of keys of some curves, and the first and last of their finite times.
struct KeySpan {
    std::size_t keys = 0;
    double first = std::numeric_limits<double>::infinity();
    double last = -std::numeric_limits<double>::infinity();

    void add(const Document& document, std::size_t from, std::size_t count) {
        for (std::size_t i = from; i < from + count; ++i) {
            const CurveView view(document, i);
            keys += view.size();
            for (std::size_t key = 0; key < view.size(); ++key) {
                if (std::isfinite(view.time(key))) {
                    first = std::min(first, view.time(key));
                    last = std::max(last, view.time(key));
                }
            }
        }
    }
    [[nodiscard]] Json json() const {
        const auto time = [](double seconds) {
            return std::isfinite(seconds) ? Json(seconds) : Json(nullptr);
        };
        return {{"keys", keys}, {"first_seconds", time(first)}, {"last_seconds", time(last)}};
    }
};

Json hand_json(const Document& document, std::size_t hand) {
    KeySpan span;
    Json joints = Json::array();
    for (std::size_t joint = 0; joint < joint_count; ++joint) {
        const std::size_t pose = pose_of(hand, joint);
        span.add(document, first_curve_of(pose), pose_curves);
        if (has_keys(document, pose)) {
            joints.push_back(joint_names.at(joint));
        }
    }
    Json row = {{"hand", hand_names.at(hand)}, {"joints", std::move(joints)}};
    row.update(span.json());
    row["tracked_keys"] = document.curves[first_switch + hand].count;
    row["pinch_keys"] = document.curves[first_switch + hand_count + hand].count;
    return row;
}

Json markers_info(const Document& document) {
    Json rows = Json::array();
    for (const NamedMarker& marker : named_markers(document)) {
        rows.push_back({{"seconds", json_float(marker.time)}, {"name", json_text(marker.name)}});
    }
    return rows;
}

/// The number of segments between keys that are not straight lines.
std::size_t curved_segments(const Document& document) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < curve_count; ++i) {
        const CurveView view(document, i);
        for (std::size_t key = 1; document.has_full_keys(i) && key < view.size(); ++key) {
            const bool is_line =
                segment_between(view.key(key - 1), view.key(key)).kind == Segment::Kind::linear;
            count += is_line ? 0 : 1;
        }
    }
    return count;
}

}  // namespace

Json info(const Document& document) {
    KeySpan camera;
    camera.add(document, 0, pose_curves);
    KeySpan gaze;
    gaze.add(document, first_gaze_curve, gaze_curves);
    return {{"format", "mrtk"},
            {"title", "MRTK input animation"},
            {"version", version_text(document)},
            {"layout", name_of(document.layout)},
            {"size_bytes", file_bytes(document)},
            {"duration_seconds", duration_seconds(document)},
            {"first_seconds", first_seconds(document)},
            {"keys", document.full_keys.size() + document.simple_keys.size()},
            {"curved_segments", curved_segments(document)},
            {"camera", camera.json()},
            {"hands", Json::array({hand_json(document, 0), hand_json(document, 1)})},
            {"gaze", gaze.json()},
            {"markers", markers_info(document)},
            {"trailing_bytes", document.trailing.size()}};
}

}  // namespace animbridge::mrtk
