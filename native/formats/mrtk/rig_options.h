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

/// The form that a recording takes in a scene.
struct RigChoice {
    bool is_exact = true;  ///< a bone per pose, without parents; else hands
    HandRest rest{};
    Signs signs = Signs::continuous;  ///< for an exact rig
    /// Only for skeleton_options(): the names to test with is_character().
    std::optional<std::vector<std::string>> bone_names{};
};

/// "rig", "signs", "rest" and "rest_seconds". `for_clip`: the table "to_clip", whose default rig is hands.
[[nodiscard]] Result<RigChoice> rig_choice_from(const Json& options, bool for_clip);
[[nodiscard]] std::span<const Option> rig_options(bool for_clip);
/// The table "skeleton": that of a scene, and "bone_names".
[[nodiscard]] Result<RigChoice> skeleton_choice_from(const Json& options);
[[nodiscard]] std::span<const Option> skeleton_options();

}  // namespace animbridge::mrtk
