// SPDX-License-Identifier: MIT
#include "formats/registry.h"

#include <algorithm>
#include <array>

#include "formats/bvh/file/file.h"
#include "formats/mrtk/file/file.h"
#include "formats/oban/file/file.h"
#include "formats/oban/level/level.h"
#include "formats/scene_file/file/file.h"
#include "formats/sl_anim/avatar/avatar.h"
#include "formats/sl_anim/file/file.h"
#include "formats/sl_pose/file/file.h"

namespace animbridge {

namespace {

/// Keyed by the call that takes them.
Json tables_json(const std::vector<OptionTable>& tables) {
    Json calls = Json::object();
    for (const OptionTable& table : tables) {
        calls[table.call] = options_json(table.options);
    }
    return calls;
}

}  // namespace

std::span<const std::reference_wrapper<const Format>> formats() {
    static constexpr std::array all = {
        std::cref(sl_anim::format),    std::cref(bvh::format),  std::cref(oban::format),
        std::cref(oban::level_format), std::cref(mrtk::format), std::cref(sl_pose::format),
        std::cref(scene_file::format),
    };
    return all;
}

const Format* find_format(std::string_view id) {
    const auto all = formats();
    const auto found = std::ranges::find_if(all, [&](const Format& format) { return format.id == id; });
    return found == all.end() ? nullptr : &found->get();
}

const Skeleton& avatar() { return sl_anim::avatar::playing_skeleton(); }
const rig::armature::RigMap& avatar_rig_map() { return sl_anim::avatar::avatar_rig_map(); }

std::vector<OptionTable> option_tables(const Format& format) {
    return format.options == nullptr ? std::vector<OptionTable>() : format.options();
}

std::span<const Option> options_of_call(const Format& format, std::string_view call) {
    for (const OptionTable& table : option_tables(format)) {
        if (table.call == call) {
            return table.options;
        }
    }
    return {};
}

Json formats_json() {
    Json rows = Json::array();
    for (const Format& format : formats()) {
        rows.push_back({{"id", format.id},
                        {"title", format.title},
                        {"extensions", format.file.extensions},
                        {"check_levels", check_level_names},
                        {"default_check_level", name_of(format.check.default_level)},
                        {"reads", format.file.read != nullptr},
                        {"writes", format.file.write != nullptr},
                        {"options", tables_json(option_tables(format))}});
    }
    return rows;
}

}  // namespace animbridge
