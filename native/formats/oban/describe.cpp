// SPDX-License-Identifier: MIT
#include "formats/oban/describe.h"

#include "base/text_table.h"

namespace animbridge::oban {

namespace {

std::string flags_text(const Json& report) {
    const std::string names = listed_text(report["flags"]);
    return report["unknown_flags"] == 0 ? names
                                        : names + ", and unknown ones: " + report["unknown_flags"].dump();
}

}  // namespace

std::string describe(const std::string& file, const Json& info) {
    std::string text = file + ": " + info["title"].get<std::string>() + "\n";
    const auto row = [&](const std::string& label, const std::string& value) {
        text += "  " + label + std::string(22 - label.size(), ' ') + value + "\n";
    };
    const std::string name = plain_text(info["name"]);
    row("container", info["container"].get<std::string>() + ", " + info["bytes"].dump() + " bytes");
    row("name", name.empty() ? "none" : name);
    row("duration", six_digits(info["duration_seconds"]) + " s, " + info["frame_count"].dump() +
                        " frames at " + six_digits(info["frames_per_second"]) + " per second");
    row("keys", info["keys"].dump() + (info["keys"] == 0 ? ""
                                                         : ", frames " + info["first_key_frame"].dump() +
                                                               " to " + info["last_key_frame"].dump()));
    row("flags", flags_text(info));
    row("half stop frame", info["half_stop_frame"].dump());
    row("frame length", info["frame_length"].dump());
    row("base", info["base"] == "scale" ? "scale " + listed_text(info["base_scale"])
                                        : info["base"].get<std::string>());
    row("lost in XML", listed_text(info["lost_in_xml"]));
    return text;
}

std::string describe_poses(const Json& report) {
    std::string text;
    for (const Json& pose : report["poses"]) {
        text += six_digits(pose["seconds"]) + " s: frame " + six_digits(pose["frame"]) + "\n";
        text += "  rotation w x y z        " + listed_text(pose["rotation_wxyz"]) + "\n";
        text += "  position, units         " + listed_text(pose["position"]) + "\n";
        text += "  matrix                  " + listed_text(pose["matrix"]) + "\n";
    }
    return text;
}

std::string describe_left_behind(const Json& report) {
    const auto left = report.find("left_behind");
    return left == report.end() || left->empty() ? ""
                                                 : "not stored in this format: " + listed_text(*left) + "\n";
}

}  // namespace animbridge::oban
