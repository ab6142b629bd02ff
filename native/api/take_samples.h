// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "api/handles.h"
#include "reduce/fit.h"
#include "rig/samples.h"

namespace animbridge::api {

/// The caller's samples, and the bound that they come with.
struct TakenSamples {
    rig::SampleView view;
    std::optional<reduce::Bound> bound{};
};

/// `bones`: how many the armature has. The view refers to the caller's arrays.
[[nodiscard]] Result<TakenSamples> take_samples(const ab_sl_samples* pointer, std::size_t bones);

}  // namespace animbridge::api
