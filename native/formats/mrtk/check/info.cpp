// SPDX-License-Identifier: MIT
#include "formats/mrtk/check/check.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/options/options.h"
#include "formats/mrtk/curves/curves.h"

namespace animbridge::mrtk::check {

namespace {

/// The number of keys of some curves, and the first and last of their finite times.
struct KeySpan {
    std::size_t keys = 0;
    double first = std::numeric_limits<double>::infinity();
    double last = -std::numeric_limits<double>::infinity();

    void add(const file::Document& document, std::size_t from, std::size_t count) {
        for (std::size_t i = from; i < from + count; ++i) {
            const curves::CurveView view(document, i);
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

Json hand_json(const file::Document& document, std::size_t hand) {
    KeySpan span;
    Json joints = Json::array();
    for (std::size_t joint = 0; joint < file::joint_count; ++joint) {
        const std::size_t pose = file::pose_of(hand, joint);
        span.add(document, file::first_curve_of(pose), file::pose_curves);
        if (curves::has_keys(document, pose)) {
            joints.push_back(file::joint_names.at(joint));
        }
    }
    Json row = {{"hand", file::hand_names.at(hand)}, {"joints", std::move(joints)}};
    row.update(span.json());
    row["tracked_keys"] = document.curves[file::first_switch + hand].count;
    row["pinch_keys"] = document.curves[file::first_switch + file::hand_count + hand].count;
    return row;
}

Json markers_info(const file::Document& document) {
    return list_json(file::named_markers(document), [](const file::NamedMarker& marker) -> Json {
        return {{"seconds", json_float(marker.time)}, {"name", json_text(marker.name)}};
    });
}

/// The number of segments between keys that are not straight lines.
std::size_t curved_segments(const file::Document& document) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < file::curve_count; ++i) {
        const curves::CurveView view(document, i);
        for (std::size_t key = 1; document.has_full_keys(i) && key < view.size(); ++key) {
            const bool is_line = curves::segment_between(view.key(key - 1), view.key(key)).kind ==
                                 curves::Segment::Kind::linear;
            count += is_line ? 0 : 1;
        }
    }
    return count;
}

}  // namespace

Json info(const file::Document& document) {
    KeySpan camera;
    camera.add(document, 0, file::pose_curves);
    KeySpan gaze;
    gaze.add(document, file::first_gaze_curve, file::gaze_curves);
    return {{"format", "mrtk"},
            {"title", "MRTK input animation"},
            {"version", file::version_text(document)},
            {"layout", file::name_of(document.layout)},
            {"size_bytes", file::file_bytes(document)},
            {"duration_seconds", curves::duration_seconds(document)},
            {"first_seconds", curves::first_seconds(document)},
            {"keys", document.full_keys.size() + document.simple_keys.size()},
            {"curved_segments", curved_segments(document)},
            {"camera", camera.json()},
            {"hands", Json::array({hand_json(document, 0), hand_json(document, 1)})},
            {"gaze", gaze.json()},
            {"markers", markers_info(document)},
            {"trailing_bytes", document.trailing.size()}};
}

namespace {

std::string layout_text(const Json& name) {
    for (const file::Layout layout :
         {file::Layout::no_markers, file::Layout::wide_keys, file::Layout::wide_keys_no_markers}) {
        if (name == file::name_of(layout)) {
            return std::string(file::words_of(layout));
        }
    }
    return plain_text(name);
}

/// "1250 keys, 0.1 s to 12 s", or that there are none.
std::string span_text(const Json& span) {
    if (span["keys"] == 0) {
        return "none";
    }
    if (span["last_seconds"].is_null()) {
        return counted(span["keys"].get<std::uint64_t>(), "key");
    }
    return counted(span["keys"].get<std::uint64_t>(), "key") + ", " + six_digits(span["first_seconds"]) +
           " s to " + six_digits(span["last_seconds"]) + " s";
}

/// The joints, or the missing ones if that is shorter.
std::string joints_text(const Json& joints) {
    const auto has = [&](std::string_view name) {
        return std::ranges::any_of(joints, [&](const Json& joint) { return joint == name; });
    };
    std::string missing;
    std::size_t count = 0;
    for (std::size_t joint = 1; joint < file::joint_count; ++joint) {
        if (!has(file::joint_names.at(joint))) {
            missing += (count++ == 0 ? "" : ", ") + std::string(file::joint_names.at(joint));
        }
    }
    const std::string all = std::to_string(file::joint_count - 1);
    const std::string found = std::to_string(file::joint_count - 1 - count);
    const std::string extra = has(file::joint_names[file::Joint::none]) ? " and None" : "";
    if (count == 0) {
        return "all " + all + " joints" + extra;
    }
    return found + " of " + all + " joints" + extra + (count <= 8 ? ", without " + missing : "");
}

void describe_hand(const Json& hand, std::string& text) {
    const std::string label = plain_text(hand["hand"]) + " hand";
    const bool exists = hand["keys"] != 0;
    text += "  " + left_aligned(label, 16) + (exists ? joints_text(hand["joints"]) : "no joints") + "\n";
    if (exists) {
        text += "  " + left_aligned("", 16) + span_text(hand) + "\n";
    }
    text += "  " + left_aligned("", 16) + counted(hand["tracked_keys"].get<std::uint64_t>(), "tracked key") +
            ", " + counted(hand["pinch_keys"].get<std::uint64_t>(), "pinch key") + "\n";
}

}  // namespace

std::string describe(const std::string& file, const Json& info) {
    std::string text =
        file + ": " + plain_text(info["title"]) + ", version " + plain_text(info["version"]) + "\n";
    const auto row = [&](const std::string& label, const std::string& value) {
        text += "  " + left_aligned(label, 16) + value + "\n";
    };
    row("size", plain_text(info["size_bytes"]) + " bytes");
    if (info["layout"] != "specified") {
        row("layout", layout_text(info["layout"]));
    }
    row("duration", six_digits(info["duration_seconds"]) + " s");
    if (info["first_seconds"].get<double>() < 0.0) {
        row("begins at", six_digits(info["first_seconds"]) + " s");
    }
    row("keys", plain_text(info["keys"]));
    if (info["curved_segments"] != 0) {
        row("curved", plain_text(info["curved_segments"]) +
                          (info["curved_segments"] == 1 ? " segment between keys is not straight"
                                                        : " segments between keys are not straight"));
    }
    row("camera", span_text(info["camera"]));
    for (const Json& hand : info["hands"]) {
        describe_hand(hand, text);
    }
    row("gaze", span_text(info["gaze"]));
    row("markers", info["markers"].empty() ? "none" : std::to_string(info["markers"].size()));
    for (const Json& marker : info["markers"]) {
        text += "    " + plain_text(marker["seconds"]) + " s  " + plain_text(marker["name"]) + "\n";
    }
    if (info["trailing_bytes"] != 0) {
        row("trailing", counted(info["trailing_bytes"].get<std::uint64_t>(), "byte"));
    }
    return text;
}

std::string describe_poses(const Json& report) {
    std::string text;
    for (const Json& pose : report["poses"]) {
        text += six_digits(pose["seconds"]) + " s\n  " + left_aligned("joint", 24) +
                left_aligned("position", 36) + "rotation w, x, y, z\n";
        for (const Json& joint : pose["joints"]) {
            text += "  " + left_aligned(plain_text(joint["joint"]), 24) +
                    left_aligned(listed_text(joint["position"]), 36) + listed_text(joint["rotation_wxyz"]) +
                    "\n";
        }
        if (!pose["gaze"].is_null()) {
            text += "  " + left_aligned(std::string(file::gaze_name), 24) +
                    left_aligned(listed_text(pose["gaze"]["origin"]), 36) + "towards " +
                    listed_text(pose["gaze"]["direction"]) + "\n";
        }
        for (const std::string_view name : file::switch_names) {
            text += "  " + left_aligned(std::string(name), 24) + plain_text(pose[name]) + "\n";
        }
    }
    return text;
}

}  // namespace animbridge::mrtk::check
