// SPDX-License-Identifier: MIT
#pragma once

#include "api/handles.h"
#include "rig/curves/curves.h"

namespace animbridge::api {

/// Checks a caller's samples. The view refers to the caller's arrays. `armature`: nullptr for an object; then
/// only its own matrices are read.
[[nodiscard]] Result<rig::SampleView> take_samples(const ab_samples* pointer, const rig::Armature* armature);

[[nodiscard]] Result<rig::Timing> take_timing(const ab_timing* pointer);

}  // namespace animbridge::api
