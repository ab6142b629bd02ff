// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>

#include "base/option.h"

namespace animbridge::sl_anim_to_bvh {

struct Options {
    std::optional<double> frames_per_second{};  ///< none: the coarsest grid that fits all keys, else 30
    bool aliases =
        false;  ///< hip, abdomen, ... where the viewer knows such a name; else mPelvis, mTorso, ...
    /// Single frames may be off by less than a degree, so that the viewer's loader keeps the keys that it
    /// would drop to the motion's harm; else every frame is exact.
    bool hold_keys = true;
};

[[nodiscard]] std::span<const Option> options();

/// ErrorCode::bad_value with the member's name and what is allowed.
[[nodiscard]] Result<Options> options_from_json(const Json& json);

}  // namespace animbridge::sl_anim_to_bvh
