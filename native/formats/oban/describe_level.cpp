// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/text_table.h"
#include "formats/oban/describe.h"

namespace animbridge::oban {

namespace {

std::string oban_label(const Json& oban) {
    const std::string name = plain_text(oban["name"]);
    return name.empty() ? "#" + oban["instance"].dump() : name;
}

}  // namespace

std::string describe_level(const std::string& file, const Json& info) {
    const Json& obans = info["obans"];
    std::size_t width = 4;
    for (const Json& oban : obans) {
        width = std::max(width, oban_label(oban).size());
    }
    std::string text = file + ": " + plain_text(info["title"]) + " (" + plain_text(info["checksum"]) + "), " +
                       info["instances"].dump() + " instances, " + std::to_string(obans.size()) +
                       " of them OBANs\n";
    text += obans.empty() ? ""
                          : "  " + left_aligned("name", width) + right_aligned("instance", 10) +
                                right_aligned("keys", 8) + right_aligned("frames", 8) + "\n";
    for (const Json& oban : obans) {
        text += "  " + left_aligned(oban_label(oban), width);
        text += right_aligned(oban["instance"].dump(), 10);
        if (oban["placeholder"].get<bool>()) {
            text += "  (placeholder: its data is in another level)\n";
        } else {
            text += right_aligned(oban["keys"].dump(), 8) + right_aligned(oban["frames"].dump(), 8) + "\n";
        }
    }
    return text;
}

}  // namespace animbridge::oban
