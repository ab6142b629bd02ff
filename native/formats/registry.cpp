// SPDX-License-Identifier: MIT
#include "formats/registry.h"

#include <algorithm>
#include <array>

#include "formats/bvh/format.h"
#include "formats/oban/format.h"
#include "formats/oban/level_format.h"
#include "formats/sl_anim/avatar_rig_map.h"
#include "formats/sl_anim/format.h"
#include "formats/sl_anim/skeleton.h"

namespace animbridge {

std::span<const std::reference_wrapper<const Format>> formats() {
    static constexpr std::array all = {
        std::cref(sl_anim::format),
        std::cref(bvh::format),
        std::cref(oban::format),
        std::cref(oban::level_format),
    };
    return all;
}

const Format* find_format(std::string_view id) {
    const auto all = formats();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Format& format) { return format.id == id; });
    return found == all.end() ? nullptr : &found->get();
}

const Skeleton& avatar() { return sl_anim::playing_skeleton(); }
const rig::RigMap& avatar_rig_map() { return sl_anim::avatar_rig_map(); }

Json formats_json() {
    Json rows = Json::array();
    for (const Format& format : formats()) {
        rows.push_back({{"id", format.id},
                        {"title", format.title},
                        {"extensions", format.extensions},
                        {"check_levels", check_level_names},
                        {"default_check_level", name_of(format.default_level)},
                        {"reads", format.read != nullptr},
                        {"writes", format.write != nullptr}});
    }
    return {{"formats", std::move(rows)}};
}

}  // namespace animbridge
