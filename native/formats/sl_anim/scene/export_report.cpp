// SPDX-License-Identifier: MIT
#include "formats/sl_anim/scene/export_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "base/options/options.h"
#include "formats/sl_anim/avatar/avatar.h"
#include "formats/sl_anim/codes/codes.h"
#include "formats/sl_anim/file/file.h"
#include "formats/sl_anim/play/play.h"
#include "model/findings/findings.h"
#include "rig/exchange/exchange.h"

namespace animbridge::sl_anim::scene {

namespace {

Json names_json(const std::set<clip::TrackName>& tracks) {
    return list_json(tracks, [](const clip::TrackName& track) -> Json {
        return {{"joint", json_text(track.joint)},
                {"channel", track.channel == Channel::rotation ? "rotation" : "position"}};
    });
}

std::size_t collided_keys(const file::KeyList& keys) {
    std::size_t collided = 0;
    for (std::size_t i = 1; i < keys.coded.size(); ++i) {
        collided += keys.coded[i].time == keys.coded[i - 1].time ? 1U : 0U;
    }
    return collided;
}

/// Counts keys that share a time code with the key before: the viewer keeps only the last.
std::size_t collided_keys(const file::Document& document) {
    std::size_t collided = 0;
    for (const auto& joint : document.joints) {
        collided += collided_keys(joint.rotation) + collided_keys(joint.position);
    }
    return collided;
}

/// The most that a kept key moves in time, because time codes are fractions of the duration. 0 if the keys
/// are no longer the same: those were encoded from what the scene shows.
double most_moved_seconds(const file::KeyList& before, float duration_before, const file::KeyList& after,
                          float duration_after) {
    const auto same_values = [](const file::CodedKey& a, const file::CodedKey& b) { return a.xyz == b.xyz; };
    double most = 0.0;
    if (std::equal(before.coded.begin(), before.coded.end(), after.coded.begin(), after.coded.end(),
                   same_values)) {
        for (std::size_t i = 0; i < before.coded.size(); ++i) {
            const double moved = double{codes::decode_time(after.coded[i].time, duration_after)} -
                                 double{codes::decode_time(before.coded[i].time, duration_before)};
            most = std::max(most, std::fabs(moved));
        }
    }
    return most;
}

/// The largest such move in all records that the template and the file share, which are in the same order.
double most_moved_seconds(const file::Document& before, const file::Document& after) {
    const float seconds_before = before.duration.value();
    const float seconds_after = after.duration.value();
    double most = 0.0;
    auto place = after.joints.begin();
    for (const file::Joint& joint : before.joints) {
        if (place == after.joints.end() || place->name != joint.name) {
            continue;
        }
        most = std::max({most,
                         most_moved_seconds(joint.rotation, seconds_before, place->rotation, seconds_after),
                         most_moved_seconds(joint.position, seconds_before, place->position, seconds_after)});
        ++place;
    }
    return most;
}

/// The effect of another duration, if it is visible; empty if it is not.
std::optional<std::string> duration_change(const file::Document& before, const file::Document& after) {
    constexpr double seen_seconds = 0.001;  // a key at 60 frames per second is then 0.06 frames off
    const double moved = before.duration == after.duration ? 0.0 : most_moved_seconds(before, after);
    if (!(moved > seen_seconds)) {
        return std::nullopt;
    }
    return "the duration changes from " + shown_number(double{before.duration.value()}) + " s to " +
           shown_number(double{after.duration.value()}) + " s, which moves unchanged keys by up to " +
           measured_text(1000.0 * moved) + " ms";
}

/// Other changes to the motion, which need no decision by the user.
Json details_of(const ExportDraft& draft) {
    Json details = texts_json(draft.details);
    if (draft.template_document != nullptr) {
        if (const auto change = duration_change(*draft.template_document, draft.document)) {
            details.push_back(*change);
        }
    }
    const std::size_t collided = collided_keys(draft.document);
    if (collided > 0 && !draft.tracks.changed.empty()) {
        details.push_back(std::to_string(collided) +
                          " keys are too close to the next key: the viewer keeps only the later one");
    }
    return details;
}

/// What the user must decide.
Json warnings_of(const ExportDraft& draft, const std::vector<Finding>& findings, check::Grid target) {
    Json warnings = Json::array();
    for (const auto* const list : {&draft.causes, &draft.warnings}) {
        for (const std::string& warning : *list) {
            warnings.push_back(json_text(warning));
        }
    }
    // A file that plays but cannot be uploaded is not an error, so that an untouched import can always be
    // written.
    if (target == check::Grid::second_life && any_rejected(findings)) {
        warnings.push_back(json_text(refusal(check::viewer_name, findings).reason));
    }
    return warnings;
}

Json report_of(const file::Document& document, const ExportTracks& tracks, const WorstDifference& worst,
               const std::vector<Finding>& findings) {
    return {{"size_bytes", file::file_bytes(document)},
            {"duration_seconds", json_float(document.duration)},
            {"joints", document.joints.size()},
            {"changed", names_json(tracks.changed)},
            {"kept", names_json(tracks.kept)},
            {"dropped", names_json(tracks.removed)},
            {"max_rotation_error_degrees", worst.rotation_degrees},
            {"max_position_error_mm", worst.position_mm},
            {"worst",
             {{"joint", worst.joint},
              {"rotation_joint", worst.rotation_joint},
              {"rotation_at_seconds", worst.rotation_at_seconds},
              {"position_at_seconds", worst.position_at_seconds}}},
            {"findings", findings_json(findings)["findings"]}};
}

}  // namespace

std::set<clip::TrackName> tracks_of(const Clip& clip) {
    std::set<clip::TrackName> names;
    for (const Track& track : clip.tracks) {
        names.insert({clip.skeleton.nodes[track.node].name, track.channel});
    }
    return names;
}

std::vector<float> key_times_of(const Clip& clip) {
    std::vector<float> times;
    for (const Track& track : clip.tracks) {
        std::transform(track.times.begin(), track.times.end(), std::back_inserter(times),
                       [](double seconds) { return static_cast<float>(seconds); });
    }
    return sorted_unique(std::move(times));
}

std::set<clip::TrackName> removed_tracks(const file::Document* template_document, const Skeleton& skeleton,
                                         const std::set<std::size_t>& exported_nodes,
                                         const ExportTracks& tracks) {
    std::set<clip::TrackName> removed;
    for (const auto& joint :
         template_document == nullptr ? std::vector<file::Joint>{} : template_document->joints) {
        const auto known = avatar::find_joint(joint.name);
        if (!known || !exported_nodes.contains(*known)) {
            continue;
        }
        for (const Channel channel : {Channel::rotation, Channel::translation}) {
            const clip::TrackName name{skeleton.nodes[*known].name, channel};
            const bool has_keys =
                file::key_count(channel == Channel::rotation ? joint.rotation : joint.position) > 0;
            if (has_keys && !tracks.kept.contains(name) && !tracks.changed.contains(name)) {
                removed.insert(name);
            }
        }
    }
    return removed;
}

namespace {

bool is_at_limit(std::uint16_t code) {
    return code == 0 || code == std::numeric_limits<std::uint16_t>::max();
}

}  // namespace

std::vector<std::string> causes_of_cut_positions(const file::Document& document,
                                                 const std::set<clip::TrackName>& changed) {
    std::vector<std::string> causes;
    for (const file::Joint& joint : document.joints) {
        const bool is_cut = std::ranges::any_of(joint.position.coded, [](const file::CodedKey& key) {
            return std::ranges::any_of(key.xyz, is_at_limit);
        });
        if (is_cut && changed.contains({joint.name, Channel::translation})) {
            causes.push_back(joint.name +
                             " is more than 5 m from its rest position, and the file holds no more. "
                             "Move the motion to the "
                             "origin, or check its scale and unit. To keep the body in place: "
                             "--in-place (library: in_place)");
        }
    }
    return causes;
}

reduce::Form form_of(const clip::FromClip& options) {
    const bool coded = options.base == nullptr || options.base->version == file::Version::coded;
    return coded && options.encoder == codes::Encoder::upload ? reduce::Form::as_stored
                                                              : reduce::Form::as_written;
}

Result<Json> size_curve(
    const std::function<Result<reduce::ThinnedFile>(const animbridge::reduce::Bound&, const Job&)>& thin,
    const Job& job) {
    constexpr std::array<double, 6> factors = {1, 2, 4, 8, 16, 32};
    constexpr auto count = static_cast<double>(factors.size());
    Json points = Json::array();
    std::size_t smallest = std::numeric_limits<std::size_t>::max();
    for (std::size_t i = 0; i < factors.size(); ++i) {
        const auto done = static_cast<double>(i);
        const animbridge::reduce::Bound bound = animbridge::reduce::Bound().scaled(factors.at(i));
        TRY(const auto file, thin(bound, job.part(done / count, (done + 1.0) / count)));
        const std::size_t bytes = check::counted_bytes(file.document);
        if (bytes >= smallest) {
            break;
        }
        smallest = bytes;
        Json point = {{"bytes", bytes},
                      {"position_error_mm", file.errors.position_mm},
                      {"rotation_error_degrees", file.errors.rotation_degrees}};
        point.update(animbridge::reduce::bound_json(bound));
        points.push_back(std::move(point));
    }
    return points;
}

Result<Made> finish_export(ExportDraft draft, check::Grid target, const Job& job) {
    TRY_VOID(check::require_accepted(draft.document, target));
    TRY_VOID(check::require_size(draft.document, target));
    const std::vector<std::string> cut = causes_of_cut_positions(draft.document, draft.tracks.changed);
    draft.causes.insert(draft.causes.end(), cut.begin(), cut.end());
    const bool stored = draft.shown_as == reduce::Form::as_stored;
    TRY(const auto measured,
        play::measure(draft.shown, stored ? check::stored_form(draft.document) : draft.document, job));
    const auto findings = check::check(draft.document, {CheckLevel::upload, {}});
    Json report = report_of(draft.document, draft.tracks, measured.worst, findings);
    report["errors"] = measured.spread.to_json();
    const WorstDifference& held = measured.at_held_times;
    report["at_held_times"] = {{"joint", held.joint},
                               {"max_position_error_mm", held.position_mm},
                               {"position_at_seconds", held.position_at_seconds},
                               {"rotation_joint", held.rotation_joint},
                               {"max_rotation_error_degrees", held.rotation_degrees},
                               {"rotation_at_seconds", held.rotation_at_seconds}};
    report["warnings"] = warnings_of(draft, findings, target);
    report["details"] = details_of(draft);
    const WorstDifference& worst = measured.worst;
    if (worst.position_mm > usual_stop_mm && held.position_mm <= usual_stop_mm) {
        constexpr double codes = codes::max_code;
        const double step_ms = 1000.0 * double{draft.document.duration.value()} / codes;
        report["warnings"].push_back(
            "Look at " + shown_number(worst.position_at_seconds) +
            " s, and shorten the animation if it shows: " + worst.joint + " is " +
            measured_text(worst.position_mm) +
            " mm off, because it is fast there and the file holds times in steps of " +
            measured_text(step_ms) + " ms");
    }
    return Made{file::make_document(std::move(draft.document)), std::move(report), held,
                std::move(draft.causes)};
}

}  // namespace animbridge::sl_anim::scene
