// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "formats/oban/scene/scene.h"

namespace animbridge::oban::scene {

/// An OBAN that is not written yet.
struct Draft {
    file::Record record;
    std::vector<edit::Shown> shown;  ///< what the scene shows at each frame of the file
    std::size_t sampled_keys = 0;    ///< before any keys are dropped
};

/// A record without keys for these options: the template's, or a new one.
[[nodiscard]] file::Record new_record(const ExportOptions& options);

/// ErrorCode::bad_value if there are no frames, or more than the game's tools accept.
[[nodiscard]] Result<void> require_frames(std::size_t frames);

/// Base as floats; the record's own if they are the same.
[[nodiscard]] file::Matrix base_floats(const play::Affine& base, const file::Record& record);

/// Puts the keys (at least one) into the record. Updates a door's HalfStopFrame, and InitialTransform if its
/// inputs have changed.
void put_keys(file::Record& record, std::vector<file::Key> keys, std::size_t frame_count,
              const ExportOptions& options);

/// Makes the file, writes it, reads it back, plays it and measures it. ErrorCode::invalid_argument: a name
/// that the container cannot hold.
[[nodiscard]] Result<Export> finish_export(Draft draft, const ExportOptions& options);

/// The lines that play the animation in a level's script.
[[nodiscard]] std::vector<std::string> script_lines(const file::Document& document, bool is_camera);

}  // namespace animbridge::oban::scene
