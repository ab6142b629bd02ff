// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "formats/oban/export.h"

namespace animbridge::oban {

/// An OBAN that is made but not written yet.
struct Draft {
    Record record;
    std::vector<Shown> shown;      ///< what the scene shows, at each frame of the file
    std::size_t sampled_keys = 0;  ///< before any was dropped
};

/// The record that the options ask for, still without keys: the base's, or a new one.
[[nodiscard]] Record new_record(const ExportOptions& options);

/// ErrorCode::bad_value where there are none, or more than the game's tools take.
[[nodiscard]] Result<void> require_frames(std::size_t frames);

/// Base as floats: those of the record, when they hold the same.
[[nodiscard]] Matrix base_floats(const Affine& base, const Record& record);

/// The keys, one at least, into their record; a door's HalfStopFrame follows, and InitialTransform where what
/// it is made of has changed.
void put_keys(Record& record, std::vector<Key> keys, std::size_t frame_count, const ExportOptions& options);

/// Makes the file, writes and reads it, plays it and measures. ErrorCode::invalid_argument: a name that the
/// container cannot hold.
[[nodiscard]] Result<Export> finish_export(Draft draft, const ExportOptions& options);

/// The lines that play an animation in a level's script.
[[nodiscard]] std::vector<std::string> script_lines(const Document& document, bool is_camera);

}  // namespace animbridge::oban
