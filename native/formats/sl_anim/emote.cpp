// SPDX-License-Identifier: MIT
#include "formats/sl_anim/emote.h"

#include <cctype>

#include "formats/sl_anim/skeleton.h"

namespace animbridge::sl_anim {

bool is_uuid(std::string_view text) {
    constexpr std::string_view shape = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
    if (text.size() != shape.size()) {
        return false;
    }
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const bool fits =
            shape[i] == 'x' ? std::isxdigit(static_cast<unsigned char>(text[i])) != 0 : text[i] == '-';
        if (!fits) {
            return false;
        }
    }
    return true;
}

Emote emote_of(std::string_view name) {
    if (name.empty()) {
        return Emote::none;
    }
    if (name == "Closed_Mouth") {
        return Emote::closed_mouth;
    }
    return is_animation_state(name) || is_uuid(name) ? Emote::known : Emote::unknown;
}

}  // namespace animbridge::sl_anim
