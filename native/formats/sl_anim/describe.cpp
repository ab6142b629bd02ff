// SPDX-License-Identifier: MIT
#include "formats/sl_anim/describe.h"

#include "base/text_table.h"

namespace animbridge::sl_anim {

std::string describe(const std::string& file, const Json& info) {
    std::string text =
        file + ": " + plain_text(info["title"]) + ", version " + plain_text(info["version"]) + "\n";
    const auto row = [&](const std::string& label, const std::string& value) {
        text += "  " + left_aligned(label, 16) + value + "\n";
    };
    row("size", plain_text(info["size_bytes"]) + " bytes");
    row("duration", plain_text(info["duration_seconds"]) + " s");
    row("base priority", plain_text(info["base_priority"]));
    const bool loop = info["loop"].get<bool>();
    row("loop",
        loop ? plain_text(info["loop_in_seconds"]) + " s to " + plain_text(info["loop_out_seconds"]) + " s"
             : "no");
    row("ease in, out",
        plain_text(info["ease_in_seconds"]) + " s, " + plain_text(info["ease_out_seconds"]) + " s");
    row("hand pose", plain_text(info["hand_pose"]));
    row("emote", plain_text(info["emote"]).empty() ? "none" : plain_text(info["emote"]));
    row("keys",
        plain_text(info["rotation_keys"]) + " rotation, " + plain_text(info["position_keys"]) + " position");
    row("constraints", plain_text(info["constraint_count"]));
    for (const Json& constraint : info["constraints"]) {
        text += "    " + plain_text(constraint["type"]) + ": " + plain_text(constraint["source"]) + " to " +
                plain_text(constraint["target"]) + ", chain of " + plain_text(constraint["chain_length"]) +
                "\n";
    }
    if (info["trailing_bytes"] != 0) {
        row("trailing", plain_text(info["trailing_bytes"]) + " bytes");
    }
    text += "  " + left_aligned("joint", 24) + right_aligned("priority", 10) + right_aligned("rotation", 10) +
            right_aligned("position", 10) + "\n";
    for (const Json& joint : info["joints"]) {
        const bool alias = joint["joint"].is_string() && joint["joint"] != joint["name"];
        text += "  " + left_aligned(plain_text(joint["name"]), 24) +
                right_aligned(plain_text(joint["priority"]), 10) +
                right_aligned(plain_text(joint["rotation_keys"]), 10) +
                right_aligned(plain_text(joint["position_keys"]), 10);
        text += joint["joint"].is_null() ? "  (not in the skeleton)\n"
                : alias                  ? "  (" + plain_text(joint["joint"]) + ")\n"
                                         : "\n";
    }
    return text;
}

}  // namespace animbridge::sl_anim
