// SPDX-License-Identifier: MIT
#include "cli/print_oban.h"

#include <array>
#include <charconv>

namespace animbridge::cli {

namespace {

/// Six digits tell a person enough; the JSON has them all.
std::string six_digits(const Json& value) {
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value.get<double>(),
                                   std::chars_format::general, 6);
    return {text.data(), end.ptr};
}

std::string listed(const Json& items) {
    std::string text;
    for (const Json& item : items) {
        text += text.empty() ? "" : ", ";
        text += item.is_string()   ? item.get<std::string>()
                : item.is_object() ? item.dump()
                                   : six_digits(item);
    }
    return text.empty() ? "none" : text;
}

std::string shown_name(const Json& name) {
    return name.is_string() ? name.get<std::string>() : "hex:" + name["hex"].get<std::string>();
}

std::string flags_text(const Json& report) {
    const std::string names = listed(report["flags"]);
    return report["unknown_flags"] == 0 ? names
                                        : names + ", and unknown ones: " + report["unknown_flags"].dump();
}

}  // namespace

std::string oban_info_text(const std::string& file, const Json& report) {
    std::string text = file + ": " + report["title"].get<std::string>() + "\n";
    const auto row = [&](const std::string& label, const std::string& value) {
        text += "  " + label + std::string(22 - label.size(), ' ') + value + "\n";
    };
    const std::string name = shown_name(report["name"]);
    row("container", report["container"].get<std::string>() + ", " + report["bytes"].dump() + " bytes");
    row("name", name.empty() ? "none" : name);
    row("duration", six_digits(report["duration_seconds"]) + " s, " + report["frame_count"].dump() +
                        " frames at " + six_digits(report["frames_per_second"]) + " a second");
    row("keys",
        report["keys"].dump() + (report["keys"] == 0 ? ""
                                                     : ", frames " + report["first_key_frame"].dump() +
                                                           " to " + report["last_key_frame"].dump()));
    row("flags", flags_text(report));
    row("half stop frame", report["half_stop_frame"].dump());
    row("frame length", report["frame_length"].dump());
    row("base", report["base"] == "scale" ? "scale " + listed(report["base_scale"])
                                          : report["base"].get<std::string>());
    row("lost in XML", listed(report["lost_in_xml"]));
    return text;
}

std::string oban_pose_text(const Json& report) {
    std::string text;
    for (const Json& pose : report["poses"]) {
        text += six_digits(pose["seconds"]) + " s: frame " + six_digits(pose["frame"]) + "\n";
        text += "  rotation w x y z        " + listed(pose["rotation_wxyz"]) + "\n";
        text += "  position, units         " + listed(pose["position"]) + "\n";
        text += "  matrix                  " + listed(pose["matrix"]) + "\n";
    }
    return text;
}

std::string left_behind_text(const Json& report) {
    const auto left = report.find("left_behind");
    return left == report.end() || left->empty() ? "" : "left behind: " + listed(*left) + "\n";
}

}  // namespace animbridge::cli
