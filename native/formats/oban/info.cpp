// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "formats/oban/change.h"
#include "formats/oban/json.h"
#include "formats/oban/write.h"

namespace animbridge::oban {

namespace {

/// Whether Base is the identity, a scale that an object can have, or more.
std::string_view base_kind(const Matrix& base) {
    const Matrix identity = identity_matrix();
    const auto same_value = [](RawFloat a, RawFloat b) { return a.value() == b.value(); };
    if (std::equal(base.begin(), base.end(), identity.begin(), same_value)) {
        return "none";
    }
    for (std::size_t i = 0; i < base.size(); ++i) {
        const bool on_diagonal = identity.at(i).bits != 0;
        const float value = base.at(i).value();
        const bool fits = on_diagonal ? value > 0.0F && std::isfinite(value) : value == 0.0F;
        if (!fits) {
            return "matrix";
        }
    }
    return "scale";
}

}  // namespace

Json info(const Document& document) {
    const Record& record = document.record;
    const double last_frame = std::max(record.frame_count - 1, 0);
    const Json first = record.keys.empty() ? Json(nullptr) : Json(record.keys.front().time);
    const Json last = record.keys.empty() ? Json(nullptr) : Json(record.keys.back().time);
    const Matrix& base = record.base;
    const auto left = left_behind_in_xml(document);
    return {{"format", "oban"},
            {"title", "Oni object animation"},
            {"container", name_of(document.container)},
            {"name", json_text(document.name)},
            {"bytes", write(document).size()},
            {"keys", record.keys.size()},
            {"first_key_frame", first},
            {"last_key_frame", last},
            {"frame_count", record.frame_count},
            {"frames_per_second", frames_per_second},
            {"duration_seconds", last_frame / frames_per_second},
            {"flags", flag_names_json(record.flags)},
            {"unknown_flags", record.flags & ~known_flags},
            {"local", (record.flags & z_axis_up) != 0},
            {"half_stop_frame", record.half_stop_frame},
            {"frame_length", record.frame_length},
            {"base", base_kind(base)},
            {"base_scale", base_kind(base) == "scale"
                               ? Json::array({json_float(base[0]), json_float(base[4]), json_float(base[8])})
                               : Json(nullptr)},
            {"res_id", record.res_id},
            {"lev_id", record.lev_id},
            {"lost_in_xml", left}};
}

}  // namespace animbridge::oban
