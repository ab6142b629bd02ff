// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "base/options/options.h"
#include "rig/exchange/exchange.h"

/// Exports an armature's motion to a scene file, which is written and read back at once.
///
/// The joints are the bones, with the bones' own axes. The report has "container", "joints", "keys", "bytes",
/// "duration_seconds", "frames_per_second", "moved_joints", "max_position_error_mm",
/// "max_rotation_error_degrees", "worst", "verified_by" and "warnings". Errors are differences between the
/// file, as another reader reads it, and what the scene shows.
namespace animbridge::scene {

[[nodiscard]] std::span<const Option> export_options();

/// ErrorCode::bad_value names the bone and the error in its curve; or a bone that is left out above one that
/// is not: only samples have its motion.
[[nodiscard]] Result<Made> from_curves(const FromCurves& request);
/// The motion of bones that are left out becomes part of that of the bones below.
[[nodiscard]] Result<Made> from_samples(const FromSamples& request);

}  // namespace animbridge::scene
