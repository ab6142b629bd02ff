// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "base/option.h"
#include "base/result.h"
#include "formats/mrtk/clip.h"
#include "formats/mrtk/hands.h"

namespace animbridge::mrtk {

/// What a recording becomes in a scene.
struct RigChoice {
    bool is_exact = true;  ///< a bone per pose, without parents; else hands
    HandRest rest{};
    Signs signs = Signs::continuous;  ///< of an exact rig
};

/// "rig", "signs", "rest" and "rest_seconds". `for_clip`: the table "to_clip", whose rig is hands by default.
[[nodiscard]] Result<RigChoice> rig_choice_from(const Json& options, bool for_clip);
[[nodiscard]] std::span<const Option> rig_options(bool for_clip);

}  // namespace animbridge::mrtk
