// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "base/option.h"
#include "base/result.h"
#include "formats/mrtk/hands.h"

namespace animbridge::mrtk {

/// What a recording becomes in a scene.
struct RigChoice {
    bool is_exact = true;  ///< a bone per pose, without parents; else hands
    HandRest rest{};
};

/// "rig", "rest" and "rest_seconds".
[[nodiscard]] Result<RigChoice> rig_choice_from(const Json& options);
[[nodiscard]] std::span<const Option> rig_options();

/// "rest" and "rest_seconds" alone.
[[nodiscard]] Result<HandRest> hand_rest_from(const Json& options);
[[nodiscard]] std::span<const Option> hand_options();

}  // namespace animbridge::mrtk
