// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/sl_anim/document.h"

/// The [GLOBALS] section of Second Life's older anim.ini, which a viewer reads before a BVH.
namespace animbridge::sl_anim {

struct LoopShare {
    bool loop = false;
    float in = 0;   ///< as a share of the duration
    float out = 1;  ///< as a share of the duration
};

struct AnimIni {
    std::optional<std::string> emote{};
    std::optional<std::int32_t> priority{};  ///< -1..6, for the animation and its joints
    std::optional<LoopShare> loop{};
    std::optional<float> ease_in_seconds{};
    std::optional<float> ease_out_seconds{};
    std::optional<std::uint32_t> hand_pose{};
    std::vector<Constraint> constraints{};  ///< at most max_constraints
    std::size_t joint_sections = 0;         ///< skipped: viewers no longer read them
};

/// Parses lines of the form "key = value". "#" begins a comment; "Translations 1.0" may be the first line.
/// Any other line, and any value that every viewer rejects, is an error with its line number.
[[nodiscard]] Result<AnimIni> read_anim_ini(std::string_view text);

}  // namespace animbridge::sl_anim
