// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "formats/sl_anim/document.h"
#include "model/finding.h"

namespace animbridge::sl_anim {

/// The target program of every check, for messages.
inline constexpr std::string_view viewer_name = "Second Life";

/// The program that will play the file. The numbers are those of AB_TARGET_* in animbridge.h.
enum class Target : std::int32_t {
    second_life = 0,  ///< refuses more than 60 s and 250,000 bytes
    opensim = 1,      ///< grids set their own limits, so exceeding Second Life's is only reported
};

/// Reads the value of the option "grid".
[[nodiscard]] Target target_from(const Json& grid);

/// Adds to a conversion's report the target's name ("made_for") and the ids of findings that only other
/// targets reject ("only_reported"). Adds nothing for Second Life, which rejects whatever the check rejects.
void report_target(Target target, Json& report);

/// The limits of an export.
struct Limits {
    Target target = Target::second_life;
    std::uint64_t fit_bytes = 0;  ///< 0: no limit; otherwise keys are dropped until the file fits
};

/// The size of the file, or of what the viewer stores if that is larger: an upload may rename joints.
[[nodiscard]] std::size_t counted_bytes(const Document& document);

/// ErrorCode::rejected if the viewer refuses to load the file: nothing may play it or convert it to what
/// plays.
[[nodiscard]] Result<void> require_playable(const Document& document);

/// ErrorCode::rejected if the target refuses the duration; the reason says by how much, and what helps.
[[nodiscard]] Result<void> require_duration(float duration_seconds, Target target);

/// Like require_duration, for the file's size.
[[nodiscard]] Result<void> require_size(const Document& document, Target target);

/// Like require_duration, for what the viewer refuses when it loads a file.
[[nodiscard]] Result<void> require_accepted(const Document& document, Target target);

}  // namespace animbridge::sl_anim
