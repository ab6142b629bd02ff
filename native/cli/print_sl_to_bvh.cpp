// SPDX-License-Identifier: MIT
#include "cli/print_sl_to_bvh.h"

namespace animbridge::cli {

namespace {

std::string counted(const Json& number, const std::string& thing) {
    const auto count = number.get<std::size_t>();
    return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

std::string joined(const Json& names) {
    std::string text;
    for (const Json& name : names) {
        text += text.empty() ? "" : ", ";
        text += name.get<std::string>();
    }
    return text;
}

/// A line, where the report has something to fill it with.
std::string line(const std::string& title, const Json& names) {
    return names.empty() ? "" : title + ": " + joined(names) + "\n";
}

std::string lost_lines(const Json& lost) {
    std::string text;
    for (const auto& [name, value] : lost.items()) {
        text += "  " + name + ": ";
        text += value.dump() + "\n";
    }
    return text.empty() ? "" : "not in the BVH:\n" + text;
}

/// A single quote ends the shell's string, and stands by itself.
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

}  // namespace

std::string sl_to_bvh_text(const Json& report) {
    std::string text = counted(report["joints"], "animated joint") + ", " +
                       counted(report["frames"], "frame") + " of " + report["frame_time_seconds"].dump() +
                       " s";
    text +=
        report["fits_keys"].get<bool>() ? ": every key is on a frame\n" : ": keys lie between the frames\n";
    text += line("frame 0 is off rest, else the viewer's loader would drop", report["frame_0_shifted"]);
    text += line("tracks that the viewer's loader will add", report["tracks_added"]);
    text += line("in the avatar's axes, as the viewer's loader wants them, and amiss elsewhere",
                 report["own_axes"]);
    for (const Json& row : report["left_out"]) {
        const Json& joint = row["joint"];
        text += "left out: " + (joint.is_string() ? joint.get<std::string>() : joint.dump());
        text += ": " + row["reason"].get<std::string>() + "\n";
    }
    text += lost_lines(report["lost"]);
    if (!report["give_back"].empty()) {
        text += "on the way back to .anim: --edit " + quoted(report["give_back"].dump()) + "\n";
    }
    return text;
}

}  // namespace animbridge::cli
