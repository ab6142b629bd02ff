// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/job.h"
#include "formats/sl_anim/export.h"
#include "formats/sl_anim/limits.h"
#include "formats/sl_anim/reducer.h"
#include "rig/armature.h"

namespace animbridge::sl_anim {

/// Which of the avatar's tracks an export keeps, encodes anew and takes out.
struct ExportTracks {
    std::set<TrackName> kept;
    std::set<TrackName> changed;
    std::set<TrackName> removed;
};

[[nodiscard]] std::set<TrackName> tracks_of(const Clip& clip);

/// The base's tracks of joints that have an exported bone, and that are neither kept nor changed.
[[nodiscard]] std::set<TrackName> removed_tracks(const Document* base, const Skeleton& skeleton,
                                                 const std::set<std::size_t>& exported_nodes,
                                                 const ExportTracks& tracks);

/// A file that is made but not judged yet.
struct ExportDraft {
    Document document;
    ExportTracks tracks;
    const Clip& shown;                    ///< what the scene shows: the file is measured against it
    const Document* base;                 ///< may be nullptr
    Form shown_as = Form::as_written;     ///< which form of the file is measured
    std::vector<std::string> warnings{};  ///< put before those that the file itself gives rise to
};

/// Whether the target takes the draft, which nothing changes any more; how exact it is as the viewer plays
/// it, and what should be known.
[[nodiscard]] Result<Export> finish_export(ExportDraft draft, const Limits& limits, const Job& job);

}  // namespace animbridge::sl_anim
