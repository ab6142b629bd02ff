// SPDX-License-Identifier: MIT
#include "convert/formats.h"

#include <algorithm>
#include <array>

#include "convert/sl_document.h"
#include "formats/sl_anim/check.h"
#include "formats/sl_anim/json.h"

namespace animbridge {

namespace {

constexpr std::array<std::string_view, 1> sl_extensions = {".anim"};
constexpr std::array<std::string_view, 3> sl_levels = {"playback", "upload", "strict"};

constexpr std::array<Format, 1> all_formats = {{
    {"sl_anim", "Second Life animation", sl_extensions, sl_levels, sl_anim::rules, sl_anim::sniff,
     [](ByteView bytes, Reading /*reading*/) { return sl_anim::read(bytes).map(make_document); },
     [](const Json& json) { return sl_anim::from_json(json).map(make_document); }},
}};

}  // namespace

std::span<const Format> formats() { return all_formats; }

const Format* find_format(std::string_view id) {
    const auto* const found = std::find_if(all_formats.begin(), all_formats.end(),
                                           [&](const Format& format) { return format.id == id; });
    return found == all_formats.end() ? nullptr : found;
}

Json formats_json() {
    Json rows = Json::array();
    for (const Format& format : all_formats) {
        rows.push_back({{"id", format.id},
                        {"title", format.title},
                        {"extensions", format.extensions},
                        {"check_levels", format.check_levels},
                        {"reads", true},
                        {"writes", true}});
    }
    return {{"formats", std::move(rows)}};
}

}  // namespace animbridge
