// SPDX-License-Identifier: MIT
#include "formats/bvh/describe.h"

#include <algorithm>

#include "base/text_table.h"

namespace animbridge::bvh {

namespace {

std::string spaced(const std::string& text, std::size_t width) {
    return text + std::string(std::max(text.size() + 2, width) - text.size(), ' ');
}

std::string joined_names(const Json& names) {
    std::string text;
    for (const Json& name : names) {
        text += text.empty() ? "" : ", ";
        text += name.get<std::string>();
    }
    return text.empty() ? "none" : text;
}

std::string orders_text(const Json& orders) {
    std::string text;
    for (const auto& [order, count] : orders.items()) {
        text += text.empty() ? "" : ", ";
        text += order;
        text += " (" + count.dump() + ")";
    }
    return text.empty() ? "none" : text;
}

}  // namespace

std::string describe(const std::string& file, const Json& info) {
    std::string text = file + ": " + info["title"].get<std::string>() + "\n";
    const auto row = [&](const std::string& label, const std::string& value) {
        text += "  " + spaced(label, 22) + value + "\n";
    };
    const Json& rate = info["frames_per_second"];
    row("frames", info["frames"].dump());
    row("frame time", info["frame_time_seconds"].dump() + " s" +
                          (rate.is_null() ? "" : " (" + six_digits(rate) + " frames per second)"));
    row("duration",
        info["duration_seconds"].is_null() ? "none" : six_digits(info["duration_seconds"]) + " s");
    row("joints", info["joint_count"].dump() + " with " + info["channels"].dump() + " channels");
    row("roots", joined_names(info["roots"]));
    row("rotation orders", orders_text(info["rotation_orders"]));
    row("positions below roots", joined_names(info["joints_with_positions"]));
    if (info["notes"] != 0) {
        row("notes", info["notes"].dump() + "; see animbridge check");
    }
    text += "  " + spaced("joint", 28) + spaced("parent", 28) + "channels\n";
    for (const Json& joint : info["joints"]) {
        const Json& parent = joint["parent"];
        text += "  " + spaced(joint["name"].get<std::string>(), 28) +
                spaced(parent.is_null() ? "" : parent.get<std::string>(), 28) +
                joined_names(joint["channels"]) + "\n";
    }
    return text;
}

}  // namespace animbridge::bvh
