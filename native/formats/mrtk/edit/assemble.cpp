// SPDX-License-Identifier: MIT
#include "formats/mrtk/edit/edit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "formats/mrtk/check/check.h"
#include "formats/mrtk/play/play.h"

namespace animbridge::mrtk::edit {

namespace {

/// The bytes of a name's length, seven bits each.
std::uint8_t length_bytes(std::size_t length) {
    std::uint8_t bytes = 1;
    for (; length >= 0x80; length >>= 7U) {
        ++bytes;
    }
    return bytes;
}

bool has_markers(const file::Document& document, const std::vector<NewMarker>& markers) {
    const std::vector<file::NamedMarker> present = file::named_markers(document);
    return std::equal(
        present.begin(), present.end(), markers.begin(), markers.end(),
        [](const file::NamedMarker& a, const NewMarker& b) { return a.time == b.time && a.name == b.name; });
}

void put_markers(const std::vector<NewMarker>& markers, file::Document& document) {
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

std::int32_t minor_for(const NewRecording& recording, Version version, const file::Document* like) {
    if (version != Version::automatic) {
        return version == Version::v1_1 ? 1 : 0;
    }
    const bool all_lines = is_all_lines(recording.curves);
    const bool gaze = recording.has_keys(file::Section::gaze);
    if (like != nullptr && (like->has_full_floats() ? !gaze || like->has_sections() : all_lines)) {
        return like->minor;
    }
    return all_lines || gaze ? 1 : 0;
}

}  // namespace

bool NewRecording::has_keys(file::Section section) const {
    for (std::size_t i = 0; i < file::curve_count; ++i) {
        if (file::section_of(i) == section && !curves[i].keys.empty()) {
            return true;
        }
    }
    return false;
}

bool NewRecording::is_empty() const {
    return std::ranges::all_of(curves, [](const curves::LooseCurve& curve) { return curve.keys.empty(); });
}

void NewRecording::track_hands() {
    for (std::size_t hand = 0; hand < file::hand_count; ++hand) {
        const std::size_t first = file::first_curve_of(file::pose_of(hand, file::Joint::wrist));
        const std::size_t end = file::pose_of(hand, file::joint_count - 1);
        const bool has_joints = std::any_of(
            curves.begin() + static_cast<std::ptrdiff_t>(first),
            curves.begin() + static_cast<std::ptrdiff_t>(file::first_curve_of(end) + file::pose_curves),
            [](const curves::LooseCurve& curve) { return !curve.keys.empty(); });
        curves::LooseCurve& tracked = curves[file::first_switch + hand];
        curves::LooseCurve& pinch = curves[file::first_switch + file::hand_count + hand];
        if (!has_joints || !tracked.keys.empty()) {
            continue;
        }
        tracked.keys.push_back(curves::full_key_of({RawFloat(0.0F), RawFloat(1.0F)}));
        if (pinch.keys.empty()) {
            pinch.keys.push_back(curves::full_key_of({RawFloat(0.0F), RawFloat(0.0F)}));
        }
    }
}

file::Document assembled(NewRecording recording, Version version, const file::Document* like,
                         std::vector<std::string>& lost) {
    file::Document base;
    base.minor = 1;
    base.sections = {0, 0, 0};
    if (like != nullptr) {
        base = *like;
    }
    const std::int32_t minor = minor_for(recording, version, like);
    if (minor == 0 && recording.has_keys(file::Section::gaze)) {
        lost.emplace_back("Version 1.0 has no place for the gaze");
    }
    const bool stays = like != nullptr && like->minor == minor;
    if (!stays || !base.has_full_floats()) {
        if (minor == 1 && !is_all_lines(recording.curves)) {
            lost.emplace_back("Curves between keys become lines");
        }
        if (!stays || minor == 1) {
            const file::Layout layout = base.layout;
            // `lost` already has what this counts, in words.
            static_cast<void>(change_version(base, recording.curves, minor));
            base.layout = stays ? layout : base.layout;
        }
    }
    for (const file::Section section : {file::Section::camera, file::Section::hands, file::Section::gaze}) {
        std::uint8_t& flag = base.sections.at(static_cast<std::size_t>(section));
        if (base.has_sections() && flag == 0 && recording.has_keys(section)) {
            flag = 1;
        }
    }
    put_markers(recording.markers, base);
    return curves::put_together(base, recording.curves);
}

namespace {

/// Beyond this, single precision cannot distinguish the frames of a recording.
constexpr double longest_gap = 1e6;

struct JoinOptions {
    double gap_seconds = 0;
};
constexpr std::array<OptionRow<JoinOptions>, 1> join_rows = {{
    {{.name = "gap_seconds",
      .type = OptionType::number,
      .command_name = "--gap",
      .value_name = "SECONDS",
      .high = longest_gap,
      .standard = "0",
      .unit = "s",
      .help = "Hold the last pose this long before the next recording begins"},
     [](JoinOptions& options, const Json& value) { options.gap_seconds = value.get<double>(); }},
}};
constexpr auto join_table = options_of(join_rows);

/// The largest float before a time.
RawFloat just_before(RawFloat time) { return RawFloat(std::nextafter(time.value(), -INFINITY)); }

/// Appends recordings to a first one.
class Joiner {
public:
    explicit Joiner(const file::Document& first)
        : curves_(curves::taken_apart(first)),
          end_(curves::duration_seconds(first)),
          markers_(first.markers),
          marker_names_(first.marker_names) {
        for (curves::LooseCurve& curve : curves_) {
            curves::sort_keys(curve);
            held_curves += curves::is_repeating(curve.view()) ? 1 : 0;
            curves::hold(curve);
        }
    }

    void append(const file::Document& next, double gap) {
        // Rounded first, so that keys of both recordings meet at one time.
        const auto start = static_cast<double>(static_cast<float>(end_ + gap));
        curves::LooseCurves added = curves::taken_apart(next);
        for (std::size_t i = 0; i < file::curve_count; ++i) {
            curves::sort_keys(added[i]);
            held_curves += curves::is_repeating(added[i].view()) ? 1 : 0;
            seam_keys += curves::cut_before(added[i], 0.0, file::is_switch(i));
            curves::retime(added[i], start, 1.0);
            append_curve(curves_[i], added[i], start, file::is_switch(i));
        }
        for (const file::Marker& marker : next.markers) {
            markers_.push_back(
                {curves::retimed(marker.time, start, 1.0), marker.name_bytes, marker.length_bytes});
        }
        marker_names_ += next.marker_names;
        end_ = start + curves::duration_seconds(next);
    }

    [[nodiscard]] file::Document take(file::Document head, std::int32_t minor, VersionChange& change) {
        change = change_version(head, curves_, minor);
        head.markers = std::move(markers_);
        head.marker_names = std::move(marker_names_);
        return curves::put_together(head, curves_);
    }
    [[nodiscard]] bool has_lines_only() const { return is_all_lines(curves_); }

    std::size_t seam_keys = 0;
    std::size_t held_curves = 0;  ///< curves that repeated in their recordings

private:
    void append_curve(curves::LooseCurve& curve, curves::LooseCurve& added, double start, bool is_switch) {
        const RawFloat seam(static_cast<float>(start));
        const auto insert = [&](curves::LooseCurve& to, std::size_t at, const file::SimpleKey& key) {
            to.keys.insert(to.keys.begin() + static_cast<std::ptrdiff_t>(at), curves::full_key_of(key));
            ++seam_keys;
        };
        if (is_switch && curve.keys.empty() && !added.keys.empty()) {
            insert(curve, 0, {RawFloat(0.0F), RawFloat(0.0F)});  // off, like without keys
        }
        if (is_switch && added.keys.empty() && !curve.keys.empty()) {
            insert(added, 0, {seam, RawFloat(0.0F)});
        }
        if (!added.keys.empty() && added.keys.front().time.value() > seam.value()) {
            insert(added, 0, {seam, added.keys.front().value});
        }
        // A switch holds its value. Other curves would interpolate to the next recording's first key.
        const bool runs_over = !is_switch && !curve.keys.empty() && !added.keys.empty();
        for (auto key = curve.keys.rbegin();
             runs_over && key != curve.keys.rend() && key->time.value() >= seam.value(); ++key) {
            key->time = just_before(seam);
        }
        if (runs_over && curve.keys.back().time.value() < just_before(seam).value()) {
            insert(curve, curve.keys.size(), {just_before(seam), curve.keys.back().value});
        }
        curve.keys.insert(curve.keys.end(), added.keys.begin(), added.keys.end());
    }

    curves::LooseCurves curves_;
    double end_ = 0;
    std::vector<file::Marker> markers_;
    std::string marker_names_;
};

}  // namespace

std::span<const Option> join_options() { return join_table; }

Result<Joined> join(std::span<const file::Document* const> documents, const Json& options) {
    JoinOptions wanted;
    TRY_VOID(read_options(options, join_rows, wanted));
    if (documents.size() < 2) {
        return fail(ErrorCode::invalid_argument,
                    "found " + std::to_string(documents.size()) + " recordings; allowed are two or more");
    }
    file::Document head;
    head.minor = 0;
    head.sections = {0, 0, 0};
    std::size_t trailing = 0;
    bool same_version = true;
    double total = 0;
    for (const file::Document* const document : documents) {
        TRY_VOID(check::require_playable(*document));
        same_version = same_version && document->minor == documents[0]->minor;
        head.minor = std::max(head.minor, document->minor);
        trailing += document->trailing.size();
        total += curves::duration_seconds(*document) + wanted.gap_seconds;
        for (std::size_t i = 0; i < file::section_count; ++i) {
            if (document->sections.at(i) != 0) {
                head.sections.at(i) = 1;
            }
        }
    }
    if (!(total < longest_gap)) {
        return fail(ErrorCode::bad_value,
                    "the recordings together last " + std::to_string(total) +
                        " seconds, at which single precision tells no frames apart; allowed are less than " +
                        std::to_string(longest_gap));
    }
    Joiner joiner(*documents[0]);
    for (const file::Document* const document : documents.subspan(1)) {
        joiner.append(*document, wanted.gap_seconds);
    }
    const std::int32_t minor = same_version || joiner.has_lines_only() ? head.minor : 0;
    VersionChange change;
    file::Document document = joiner.take(std::move(head), minor, change);
    Json report = {{"recordings", documents.size()},
                   {"version", file::version_text(document)},
                   {"duration_seconds", curves::duration_seconds(document)},
                   {"seam_keys", joiner.seam_keys},
                   {"held_curves", joiner.held_curves},
                   {"left_out_gaze_keys", change.gaze_keys},
                   {"left_out_trailing_bytes", trailing}};
    return Joined{std::move(document), std::move(report)};
}

}  // namespace animbridge::mrtk::edit
