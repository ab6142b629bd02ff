// SPDX-License-Identifier: MIT
#include "formats/mrtk/scene/scene.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "formats/mrtk/check/check.h"
#include "formats/mrtk/curves/curves.h"
#include "formats/mrtk/file/file.h"
#include "formats/mrtk/play/play.h"
#include "model/findings/findings.h"
#include "reduce/reduce.h"

namespace animbridge::mrtk::scene {

namespace {

struct GivenExport {
    ExportOptions options{};
    edit::Version version = edit::Version::automatic;

    [[nodiscard]] ExportOptions taken() const {
        ExportOptions taken = options;
        taken.version = version;
        return taken;
    }
};

constexpr std::array<OptionRow<GivenExport>, 4> file_rows = {{
    edit::version_row<GivenExport>(),
    {{.name = "keep_others",
      .type = OptionType::flag,
      .standard = "true",
      .help = "Keep the template's poses that no exported bone shows"},
     [](GivenExport& target, const Json& value) { target.options.keep_others = value.get<bool>(); }},
    {{.name = "marker_names",
      .type = OptionType::texts,
      .may_be_null = true,
      .without = "the template's markers",
      .help = "The names of the file's markers"},
     [](GivenExport& target, const Json& value) { target.options.marker_names = texts_from_json(value); }},
    {{.name = "marker_seconds",
      .type = OptionType::numbers,
      .without = "none",
      .help = "When the markers are, one number for each name"},
     [](GivenExport& target, const Json& value) {
         for (const Json& seconds : value) {
             target.options.marker_seconds.push_back(seconds.get<double>());
         }
     }},
}};

template <std::size_t number>
constexpr OptionRow<GivenExport> switch_row(std::string_view help) {
    return {{.name = file::switch_names.at(number),
             .type = OptionType::numbers,
             .may_be_null = true,
             .without = "the template's; else hands are tracked and do not pinch",
             .unit = "s",
             .help = help},
            [](GivenExport& target, const Json& value) {
                auto& changes = target.options.switches.at(number).emplace();
                for (const Json& seconds : value) {
                    changes.push_back(seconds.get<double>());
                }
            }};
}

constexpr std::array<OptionRow<GivenExport>, 8> sample_rows = {{
    {{.name = "max_position_mm",
      .type = OptionType::number,
      .high = largest_scene_number,
      .standard = "0.1",
      .unit = "mm",
      .zero = "keep every key",
      .help = "Drop keys as long as every joint stays within this of its position"},
     [](GivenExport& target, const Json& value) { target.options.max_position_mm = value.get<double>(); }},
    {{.name = "max_rotation_degrees",
      .type = OptionType::number,
      .high = 180.0,
      .standard = "0.02",
      .unit = "degrees",
      .zero = "keep every key",
      .help = "Drop keys as long as every joint stays within this of its rotation"},
     [](GivenExport& target, const Json& value) {
         target.options.max_rotation_degrees = value.get<double>();
     }},
    {{.name = "rig",
      .type = OptionType::file_text,
      .without = "found from the bones' names and places",
      .help = "A rig file that says which bones are the hands, if the bones do not have a recording's names"},
     [](GivenExport& target, const Json& value) {
         target.options.rig = text_from_json(value, "").value_or("");
     }},
    {{.name = "tails",
      .type = OptionType::points,
      .may_be_null = true,
      .without = "along the bone's Y axis",
      .unit = "m",
      .help = "For each bone, where its tail is in armature space: a fingertip without a bone is there"},
     [](GivenExport& target, const Json& value) {
         auto& tails = target.options.tails.emplace();
         for (const Json& point : value) {
             tails.emplace_back(point[0].get<double>(), point[1].get<double>(), point[2].get<double>());
         }
     }},
    switch_row<0>("When the left hand begins and ceases to be tracked, in turn"),
    switch_row<1>("When the right hand begins and ceases to be tracked, in turn"),
    switch_row<2>("When the left hand begins and ceases to pinch, in turn"),
    switch_row<3>("When the right hand begins and ceases to pinch, in turn"),
}};

constexpr auto common_rows = joined_rows(file_rows, stop_rows<GivenExport>);
constexpr auto all_sample_rows = joined_rows(common_rows, sample_rows);
constexpr auto curve_table = options_of(common_rows);
constexpr auto sample_table = options_of(all_sample_rows);

}  // namespace

std::span<const Option> curve_export_options() { return curve_table; }
std::span<const Option> sample_export_options() { return sample_table; }

Result<ExportOptions> curve_options_from(const Json& options) {
    GivenExport read;
    return read_options(options, common_rows, read).map([&] { return read.taken(); });
}

Result<ExportOptions> sample_options_from(const Json& options) {
    GivenExport read;
    return read_options(options, all_sample_rows, read).map([&] { return read.taken(); });
}

Result<std::vector<edit::NewMarker>> new_markers(const ExportOptions& options,
                                                 const file::Document* template_document,
                                                 const rig::curves::Timing& timing) {
    std::vector<file::NamedMarker> known;
    if (template_document != nullptr) {
        known = file::named_markers(*template_document);
    }
    std::vector<edit::NewMarker> markers;
    if (!options.marker_names) {
        for (const file::NamedMarker& marker : known) {
            markers.push_back({marker.time, std::string(marker.name)});
        }
        return markers;
    }
    if (options.marker_names->size() != options.marker_seconds.size()) {
        return fail(ErrorCode::bad_value, "marker_seconds has " +
                                              std::to_string(options.marker_seconds.size()) +
                                              " numbers; marker_names has " +
                                              std::to_string(options.marker_names->size()) + " names");
    }
    for (std::size_t i = 0; i < options.marker_seconds.size(); ++i) {
        edit::NewMarker marker{RawFloat(static_cast<float>(options.marker_seconds[i])),
                               (*options.marker_names)[i]};
        const double frame = timing.frame_at(options.marker_seconds[i]);
        const auto same = std::find_if(known.begin(), known.end(), [&](const file::NamedMarker& one) {
            return one.name == marker.name && std::abs(timing.frame_at(one.time.value()) - frame) <= 0.5;
        });
        if (same != known.end()) {
            marker.time = same->time;
            known.erase(same);
        }
        markers.push_back(std::move(marker));
    }
    std::stable_sort(markers.begin(), markers.end(), [](const edit::NewMarker& a, const edit::NewMarker& b) {
        return a.time.value() < b.time.value();
    });
    return markers;
}

Clip with_needed_keys(Clip clip, const ExportOptions& bounds) {
    for (Track& track : clip.tracks) {
        if (track.channel != Channel::property) {
            track = reduce::without_needless_keys(track, track.channel == Channel::rotation
                                                             ? bounds.max_rotation_degrees
                                                             : bounds.max_position_mm);
        }
    }
    return clip;
}

Result<Made> measured_export(file::Document document, const Clip& shown, std::vector<std::string> warnings,
                             const Job& job) {
    // A clip holds the first and last value, and shows between them what the recording does.
    const bool is_held = curves::repeating_curves(document) == 0;
    TRY(const auto measured,
        is_held ? play::measure(document, shown, job) : play::measure(curves::held(document), shown, job));
    WorstDifference worst = measured.worst();
    const std::vector<Finding> findings = check::check(document, format.check.default_level);
    Json report = {{"version", file::version_text(document)},
                   {"size_bytes", file::file_bytes(document)},
                   {"joints", measured.joints.size()},
                   {"keys", document.full_keys.size() + document.simple_keys.size()},
                   {"duration_seconds", curves::duration_seconds(document)},
                   {"max_position_error_mm", worst.position_mm},
                   {"max_rotation_error_degrees", worst.rotation_degrees},
                   {"worst",
                    {{"joint", json_text(worst.joint)},
                     {"position_at_seconds", worst.position_at_seconds},
                     {"rotation_at_seconds", worst.rotation_at_seconds}}},
                   {"warnings", std::move(warnings)},
                   {"findings", findings_json(findings)["findings"]}};
    return Made{file::make_document(std::move(document)), std::move(report), std::move(worst)};
}

}  // namespace animbridge::mrtk::scene
