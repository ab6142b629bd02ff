// SPDX-License-Identifier: MIT
#include "formats/mrtk/file/file.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace animbridge::mrtk::file {

namespace {

constexpr std::size_t version_end = 16;

std::size_t marker_bytes(const Document& document) {
    const std::size_t names = document.marker_names.size();
    return std::accumulate(
        document.markers.begin(), document.markers.end(), sizeof(std::int32_t) + names,
        [](std::size_t sum, const Marker& marker) { return sum + sizeof(RawFloat) + marker.length_bytes; });
}

}  // namespace

std::uint8_t length_bytes_of(std::size_t length) {
    std::uint8_t bytes = 1;
    for (; length > 0x7F; length >>= 7U) {
        ++bytes;
    }
    return bytes;
}

std::vector<NamedMarker> named_markers(const Document& document) {
    std::vector<NamedMarker> named;
    named.reserve(document.markers.size());
    std::size_t at = 0;
    for (const Marker& marker : document.markers) {
        named.push_back({marker.time, std::string_view(document.marker_names).substr(at, marker.name_bytes)});
        at += marker.name_bytes;
    }
    return named;
}

std::string version_text(const Document& document) { return "1." + std::to_string(document.minor); }

std::string_view name_of(Layout layout) {
    constexpr std::array<std::string_view, 4> names = {"specified", "no_markers", "wide_keys",
                                                       "wide_keys_no_markers"};
    return names.at(static_cast<std::size_t>(layout));
}

std::string_view words_of(Layout layout) {
    constexpr std::array<std::string_view, 4> words = {
        "has the layout of its version", "ends before the list of markers",
        "has keys of 28 bytes in version 1.1",
        "has keys of 28 bytes in version 1.1, and ends before the list of markers"};
    return words.at(static_cast<std::size_t>(layout));
}

std::size_t header_bytes(const Document& document) {
    return version_end + (document.has_sections() ? section_count : 0);
}

std::size_t key_bytes(const Document& document, std::size_t curve) {
    return document.has_full_keys(curve) ? sizeof(FullKey) : sizeof(SimpleKey);
}

std::vector<std::size_t> curve_offsets(const Document& document) {
    std::vector<std::size_t> offsets;
    offsets.reserve(curve_count + 1);
    std::size_t at = header_bytes(document);
    for (std::size_t curve = 0; curve < curve_count; ++curve) {
        offsets.push_back(at);
        if (document.stores(curve)) {
            at += curve_header_bytes + document.curves[curve].count * key_bytes(document, curve);
        }
    }
    offsets.push_back(at);
    return offsets;
}

std::size_t file_bytes(const Document& document) {
    return curve_offsets(document).back() + (document.has_marker_list() ? marker_bytes(document) : 0) +
           document.trailing.size();
}

bool sniff(ByteView bytes) {
    if (bytes.size() < sizeof(magic)) {
        return false;
    }
    std::uint64_t found = 0;
    std::memcpy(&found, bytes.data(), sizeof(found));
    return found == magic;
}

namespace {

constexpr std::array<std::string_view, pose_curves> pose_parts = {
    "position.x", "position.y", "position.z", "rotation.x", "rotation.y", "rotation.z", "rotation.w"};
constexpr std::array<std::string_view, gaze_curves> gaze_parts = {
    "origin.x", "origin.y", "origin.z", "direction.x", "direction.y", "direction.z"};
constexpr std::array<std::string_view, switch_count> switch_curves = {"left.tracked", "right.tracked",
                                                                      "left.pinch", "right.pinch"};
constexpr std::array<std::string_view, hand_count> hand_prefixes = {"L_", "R_"};

constexpr std::size_t pose_with(std::size_t curve) {
    return curve < first_switch ? 0 : 1 + (curve - first_joint_curve) / pose_curves;
}

constexpr std::size_t part_of_pose(std::size_t curve) { return curve - first_curve_of(pose_with(curve)); }

}  // namespace

std::string pose_name(std::size_t pose) {
    return pose == 0 ? std::string(camera_name)
                     : std::string(hand_prefixes.at(hand_of(pose))).append(joint_names.at(joint_of(pose)));
}

std::string owner_of(std::size_t curve) {
    if (is_switch(curve)) {
        return std::string(switch_names.at(curve - first_switch));
    }
    return curve < first_gaze_curve ? pose_name(pose_with(curve)) : std::string(gaze_name);
}

std::string curve_name(std::size_t curve) {
    if (is_switch(curve)) {
        return std::string(switch_curves.at(curve - first_switch));
    }
    if (curve >= first_gaze_curve) {
        return std::string("gaze.").append(gaze_parts.at(curve - first_gaze_curve));
    }
    const std::size_t pose = pose_with(curve);
    std::string name = "camera";
    if (pose > 0) {
        name = std::string(hand_names.at(hand_of(pose))).append(".").append(joint_names.at(joint_of(pose)));
    }
    return name.append(".").append(pose_parts.at(part_of_pose(curve)));
}

bool is_of_recording(std::string_view name) {
    return name == gaze_name || name == gaze_direction_name || pose_named(name).has_value();
}

std::size_t named_joints(std::span<const std::string> names) {
    return static_cast<std::size_t>(std::ranges::count_if(names, [](const std::string& name) {
        const auto pose = pose_named(name);
        return pose && *pose > 0;
    }));
}

bool is_character(std::span<const std::string> names) {
    // A wrist and three fingers of three bones: with less, no hand is found.
    constexpr std::size_t fewest_of_a_hand = 10;
    std::array<std::size_t, hand_count> of_hand{};
    std::size_t views = 0;
    for (const std::string& name : names) {
        const auto pose = pose_named(name);
        if (pose && *pose > 0) {
            ++of_hand.at(hand_of(*pose));
        } else if (is_of_recording(name)) {
            ++views;
        }
    }
    const std::size_t named = of_hand[0] + of_hand[1];
    const std::size_t others = names.size() - named - views;
    if (named + views == 0) {
        return true;
    }
    return 2 * std::max(of_hand[0], of_hand[1]) < joint_count - 1 && others >= fewest_of_a_hand &&
           others > named;
}

std::optional<std::size_t> pose_named(std::string_view name) {
    for (std::size_t pose = 0; pose < pose_count; ++pose) {
        if (pose_name(pose) == name) {
            return pose;
        }
    }
    return std::nullopt;
}

namespace {

/// Seven bits per byte, the lowest first; every byte but the last has the highest bit set.
void write_length(ByteWriter& writer, const Marker& marker) {
    std::uint32_t rest = marker.name_bytes;
    for (std::uint8_t left = marker.length_bytes; left > 0; --left) {
        const std::uint32_t more = left > 1 ? 0x80U : 0U;
        writer.write(static_cast<std::uint8_t>((rest & 0x7FU) | more));
        rest >>= 7U;
    }
}

void write_markers(ByteWriter& writer, const Document& document) {
    writer.write(static_cast<std::int32_t>(document.markers.size()));
    std::size_t at = 0;
    for (const Marker& marker : document.markers) {
        writer.write(marker.time);
        write_length(writer, marker);
        writer.write_array(std::span<const char>(document.marker_names).subspan(at, marker.name_bytes));
        at += marker.name_bytes;
    }
}

}  // namespace

Bytes write(const Document& document) {
    ByteWriter writer(file_bytes(document));
    writer.write(magic);
    writer.write(std::int32_t{1});
    writer.write(document.minor);
    if (document.has_sections()) {
        writer.write(document.sections);
    }
    for (std::size_t i = 0; i < curve_count; ++i) {
        if (!document.stores(i)) {
            continue;
        }
        const Curve& curve = document.curves[i];
        writer.write(curve.pre_wrap);
        writer.write(curve.post_wrap);
        writer.write(curve.count);
        if (document.has_full_keys(i)) {
            writer.write_array(document.full_keys_of(i));
        } else {
            writer.write_array(document.simple_keys_of(i));
        }
    }
    if (document.has_marker_list()) {
        write_markers(writer, document);
    }
    writer.write_array(std::span<const std::uint8_t>(document.trailing));
    return writer.take();
}

}  // namespace animbridge::mrtk::file
