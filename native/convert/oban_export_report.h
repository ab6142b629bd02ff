// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "convert/oban_export.h"

namespace animbridge {

/// An OBAN that is made but not written yet.
struct ObanDraft {
    oban::Record record;
    std::vector<oban::Shown> shown;  ///< what the scene shows, at each frame of the file
    std::size_t sampled_keys = 0;    ///< before any was dropped
};

/// The record that the options ask for, still without keys: the base's, or a new one.
[[nodiscard]] oban::Record new_record(const ObanExportOptions& options);

/// ErrorCode::bad_value where there are none, or more than the game's tools take.
[[nodiscard]] Result<void> require_frames(std::size_t frames);

/// Base as floats: those of the record, when they hold the same.
[[nodiscard]] oban::Matrix base_floats(const oban::Affine& base, const oban::Record& record);

/// The keys, one at least, into their record; a door's HalfStopFrame follows, and InitialTransform where what
/// it is made of has changed.
void put_keys(oban::Record& record, std::vector<oban::Key> keys, std::size_t frame_count,
              const ObanExportOptions& options);

/// Makes the file, writes and reads it, plays it and measures. ErrorCode::invalid_argument: a name that the
/// container cannot hold.
[[nodiscard]] Result<ObanExport> finish_export(ObanDraft draft, const ObanExportOptions& options);

/// The lines that play an animation in a level's script.
[[nodiscard]] std::vector<std::string> script_lines(const oban::Document& document, bool is_camera);

}  // namespace animbridge
