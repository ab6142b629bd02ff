// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/job.h"
#include "convert/sl_export.h"
#include "convert/sl_limits.h"
#include "reduce/reducer.h"
#include "rig/armature.h"

namespace animbridge {

/// Which of the avatar's tracks an export keeps, encodes anew and takes out.
struct ExportTracks {
    std::set<sl_anim::TrackName> kept;
    std::set<sl_anim::TrackName> changed;
    std::set<sl_anim::TrackName> removed;
};

[[nodiscard]] std::set<sl_anim::TrackName> tracks_of(const Clip& clip);

/// The base's tracks of joints that have an exported bone, and that are neither kept nor changed.
[[nodiscard]] std::set<sl_anim::TrackName> removed_tracks(const sl_anim::Document* base,
                                                          const Skeleton& skeleton,
                                                          const std::set<std::size_t>& exported_nodes,
                                                          const ExportTracks& tracks);

/// A file that is made but not judged yet.
struct ExportDraft {
    sl_anim::Document document;
    ExportTracks tracks;
    const Clip& shown;              ///< what the scene shows: the file is measured against it
    const sl_anim::Document* base;  ///< may be nullptr
    reduce::Form shown_as = reduce::Form::as_written;  ///< which form of the file is measured
    std::vector<std::string> warnings{};  ///< put before those that the file itself gives rise to
};

/// Whether the target takes the draft, which nothing changes any more; how exact it is as the viewer plays
/// it, and what should be known.
[[nodiscard]] Result<SlExport> finish_export(ExportDraft draft, const SlLimits& limits, const Job& job);

/// {"max_position_mm", "max_rotation_degrees"}: the bound under which keys were dropped.
[[nodiscard]] Json bound_json(const reduce::Bound& bound);

}  // namespace animbridge
