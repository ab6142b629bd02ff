// SPDX-License-Identifier: MIT
#include "formats/bvh/check/check.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/options/options.h"

namespace animbridge::bvh::check {

namespace {

/// Shortened: nobody reads more of a name, and every child repeats it.
std::string printable(std::string_view text) {
    constexpr std::size_t longest = 256;
    const std::string_view shown = shortened(text, longest);
    std::string printed = is_utf8(shown) ? std::string(shown) : "hex:" + hex_of(shown);
    return printed + (shown.size() < text.size() ? "..." : "");
}

/// Axis letters in file order, such as "ZXY"; empty without rotation channels.
std::string rotation_order(const file::Joint& joint) {
    std::string order;
    for (const file::ChannelKind kind : joint.channels) {
        if (file::is_rotation(kind)) {
            order += "XYZ"[file::axis_of(kind)];
        }
    }
    return order;
}

Json joint_info(const file::Document& document, const file::Joint& joint) {
    return {
        {"name", printable(joint.name)},
        {"parent", joint.parent ? Json(printable(document.joints[*joint.parent].name)) : Json(nullptr)},
        {"channels", list_json(joint.channels, [](file::ChannelKind kind) { return file::name_of(kind); })},
        {"rotation_order", rotation_order(joint)},
        {"end_sites", joint.end_sites.size()}};
}

}  // namespace

Json info(const file::Document& document) {
    std::map<std::string, std::size_t> orders;
    Json joints = Json::array();
    joints.reserve(document.joints.size());
    Json roots = Json::array();
    Json with_positions = Json::array();
    for (const file::Joint& joint : document.joints) {
        joints.push_back(joint_info(document, joint));
        if (!joint.parent) {
            roots.push_back(printable(joint.name));
        } else if (file::has_positions(joint)) {
            with_positions.push_back(printable(joint.name));
        }
        if (const std::string order = rotation_order(joint); !order.empty()) {
            ++orders[order];
        }
    }
    const double seconds = document.frame_time_seconds;
    const double rate = 1.0 / seconds;
    const double duration = static_cast<double>(std::max<std::size_t>(document.frame_count, 1) - 1) * seconds;
    return {{"format", "bvh"},
            {"title", "BVH motion"},
            {"frames", document.frame_count},
            {"frame_time_seconds", seconds},
            {"frames_per_second", std::isfinite(rate) ? Json(rate) : Json(nullptr)},
            {"duration_seconds", std::isfinite(duration) ? Json(duration) : Json(nullptr)},
            {"joint_count", document.joints.size()},
            {"channels", document.channel_count()},
            {"roots", std::move(roots)},
            {"rotation_orders", orders},
            {"joints_with_positions", std::move(with_positions)},
            {"notes", document.notes.size()},
            {"joints", std::move(joints)}};
}

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

}  // namespace animbridge::bvh::check
