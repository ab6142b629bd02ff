// SPDX-License-Identifier: MIT
#include "cli/print_bvh.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace animbridge::cli {

namespace {

std::string spaced(const std::string& text, std::size_t width) {
    return text + std::string(std::max(text.size() + 2, width) - text.size(), ' ');
}

std::string joined(const Json& names) {
    std::string text;
    for (const Json& name : names) {
        text += text.empty() ? "" : ", ";
        text += name.get<std::string>();
    }
    return text.empty() ? "none" : text;
}

/// Six digits tell a person enough; the JSON has them all.
std::string number(const Json& value) {
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value.get<double>(),
                                   std::chars_format::general, 6);
    return {text.data(), end.ptr};
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

std::string bvh_info_text(const std::string& file, const Json& report) {
    std::string text = file + ": " + report["title"].get<std::string>() + "\n";
    const auto row = [&](const std::string& label, const std::string& value) {
        text += "  " + spaced(label, 22) + value + "\n";
    };
    const Json& rate = report["frames_per_second"];
    row("frames", report["frames"].dump());
    row("frame time", report["frame_time_seconds"].dump() + " s" +
                          (rate.is_null() ? "" : " (" + number(rate) + " frames a second)"));
    row("duration",
        report["duration_seconds"].is_null() ? "none" : number(report["duration_seconds"]) + " s");
    row("joints", report["joint_count"].dump() + " with " + report["channels"].dump() + " channels");
    row("roots", joined(report["roots"]));
    row("rotation orders", orders_text(report["rotation_orders"]));
    row("positions below roots", joined(report["joints_with_positions"]));
    if (report["notes"] != 0) {
        row("notes", report["notes"].dump() + ", as check tells");
    }
    text += "  " + spaced("joint", 28) + spaced("parent", 28) + "channels\n";
    for (const Json& joint : report["joints"]) {
        const Json& parent = joint["parent"];
        text += "  " + spaced(joint["name"].get<std::string>(), 28) +
                spaced(parent.is_null() ? "" : parent.get<std::string>(), 28) + joined(joint["channels"]) +
                "\n";
    }
    return text;
}

}  // namespace animbridge::cli
