// SPDX-License-Identifier: MIT
#pragma once

#include "model/clip.h"

namespace animbridge {

/// Whether the track's keys are whole rows, and steps or lines.
[[nodiscard]] bool has_linear_rows(const Track& track);

/// The clip with rotations and translations as tracks of whole rows whose keys are steps or lines, for
/// formats that have nothing else. Such tracks stay unchanged. The others get a key at each of their keys'
/// times, and between them inserted keys at multiples of `step_seconds` (above 0); a jump gets an inserted
/// key just before it. Tracks of properties stay.
[[nodiscard]] Clip with_linear_rows(const Clip& clip, double step_seconds);

}  // namespace animbridge
