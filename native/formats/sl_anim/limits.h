// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "formats/sl_anim/document.h"
#include "model/finding.h"

namespace animbridge::sl_anim {

/// Who shall play the file. The numbers are those of AB_TARGET_* in animbridge.h.
enum class Target : std::int32_t {
    second_life = 0,  ///< refuses more than 60 s and 250,000 bytes
    opensim = 1,      ///< grids set their own limits: going beyond Second Life's is told, not refused
};

/// What an export must keep within.
struct Limits {
    Target target = Target::second_life;
    std::uint64_t fit_bytes = 0;  ///< 0: none; else keys are dropped until the file takes no more
};

/// The larger of the file's size and of what the viewer would store: an upload may rename joints.
[[nodiscard]] std::size_t counted_bytes(const Document& document);

/// The error that a file with these findings is, some of which reject it.
[[nodiscard]] Error refused(const std::vector<Finding>& findings);

/// The same for a file of which nobody may make anything that plays: one that the viewer refuses to load.
[[nodiscard]] Result<void> require_playable(const Document& document);

/// ErrorCode::rejected where the target refuses such a duration: by how much, and what would help.
[[nodiscard]] Result<void> require_duration(float duration_seconds, Target target);

/// The same for the file's size.
[[nodiscard]] Result<void> require_size(const Document& document, Target target);

/// The same for what the viewer refuses when it loads a file.
[[nodiscard]] Result<void> require_accepted(const Document& document, Target target);

}  // namespace animbridge::sl_anim
