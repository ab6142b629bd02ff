// SPDX-License-Identifier: MIT
#include "formats/mrtk/describe.h"

#include <algorithm>

#include "base/text_table.h"
#include "formats/mrtk/document.h"
#include "formats/mrtk/names.h"

namespace animbridge::mrtk {

namespace {

/// "1 key", "12 keys".
std::string counted_of(const Json& count, const std::string& one) {
    return plain_text(count) + " " + one + (count == 1 ? "" : "s");
}

std::string layout_text(const Json& name) {
    for (const Layout layout : {Layout::no_markers, Layout::wide_keys, Layout::wide_keys_no_markers}) {
        if (name == name_of(layout)) {
            return std::string(words_of(layout));
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
        return counted_of(span["keys"], "key");
    }
    return counted_of(span["keys"], "key") + ", " + six_digits(span["first_seconds"]) + " s to " +
           six_digits(span["last_seconds"]) + " s";
}

/// The joints, or the missing ones if that is shorter.
std::string joints_text(const Json& joints) {
    const auto has = [&](std::string_view name) {
        return std::any_of(joints.begin(), joints.end(), [&](const Json& joint) { return joint == name; });
    };
    std::string missing;
    std::size_t count = 0;
    for (std::size_t joint = 1; joint < joint_count; ++joint) {
        if (!has(joint_names.at(joint))) {
            missing += (count++ == 0 ? "" : ", ") + std::string(joint_names.at(joint));
        }
    }
    const std::string all = std::to_string(joint_count - 1);
    const std::string found = std::to_string(joint_count - 1 - count);
    const std::string extra = has(joint_names[Joint::none]) ? " and None" : "";
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
    text += "  " + left_aligned("", 16) + counted_of(hand["tracked_keys"], "tracked key") + ", " +
            counted_of(hand["pinch_keys"], "pinch key") + "\n";
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
        row("trailing", counted_of(info["trailing_bytes"], "byte"));
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
            text += "  " + left_aligned(std::string(gaze_name), 24) +
                    left_aligned(listed_text(pose["gaze"]["origin"]), 36) + "towards " +
                    listed_text(pose["gaze"]["direction"]) + "\n";
        }
        for (const std::string_view name : switch_names) {
            text += "  " + left_aligned(std::string(name), 24) + plain_text(pose[name]) + "\n";
        }
    }
    return text;
}

}  // namespace animbridge::mrtk
