// SPDX-License-Identifier: MIT
#include "bridges/sl_anim_to_bvh/describe.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/base.h"
#include "base/options/options.h"

namespace animbridge::sl_anim_to_bvh {

namespace {

std::string counted(const Json& number, const std::string& thing) {
    const auto count = number.get<std::size_t>();
    return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

std::string decimal(double value) {
    std::array<char, 400> text{};  // the largest double has 309 digits before the point
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, 3);
    return {text.data(), end.ptr};
}

/// The first few names; if there are more, also their number.
std::string first_names(const Json& names) {
    constexpr std::size_t most = 8;
    std::string text;
    for (std::size_t i = 0; i < std::min(most, names.size()); ++i) {
        text += text.empty() ? "" : ", ";
        text += names[i].get<std::string>();
    }
    return names.size() <= most ? text : text + ", ... (" + std::to_string(names.size()) + ")";
}

Json keys_of(const Json& object) {
    Json keys = Json::array();
    for (const auto& [key, value] : object.items()) {
        keys.push_back(key);
    }
    return keys;
}

/// A line of the text; empty without names.
std::string line(const std::string& title, const Json& names) {
    return names.empty() ? "" : title + ": " + first_names(names) + "\n";
}

/// More joints than this are only counted; the JSON report lists all.
constexpr std::size_t most_shown = 8;

std::string lost_lines(const Json& lost) {
    std::string text;
    for (const auto& [name, value] : lost.items()) {
        text += "  " + name + ": ";
        text += (value.is_object() && value.size() > most_shown ? std::to_string(value.size()) + " joints"
                                                                : value.dump()) +
                "\n";
    }
    return text.empty() ? "" : "a BVH cannot store:\n" + text;
}

/// Quotes for a shell: a single quote ends the quoted text and is escaped on its own.
std::string quoted(const std::string& text) {
    std::string shell = "'";
    for (const char letter : text) {
        if (letter == '\'') {
            shell += R"('\'')";
        } else {
            shell += letter;
        }
    }
    return shell + "'";
}

/// JSON for a terminal. without_controls writes \uNNNN, as JSON does, for all control characters except DEL.
std::string shown_json(const Json& json) {
    std::string text;
    for (const char letter : json.dump()) {
        text += letter == '\x7F' ? std::string("\\u007f") : std::string(1, letter);
    }
    return without_controls(text);
}

std::string give_back_line(const Json& edits) {
    if (edits.empty()) {
        return {};
    }
    const bool many = edits.contains("joint_priorities") && edits["joint_priorities"].size() > most_shown;
    return "to restore these in the .anim, convert the BVH back with --edit " +
           (many ? "and the value of \"give_back\" that --json prints" : quoted(shown_json(edits))) + "\n";
}

std::string place(const Json& measured, const std::string& what) {
    const auto joint = measured[what + "_joint"].get<std::string>();
    return joint.empty()
               ? ""
               : " (" + joint + ", at " + decimal(measured[what + "_at_seconds"].get<double>()) + " s)";
}

std::string upload_line(const Json& measured) {
    return "largest error after an upload: " + measured_text(measured["rotation_degrees"].get<double>()) +
           " degrees" + place(measured, "rotation") + ", " +
           measured_text(measured["position_mm"].get<double>()) + " mm" + place(measured, "position") + "\n";
}

}  // namespace

std::string describe(const Json& report, const Json& give_back) {
    std::string text = counted(report["joints"], "animated joint") + ", " +
                       counted(report["frames"], "frame") + " of " + report["frame_time_seconds"].dump() +
                       " s";
    text +=
        report["fits_keys"].get<bool>() ? ": every key is on a frame\n" : ": some keys are between frames\n";
    text += line("frame 0 differs from the rest pose, so that the viewer does not drop",
                 report["frame_0_shifted"]);
    text += line("frames changed by less than a degree, so that the viewer does not drop keys",
                 keys_of(report["frames_moved"]));
    text += line("tracks that the viewer adds", report["tracks_added"]);
    text += line("in the avatar's axes: right for the viewer, wrong for other programs", report["own_axes"]);
    for (const Json& row : report["left_out"]) {
        const Json& joint = row["joint"];
        text += "left out: " + (joint.is_string() ? joint.get<std::string>() : joint.dump());
        text += ": " + row["reason"].get<std::string>() + "\n";
    }
    text += upload_line(report["after_upload"]);
    text += lost_lines(report["lost"]);
    return text + give_back_line(give_back);
}

}  // namespace animbridge::sl_anim_to_bvh
