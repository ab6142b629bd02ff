// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>

#include "base/options/options.h"
#include "rig/exchange/exchange.h"

namespace animbridge::sl_anim_to_bvh {

struct Options {
    std::optional<double> frames_per_second{};  ///< null: the coarsest grid that fits all keys, else 30
    /// Use names such as hip and abdomen if the viewer knows them; else mPelvis, mTorso, ...
    bool aliases = false;
    /// Move single frames by less than a degree where the viewer's loader would otherwise drop keys that
    /// matter. False: every frame is exact.
    bool hold_keys = true;
    StopBound stop{};
};

[[nodiscard]] std::span<const Option> options();

/// ErrorCode::bad_value with the member's name and what is allowed.
[[nodiscard]] Result<Options> options_from_json(const Json& json);

}  // namespace animbridge::sl_anim_to_bvh
