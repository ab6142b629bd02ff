// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

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
    /// Of skeleton_options() alone: the bones for which is_character() is asked.
    std::optional<std::vector<std::string>> bone_names{};
};

/// "rig", "signs", "rest" and "rest_seconds". `for_clip`: the table "to_clip", whose rig is hands by default.
[[nodiscard]] Result<RigChoice> rig_choice_from(const Json& options, bool for_clip);
[[nodiscard]] std::span<const Option> rig_options(bool for_clip);
/// The table "skeleton": a scene's, and "bone_names".
[[nodiscard]] Result<RigChoice> skeleton_choice_from(const Json& options);
[[nodiscard]] std::span<const Option> skeleton_options();

}  // namespace animbridge::mrtk
