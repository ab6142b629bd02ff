// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "base/base.h"
#include "formats/sl_anim/check/check.h"
#include "formats/sl_anim/reduce/reduce.h"
#include "formats/sl_anim/scene/scene.h"
#include "rig/armature/armature.h"

namespace animbridge::sl_anim::scene {

/// Which of the avatar's tracks a file keeps, encodes anew and removes.
struct ExportTracks {
    std::set<clip::TrackName> kept;
    std::set<clip::TrackName> changed;
    std::set<clip::TrackName> removed;
};

[[nodiscard]] std::set<clip::TrackName> tracks_of(const Clip& clip);

/// In seconds, as the viewer counts them; ascending.
[[nodiscard]] std::vector<float> key_times_of(const Clip& clip);

/// The template's tracks of joints with an exported bone that are neither kept nor changed.
[[nodiscard]] std::set<clip::TrackName> removed_tracks(const file::Document* template_document,
                                                       const Skeleton& skeleton,
                                                       const std::set<std::size_t>& exported_nodes,
                                                       const ExportTracks& tracks);

/// The form in which a new file is measured. An upload changes codes and its encoder expects that, so what
/// the viewer stores is what counts.
[[nodiscard]] reduce::Form form_of(const clip::FromClip& options);

/// A finished file that is not measured yet.
struct ExportDraft {
    file::Document document;
    ExportTracks tracks;
    const Clip& shown;                        ///< what the scene shows; the file is measured against it
    const file::Document* template_document;  ///< the template; may be null
    reduce::Form shown_as = reduce::Form::as_written;  ///< which form of the file is measured
    std::vector<std::string> warnings{};  ///< what the user must decide; before the file's own warnings
    std::vector<std::string> causes{};    ///< why positions may be far off; listed first
    std::vector<std::string> details{};   ///< anything else that the export did to the motion
};

/// Measures the draft as the viewer plays it, and makes the report. What counts for a stop are errors at
/// times that the file can hold. ErrorCode::rejected if the target refuses the file.
[[nodiscard]] Result<Made> finish_export(ExportDraft draft, check::Grid target, const Job& job);

/// For changed positions that the file cannot hold: why, and what helps.
[[nodiscard]] std::vector<std::string> causes_of_cut_positions(const file::Document& document,
                                                               const std::set<clip::TrackName>& changed);

/// What sizes of the file cost: a list of {"bytes", "max_position_mm", "max_rotation_degrees",
/// "position_error_mm", "rotation_error_degrees"} under bounds of 0.5 mm and 0.05 degrees, twice that, and so
/// on to 32 times, from the largest file to the smallest. `thin` makes the file of a bound.
[[nodiscard]] Result<Json> size_curve(
    const std::function<Result<reduce::ThinnedFile>(const animbridge::reduce::Bound&, const Job&)>& thin,
    const Job& job);

}  // namespace animbridge::sl_anim::scene
