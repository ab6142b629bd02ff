// SPDX-License-Identifier: MIT
#include "formats/mrtk/assemble.h"

#include <algorithm>
#include <utility>

namespace animbridge::mrtk {

namespace {

/// The bytes of a name's length, seven bits each.
std::uint8_t length_bytes(std::size_t length) {
    std::uint8_t bytes = 1;
    for (; length >= 0x80; length >>= 7U) {
        ++bytes;
    }
    return bytes;
}

bool has_markers(const Document& document, const std::vector<NewMarker>& markers) {
    const std::vector<NamedMarker> present = named_markers(document);
    return std::equal(
        present.begin(), present.end(), markers.begin(), markers.end(),
        [](const NamedMarker& a, const NewMarker& b) { return a.time == b.time && a.name == b.name; });
}

void put_markers(const std::vector<NewMarker>& markers, Document& document) {
    if (has_markers(document, markers)) {
        return;
    }
    document.markers.clear();
    document.marker_names.clear();
    for (const NewMarker& marker : markers) {
        document.markers.push_back(
            {marker.time, static_cast<std::uint32_t>(marker.name.size()), length_bytes(marker.name.size())});
        document.marker_names += marker.name;
    }
}

std::int32_t minor_for(const NewRecording& recording, Version version, const Document* like) {
    if (version != Version::automatic) {
        return version == Version::v1_1 ? 1 : 0;
    }
    const bool all_lines = is_all_lines(recording.curves);
    const bool gaze = recording.has_keys(Section::gaze);
    if (like != nullptr && (like->has_full_floats() ? !gaze || like->has_sections() : all_lines)) {
        return like->minor;
    }
    return all_lines || gaze ? 1 : 0;
}

}  // namespace

bool NewRecording::has_keys(Section section) const {
    for (std::size_t i = 0; i < curve_count; ++i) {
        if (section_of(i) == section && !curves[i].keys.empty()) {
            return true;
        }
    }
    return false;
}

bool NewRecording::is_empty() const {
    return std::all_of(curves.begin(), curves.end(),
                       [](const LooseCurve& curve) { return curve.keys.empty(); });
}

void NewRecording::track_hands() {
    for (std::size_t hand = 0; hand < hand_count; ++hand) {
        const std::size_t first = first_curve_of(pose_of(hand, Joint::wrist));
        const std::size_t end = pose_of(hand, joint_count - 1);
        const bool has_joints =
            std::any_of(curves.begin() + static_cast<std::ptrdiff_t>(first),
                        curves.begin() + static_cast<std::ptrdiff_t>(first_curve_of(end) + pose_curves),
                        [](const LooseCurve& curve) { return !curve.keys.empty(); });
        LooseCurve& tracked = curves[first_switch + hand];
        LooseCurve& pinch = curves[first_switch + hand_count + hand];
        if (!has_joints || !tracked.keys.empty()) {
            continue;
        }
        tracked.keys.push_back(full_key_of({RawFloat(0.0F), RawFloat(1.0F)}));
        if (pinch.keys.empty()) {
            pinch.keys.push_back(full_key_of({RawFloat(0.0F), RawFloat(0.0F)}));
        }
    }
}

Document assembled(NewRecording recording, Version version, const Document* like,
                   std::vector<std::string>& lost) {
    Document base;
    base.minor = 1;
    base.sections = {0, 0, 0};
    if (like != nullptr) {
        base = *like;
    }
    const std::int32_t minor = minor_for(recording, version, like);
    if (minor == 0 && recording.has_keys(Section::gaze)) {
        lost.emplace_back("Version 1.0 has no place for the gaze");
    }
    const bool stays = like != nullptr && like->minor == minor;
    if (!stays || !base.has_full_floats()) {
        if (minor == 1 && !is_all_lines(recording.curves)) {
            lost.emplace_back("Curves between keys become lines");
        }
        if (!stays || minor == 1) {
            const Layout layout = base.layout;
            // `lost` already has what this counts, in words.
            static_cast<void>(change_version(base, recording.curves, minor));
            base.layout = stays ? layout : base.layout;
        }
    }
    for (const Section section : {Section::camera, Section::hands, Section::gaze}) {
        std::uint8_t& flag = base.sections.at(static_cast<std::size_t>(section));
        if (base.has_sections() && flag == 0 && recording.has_keys(section)) {
            flag = 1;
        }
    }
    put_markers(recording.markers, base);
    return put_together(base, recording.curves);
}

}  // namespace animbridge::mrtk
