// SPDX-License-Identifier: MIT
#include "bridges/bvh_to_sl_anim/describe.h"

namespace animbridge::bvh_to_sl_anim {

namespace {

std::string shown_name(const Json& name) { return name.is_string() ? name.get<std::string>() : name.dump(); }

/// A line "label: a, b"; empty without names.
std::string names_line(const std::string& label, const Json& names) {
    std::string line;
    for (const Json& name : names) {
        line += (line.empty() ? label + ": " : ", ") + shown_name(name);
    }
    return line.empty() ? "" : line + "\n";
}

}  // namespace

std::string describe(const Json& report, const Json& /*give_back*/) {
    std::string text;
    const Json& broken = report.at("broken_rule");
    if (!broken.is_null()) {
        text += "line " + broken.at("line").dump() + ": " + broken.at("reason").get<std::string>() +
                "; read anyway\n";
    }
    text += names_line("dropped, because they do not move after frame 0", report.at("dropped"));
    text += names_line("limited to priority 4, as in the upload dialog", report.at("clamped"));
    for (const Json& warning : report.at("warnings")) {
        text += "warning: " + warning.get<std::string>() + "\n";
    }
    const bool has_other_root = !broken.is_null() && broken.at("field") == "ROOT";
    if (has_other_root || !report.at("unknown_joints").empty()) {
        text +=
            "The viewer does not know all joints. To move the avatar like this skeleton, whatever its joints "
            "are called, add --retarget.\n";
    }
    return text;
}

}  // namespace animbridge::bvh_to_sl_anim
