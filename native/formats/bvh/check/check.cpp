// SPDX-License-Identifier: MIT
#include "formats/bvh/check/check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "formats/bvh/text/text.h"

namespace animbridge::bvh::check {

namespace {

/// The viewer's limit.
constexpr double max_upload_seconds = 60.0;

std::string number(double value) {
    std::array<char, text::max_number_bytes> text{};
    return {text.data(), text::format_numbers(text.data(), {&value, 1}, {})};
}

void check_names(const file::Document& document, FindingList& findings) {
    constexpr std::size_t longest_uploaded = 79;
    std::set<std::string_view> seen;  // ordered, because a hostile file can make hashes collide
    for (std::size_t i = 0; i < document.joints.size(); ++i) {
        const std::string& name = document.joints[i].name;
        const bool has_blank = std::ranges::any_of(name, text::is_blank);
        if (name.empty()) {
            findings.add(file::rule("name_empty"), "joint number " + std::to_string(i + 1));
        } else if (!seen.insert(name).second) {
            findings.add(file::rule("name_duplicate"), file::in_quotes(name), name);
        }
        if (has_blank) {
            findings.add(file::rule("name_with_blank"), file::in_quotes(name), name);
        }
        if (has_blank || name.size() > longest_uploaded) {
            findings.add(file::rule("upload_name_cut"), file::in_quotes(name), name);
        }
    }
}

/// How many channels the joint has of each kind, indexed by ChannelKind.
std::array<int, 9> counts_of(const file::Joint& joint) {
    std::array<int, 9> counts{};
    for (const file::ChannelKind kind : joint.channels) {
        ++counts.at(static_cast<std::size_t>(kind));
    }
    return counts;
}

void check_channels(const file::Joint& joint, bool is_first, FindingList& findings) {
    const std::array<int, 9> counts = counts_of(joint);
    const auto any = [&](bool (*is_kind)(file::ChannelKind)) {
        return std::ranges::any_of(joint.channels, is_kind);
    };
    const auto rotations = std::ranges::count_if(joint.channels, file::is_rotation);
    const auto axes = std::count_if(counts.begin() + 3, counts.begin() + 6, [](int n) { return n > 0; });
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts.at(i) > 1) {
            findings.add(file::rule("channel_duplicate"),
                         std::string(file::name_of(static_cast<file::ChannelKind>(i))), joint.name);
        }
    }
    const std::string total = std::to_string(joint.channels.size()) + " channels";
    if (any([](file::ChannelKind kind) { return kind >= file::ChannelKind::x_scale; })) {
        findings.add(file::rule("channel_scale"), total, joint.name);
    }
    if (rotations < 3) {
        findings.add(file::rule("upload_rotations"), std::to_string(rotations) + " rotation channels",
                     joint.name);
    }
    const auto positions = std::ranges::count_if(joint.channels, file::is_position);
    const bool is_read = rotations == 3 &&
                         joint.channels.size() == 3U + static_cast<std::size_t>(positions) &&
                         (positions == 0 || positions == 3);
    if (rotations >= 3 && !is_read) {
        findings.add(file::rule("upload_channel_count"), total, joint.name);
    }
    if (!is_first && joint.channels.size() == 6 && any(file::is_position)) {
        findings.add(file::rule("upload_joint_positions"), total, joint.name);
    }
    if (joint.parent && any(file::is_position)) {
        findings.add(file::rule("positions_on_joint"), total, joint.name);
    }
    if (axes == 1 || axes == 2) {
        findings.add(file::rule("rotation_partial"), std::to_string(axes) + " of 3 axes", joint.name);
    }
}

void check_bones(const file::Document& document, FindingList& findings) {
    const file::Offset nowhere{};
    struct Ends {
        std::size_t count = 0;
        bool any_apart = false;
    };
    std::vector<Ends> ends(document.joints.size());
    for (const file::Joint& joint : document.joints) {
        if (joint.parent) {
            ++ends[*joint.parent].count;
            ends[*joint.parent].any_apart |= joint.offset != nowhere;
        }
    }
    for (std::size_t i = 0; i < document.joints.size(); ++i) {
        const file::Joint& joint = document.joints[i];
        if (ends[i].count == 0 && joint.end_sites.empty()) {
            findings.add(file::rule("end_site_missing"), "no child and no end site", joint.name);
        }
        const bool sites_apart = std::ranges::any_of(
            joint.end_sites, [&](const file::EndSite& site) { return site.offset != nowhere; });
        if (ends[i].count + joint.end_sites.size() > 0 && !ends[i].any_apart && !sites_apart) {
            findings.add(file::rule("offset_zero"), "0 0 0", joint.name);
        }
    }
}

void check_times(const file::Document& document, FindingList& findings) {
    const double seconds = document.frame_time_seconds;
    const std::string found = number(seconds) + " s";
    if (seconds == 0) {
        findings.add(file::rule("frame_time_zero"), found);
    } else if (seconds < 0) {
        findings.add(file::rule("frame_time_negative"), found);
    } else if (seconds < 0.001 || seconds > 1.0) {
        findings.add(file::rule("frame_time_unusual"), found);
    }
    const auto frames = static_cast<double>(document.frame_count);
    const double uploaded = std::max(frames - 2.0, 1.0) * seconds;
    if (uploaded > max_upload_seconds) {
        findings.add(file::rule("upload_too_long"), number(uploaded) + " s");
    }
    if (document.frame_count == 0) {
        findings.add(file::rule("frames_none"), "0 frames");
    } else if (document.frame_count == 1) {
        findings.add(file::rule("frame_single"), "1 frame");
    }
    if (document.frame_count < 3) {
        findings.add(file::rule("upload_few_frames"), std::to_string(document.frame_count) +
                                                          (document.frame_count == 1 ? " frame" : " frames"));
    }
}

void check_values(const file::Document& document, FindingList& findings) {
    constexpr double largest = std::numeric_limits<float>::max();
    const std::vector<std::size_t> columns = document.first_columns();
    bool moves = false;
    for (std::size_t frame = 0; frame < document.frame_count; ++frame) {
        const std::span<const double> values = document.frame(frame);
        moves = moves || !std::equal(values.begin(), values.end(), document.frame(0).begin());
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (std::fabs(values[i]) > largest) {
                const auto joint = std::ranges::upper_bound(columns, i) - columns.begin() - 1;
                findings.add(file::rule("value_beyond_float"), number(values[i]),
                             document.joints[static_cast<std::size_t>(joint)].name,
                             static_cast<std::int64_t>(frame));
            }
        }
    }
    if (document.frame_count > 1 && !moves) {
        findings.add(file::rule("nothing_moves"), std::to_string(document.frame_count) +
                                                      (document.frame_count == 1 ? " frame" : " frames"));
    }
}

void add_notes(const file::Document& document, FindingList& findings) {
    for (const file::Note& note : document.notes) {
        findings.add(note.rule, note.found, {}, -1, -1, note.line);
    }
}

}  // namespace

std::vector<Finding> tolerated(const file::Document& document) {
    FindingList findings(file::rules(), CheckLevel::playback);
    add_notes(document, findings);
    return findings.take();
}

std::vector<Finding> check(const file::Document& document, CheckLevel level) {
    FindingList findings(file::rules(), level);
    add_notes(document, findings);
    check_names(document, findings);
    const std::string first = document.joints.empty() ? "" : document.joints.front().name;
    if (first != "hip" && first != "mPelvis" && first != "avatar_mPelvis") {
        findings.add(file::rule("upload_first_joint"),
                     document.joints.empty() ? "no joint" : file::in_quotes(first), first);
    }
    for (const file::Joint& joint : document.joints) {
        check_channels(joint, &joint == &document.joints.front(), findings);
    }
    check_bones(document, findings);
    check_times(document, findings);
    check_values(document, findings);
    return findings.take();
}

}  // namespace animbridge::bvh::check
