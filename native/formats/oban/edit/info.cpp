// SPDX-License-Identifier: MIT
#include "formats/oban/edit/edit.h"

#include <algorithm>
#include <cmath>

namespace animbridge::oban::edit {

namespace {

/// Whether Base is the identity, a scale that an object can have, or more.
std::string_view base_kind(const file::Matrix& base) {
    const file::Matrix identity = file::identity_matrix();
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

Json info(const file::Document& document) {
    const file::Record& record = document.record;
    const double last_frame = std::max(record.frame_count - 1, 0);
    const Json first = record.keys.empty() ? Json(nullptr) : Json(record.keys.front().time);
    const Json last = record.keys.empty() ? Json(nullptr) : Json(record.keys.back().time);
    const file::Matrix& base = record.base;
    const auto left = left_behind_in_xml(document);
    return {{"format", "oban"},
            {"title", "Oni object animation"},
            {"container", file::name_of(document.container)},
            {"name", json_text(document.name)},
            {"bytes", file::write(document).size()},
            {"keys", record.keys.size()},
            {"first_key_frame", first},
            {"last_key_frame", last},
            {"frame_count", record.frame_count},
            {"frames_per_second", file::frames_per_second},
            {"duration_seconds", last_frame / file::frames_per_second},
            {"flags", file::flag_names_json(record.flags)},
            {"unknown_flags", record.flags & ~file::known_flags},
            {"local", (record.flags & file::z_axis_up) != 0},
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

namespace {

std::string flags_text(const Json& report) {
    const std::string names = listed_text(report["flags"]);
    return report["unknown_flags"] == 0 ? names
                                        : names + ", and unknown ones: " + report["unknown_flags"].dump();
}

}  // namespace

std::string describe(const std::string& file, const Json& info) {
    std::string text = file + ": " + info["title"].get<std::string>() + "\n";
    const auto row = [&](const std::string& label, const std::string& value) {
        text += "  " + label + std::string(22 - label.size(), ' ') + value + "\n";
    };
    const std::string name = plain_text(info["name"]);
    row("container", info["container"].get<std::string>() + ", " + info["bytes"].dump() + " bytes");
    row("name", name.empty() ? "none" : name);
    row("duration", six_digits(info["duration_seconds"]) + " s, " + info["frame_count"].dump() +
                        " frames at " + six_digits(info["frames_per_second"]) + " per second");
    row("keys", info["keys"].dump() + (info["keys"] == 0 ? ""
                                                         : ", frames " + info["first_key_frame"].dump() +
                                                               " to " + info["last_key_frame"].dump()));
    row("flags", flags_text(info));
    row("half stop frame", info["half_stop_frame"].dump());
    row("frame length", info["frame_length"].dump());
    row("base", info["base"] == "scale" ? "scale " + listed_text(info["base_scale"])
                                        : info["base"].get<std::string>());
    row("lost in XML", listed_text(info["lost_in_xml"]));
    return text;
}

std::string describe_poses(const Json& report) {
    std::string text;
    for (const Json& pose : report["poses"]) {
        text += six_digits(pose["seconds"]) + " s: frame " + six_digits(pose["frame"]) + "\n";
        text += "  rotation w x y z        " + listed_text(pose["rotation_wxyz"]) + "\n";
        text += "  position, units         " + listed_text(pose["position"]) + "\n";
        text += "  matrix                  " + listed_text(pose["matrix"]) + "\n";
    }
    return text;
}

std::string describe_left_behind(const Json& report, bool /*is_measured*/) {
    const auto left = report.find("left_behind");
    return left == report.end() || left->empty() ? ""
                                                 : "not stored in this format: " + listed_text(*left) + "\n";
}

}  // namespace animbridge::oban::edit
