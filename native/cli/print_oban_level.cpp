// SPDX-License-Identifier: MIT
#include "cli/print_oban_level.h"

#include <algorithm>

namespace animbridge::cli {

namespace {

std::string plain(const Json& value) {
    if (value.is_string()) {
        return value.get<std::string>();
    }
    return value.is_object() && value.contains("hex") ? "hex:" + value["hex"].get<std::string>()
                                                      : value.dump();
}

std::string left_aligned(const std::string& text, std::size_t width) {
    return text + std::string(std::max(width, text.size()) - text.size(), ' ');
}

std::string right_aligned(const std::string& text, std::size_t width) {
    return std::string(std::max(width, text.size()) - text.size(), ' ') + text;
}

std::string oban_label(const Json& oban) {
    const std::string name = plain(oban["name"]);
    return name.empty() ? "#" + oban["instance"].dump() : name;
}

}  // namespace

std::string oban_level_info_text(const std::string& file, const Json& report) {
    const Json& obans = report["obans"];
    std::size_t width = 4;
    for (const Json& oban : obans) {
        width = std::max(width, oban_label(oban).size());
    }
    std::string text = file + ": " + plain(report["title"]) + " (" + plain(report["checksum"]) + "), " +
                       report["instances"].dump() + " instances, " + std::to_string(obans.size()) +
                       " of them OBANs\n";
    text += obans.empty() ? ""
                          : "  " + left_aligned("name", width) + right_aligned("instance", 10) +
                                right_aligned("keys", 8) + right_aligned("frames", 8) + "\n";
    for (const Json& oban : obans) {
        text += "  " + left_aligned(oban_label(oban), width);
        text += right_aligned(oban["instance"].dump(), 10);
        if (oban["placeholder"].get<bool>()) {
            text += "  (placeholder: the data is in another level)\n";
        } else {
            text += right_aligned(oban["keys"].dump(), 8) + right_aligned(oban["frames"].dump(), 8) + "\n";
        }
    }
    return text;
}

std::string oban_extract_text(const Json& report) {
    std::string text;
    for (const Json& file : report["files"]) {
        text += plain(file["output"]) + ": " + file["keys"].dump() + " keys\n";
        std::string lost;
        for (const Json& field : file["left_behind"]) {
            // Ids belong to the place in the level: every file has others.
            if (field != "res_id" && field != "lev_id") {
                lost += lost.empty() ? "" : ", ";
                lost += plain(field);
            }
        }
        text += lost.empty() ? "" : "  left behind: " + lost + "\n";
    }
    return text;
}

}  // namespace animbridge::cli
