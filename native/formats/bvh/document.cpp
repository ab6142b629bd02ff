// SPDX-License-Identifier: MIT
#include "formats/bvh/document.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/text.h"
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
                                           [&](std::string_view known) { return same_letters(name, known); });
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

Result<Document> trimmed(Document document, const Trim& trim) {
    const double frame_seconds = document.frame_time_seconds;
    const double last = document.frame_count == 0 ? 0.0 : static_cast<double>(document.frame_count - 1);
    constexpr double longest_seconds = 1e30;
    const bool has_time = frame_seconds > 0.0 && last * frame_seconds <= longest_seconds;
    TRY(const TrimSpan span,
        trim.in(has_time ? last * frame_seconds : 0.0, has_time ? 1.0 / frame_seconds : 0.0));
    const auto first_frame = static_cast<std::size_t>(std::round(span.start_seconds / frame_seconds));
    const auto end_frame = static_cast<std::size_t>(std::round(span.end_seconds / frame_seconds)) + 1;
    const std::size_t width = document.motion.size() / document.frame_count;
    document.motion = {document.motion.begin() + static_cast<std::ptrdiff_t>(first_frame * width),
                       document.motion.begin() + static_cast<std::ptrdiff_t>(end_frame * width)};
    document.frame_count = end_frame - first_frame;
    return document;
}

}  // namespace animbridge::bvh
