// SPDX-License-Identifier: MIT
#include "formats/bvh/document.h"

#include <algorithm>
#include <numeric>

#include "formats/bvh/scanner.h"

namespace animbridge::bvh {

namespace {

constexpr std::array<std::string_view, 9> kind_names = {"Xposition", "Yposition", "Zposition",
                                                        "Xrotation", "Yrotation", "Zrotation",
                                                        "Xscale",    "Yscale",    "Zscale"};

}  // namespace

std::string_view name_of(ChannelKind kind) { return kind_names.at(static_cast<std::size_t>(kind)); }

std::optional<ChannelKind> channel_kind_named(std::string_view name) {
    const auto* const found = std::find_if(kind_names.begin(), kind_names.end(),
                                           [&](std::string_view known) { return same_word(name, known); });
    return found == kind_names.end() ? std::nullopt
                                     : std::optional(static_cast<ChannelKind>(found - kind_names.begin()));
}

bool has_positions(const Joint& joint) {
    return std::any_of(joint.channels.begin(), joint.channels.end(), is_position);
}

std::size_t Document::channel_count() const {
    return std::accumulate(joints.begin(), joints.end(), std::size_t{0},
                           [](std::size_t sum, const Joint& joint) { return sum + joint.channels.size(); });
}

std::vector<std::size_t> Document::first_columns() const {
    std::vector<std::size_t> columns;
    columns.reserve(joints.size());
    std::size_t column = 0;
    for (const Joint& joint : joints) {
        columns.push_back(column);
        column += joint.channels.size();
    }
    return columns;
}

}  // namespace animbridge::bvh
