// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "bridges/bvh_to_sl_anim/bridge.h"
#include "bridges/bvh_to_sl_pose/bridge.h"
#include "bridges/oban_level_to_oban/bridge.h"
#include "bridges/sl_anim_to_bvh/bridge.h"
#include "bridges/sl_pose_to_bvh/bridge.h"
#include "bridges/sl_pose_to_sl_anim/bridge.h"
#include "formats/registry.h"
#include "model/format/format.h"

namespace animbridge {

std::span<const Bridge* const> bridges() {
    static constexpr std::array all = {
        &bvh_to_sl_anim::bridge, &bvh_to_sl_pose::bridge,     &sl_anim_to_bvh::bridge,
        &sl_pose_to_bvh::bridge, &sl_pose_to_sl_anim::bridge, &oban_level_to_oban::bridge,
    };
    return all;
}

const Bridge* find_bridge(std::string_view from, std::string_view to) {
    const auto all = bridges();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Bridge* bridge) {
        return bridge->from == from && bridge->to == to;
    });
    return found == all.end() ? nullptr : *found;
}

Json registries_json() {
    Json rows = Json::array();
    for (const Bridge* bridge : bridges()) {
        rows.push_back(
            {{"from", bridge->from}, {"to", bridge->to}, {"options", options_json(bridge->options())}});
    }
    return {{"formats", formats_json()}, {"conversions", std::move(rows)}};
}

}  // namespace animbridge
