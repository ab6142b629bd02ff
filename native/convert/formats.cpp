// SPDX-License-Identifier: MIT
#include "convert/formats.h"

#include <algorithm>
#include <array>

#include "convert/bvh_document.h"
#include "convert/oban_document.h"
#include "convert/oban_level_document.h"
#include "convert/sl_document.h"
#include "formats/bvh/check.h"
#include "formats/bvh/json.h"
#include "formats/bvh/read.h"
#include "formats/oban/check.h"
#include "formats/oban/json.h"
#include "formats/oban/level_json.h"
#include "formats/oban/read.h"
#include "formats/oban/record.h"
#include "formats/sl_anim/check.h"
#include "formats/sl_anim/json.h"

namespace animbridge {

namespace {

DocumentPtr make_sl_document(sl_anim::Document document) { return make_document(std::move(document)); }
DocumentPtr make_bvh_document(bvh::Document document) { return make_document(std::move(document)); }
DocumentPtr make_oban_document(oban::Document document) { return make_document(std::move(document)); }
DocumentPtr make_level_document(oban::Level level) { return make_document(std::move(level)); }

constexpr std::array<std::string_view, 1> sl_extensions = {".anim"};
constexpr std::array<std::string_view, 3> sl_levels = {"playback", "upload", "strict"};

constexpr std::array<std::string_view, 1> bvh_extensions = {".bvh"};
constexpr std::array<std::string_view, 3> bvh_levels = {"playback", "strict", "upload"};

constexpr std::array<std::string_view, 3> oban_extensions = {".oni", ".oban", ".xml"};
constexpr std::array<std::string_view, 2> oban_levels = {"playback", "strict"};

constexpr std::array<std::string_view, 1> level_extensions = {".dat"};

constexpr std::array<Format, 4> all_formats = {{
    {"sl_anim", "Second Life animation", sl_extensions, sl_levels, sl_anim::rules, sl_anim::sniff,
     [](ByteView bytes, Reading /*reading*/) { return sl_anim::read(bytes).map(make_sl_document); },
     [](const Json& json) { return sl_anim::from_json(json).map(make_sl_document); }},
    {"bvh", "BVH motion", bvh_extensions, bvh_levels, bvh::rules, bvh::sniff,
     [](ByteView bytes, Reading reading) { return bvh::read(bytes, reading).map(make_bvh_document); },
     [](const Json& json) { return bvh::from_json(json).map(make_bvh_document); }},
    {"oban", "Oni object animation", oban_extensions, oban_levels, oban::rules, oban::sniff,
     [](ByteView bytes, Reading /*reading*/) { return oban::read(bytes).map(make_oban_document); },
     [](const Json& json) { return oban::from_json(json).map(make_oban_document); }, oban::may_be_raw},
    {"oban_level", "Oni level", level_extensions, oban_levels, oban::rules, oban::is_level,
     [](ByteView bytes, Reading /*reading*/) {
         return oban::read_level(Bytes(bytes.begin(), bytes.end())).map(make_level_document);
     },
     [](const Json& json) { return oban::level_from_json(json).map(make_level_document); }},
}};

}  // namespace

std::span<const Format> formats() { return all_formats; }

const Format* find_format(std::string_view id) {
    const auto* const found = std::find_if(all_formats.begin(), all_formats.end(),
                                           [&](const Format& format) { return format.id == id; });
    return found == all_formats.end() ? nullptr : found;
}

tl::unexpected<Error> unknown_level(const Format& format, std::string_view level) {
    std::string allowed;
    for (const std::string_view name : format.check_levels) {
        allowed += allowed.empty() ? "" : ", ";
        allowed += name;
    }
    return fail(ErrorCode::invalid_argument,
                "unknown level \"" + std::string(level) + "\"; allowed are " + allowed);
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
