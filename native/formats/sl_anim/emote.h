// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

namespace animbridge::sl_anim {

/// What the viewer makes of a file's emote name.
enum class Emote : std::uint8_t {
    none,          ///< empty
    known,         ///< an animation state's name in any case, or the id of any animation
    closed_mouth,  ///< "Closed_Mouth", which the viewer drops silently
    unknown,       ///< cleared with a warning
};

[[nodiscard]] Emote emote_of(std::string_view name);

/// Whether the text is 8-4-4-4-12 hexadecimal digits.
[[nodiscard]] bool is_uuid(std::string_view text);

}  // namespace animbridge::sl_anim
