// SPDX-License-Identifier: MIT
#include "formats/bvh/file/file.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "formats/bvh/text/text.h"

namespace animbridge::bvh::file {

namespace {

constexpr std::array<std::string_view, 9> kind_names = {"Xposition", "Yposition", "Zposition",
                                                        "Xrotation", "Yrotation", "Zrotation",
                                                        "Xscale",    "Yscale",    "Zscale"};

}  // namespace

std::string_view name_of(ChannelKind kind) { return kind_names.at(static_cast<std::size_t>(kind)); }

std::optional<ChannelKind> channel_kind_named(std::string_view name) {
    const auto* const found =
        std::ranges::find_if(kind_names, [&](std::string_view known) { return same_letters(name, known); });
    return found == kind_names.end() ? std::nullopt
                                     : std::optional(static_cast<ChannelKind>(found - kind_names.begin()));
}

bool has_positions(const Joint& joint) { return std::ranges::any_of(joint.channels, is_position); }

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

namespace {

constexpr std::size_t max_indent = 40;

/// Collects text in a small buffer that stays in the CPU cache.
class Writer {
public:
    explicit Writer(const WriteOptions& options) : decimals_(options.decimals) {}

    /// Reserves memory for this many more bytes.
    void expect(std::size_t size) {
        flush();
        bytes_.reserve(bytes_.size() + size);
        prefer_huge_pages(bytes_.data(), bytes_.capacity());
    }
    [[nodiscard]] std::size_t size() const { return bytes_.size() + used_; }

    void text(std::string_view text) {
        if (text.size() > buffer_.size() - used_) {
            flush();
        }
        if (text.size() > buffer_.size()) {
            bytes_.insert(bytes_.end(), text.begin(), text.end());
            return;
        }
        std::ranges::copy(text, buffer_.data() + used_);
        used_ += text.size();
    }
    /// Caps the indentation: in deep hierarchies most of the file would be tabs.
    void indent(std::size_t depth) {
        for (std::size_t i = 0; i < std::min(depth, max_indent); ++i) {
            text("\t");
        }
    }
    void number(double value) { numbers(std::span(&value, 1), decimals_); }
    /// Ignores `decimals`: a rounded frame time would change the speed of the whole animation.
    void exact_number(double value) { numbers(std::span(&value, 1), std::nullopt); }
    /// One line, with single spaces between the values.
    void row(std::span<const double> values) {
        while (values.size() > most_at_once) {
            numbers(values.first(most_at_once), decimals_);
            text(" ");
            values = values.subspan(most_at_once);
        }
        numbers(values, decimals_);
        text("\n");
    }
    [[nodiscard]] Bytes take() {
        flush();
        return std::move(bytes_);
    }

private:
    static constexpr std::size_t most_at_once = 64;

    void numbers(std::span<const double> values, std::optional<int> decimals) {
        if (buffer_.size() - used_ < most_at_once * text::max_number_bytes) {
            flush();
        }
        char* const begin = buffer_.data() + used_;
        used_ += static_cast<std::size_t>(text::format_numbers(begin, values, decimals) - begin);
    }
    void flush() {
        bytes_.insert(bytes_.end(), buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(used_));
        used_ = 0;
    }

    std::optional<int> decimals_;
    std::array<char, 2 * most_at_once * text::max_number_bytes> buffer_{};
    std::size_t used_ = 0;
    Bytes bytes_;
};

void write_head(Writer& writer, std::size_t depth, std::string_view keyword, std::string_view name) {
    writer.indent(depth);
    writer.text(keyword);
    writer.text(name.empty() ? "" : " ");
    writer.text(name);
    writer.text("\n");
    writer.indent(depth);
    writer.text("{\n");
}

void write_offset(Writer& writer, std::size_t depth, const Offset& offset) {
    writer.indent(depth);
    writer.text("OFFSET");
    for (const double component : offset) {
        writer.text(" ");
        writer.number(component);
    }
    writer.text("\n");
}

void close(Writer& writer, std::size_t depth) {
    writer.indent(depth);
    writer.text("}\n");
}

void write_joint(Writer& writer, std::size_t depth, const Joint& joint) {
    write_head(writer, depth, joint.parent ? "JOINT" : "ROOT", joint.name);
    write_offset(writer, depth + 1, joint.offset);
    writer.indent(depth + 1);
    writer.text("CHANNELS " + std::to_string(joint.channels.size()));
    for (const ChannelKind kind : joint.channels) {
        writer.text(" ");
        writer.text(name_of(kind));
    }
    writer.text("\n");
    for (const EndSite& site : joint.end_sites) {
        write_head(writer, depth + 1, "End Site", site.name);
        write_offset(writer, depth + 2, site.offset);
        close(writer, depth + 1);
    }
}

void write_hierarchy(Writer& writer, const Document& document) {
    writer.text("HIERARCHY\n");
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < document.joints.size(); ++i) {
        const Joint& joint = document.joints[i];
        while (!open.empty() && (!joint.parent || open.back() != *joint.parent)) {
            open.pop_back();
            close(writer, open.size());
        }
        write_joint(writer, open.size(), joint);
        open.push_back(i);
    }
    while (!open.empty()) {
        open.pop_back();
        close(writer, open.size());
    }
}

void write_motion(Writer& writer, const Document& document) {
    writer.text("MOTION\nFrames: " + std::to_string(document.frame_count) + "\nFrame Time: ");
    writer.exact_number(document.frame_time_seconds);
    writer.text("\n");
    // Estimates the rest of the file from the first frames.
    constexpr std::size_t tried = 64;
    const std::size_t begin = writer.size();
    for (std::size_t frame = 0; frame < document.frame_count; ++frame) {
        if (frame == tried) {
            const std::size_t each = (writer.size() - begin) / tried + 1;
            const std::size_t left = (document.frame_count - tried) * each;
            writer.expect(left + left / 32);
        }
        writer.row(document.frame(frame));
    }
}

}  // namespace

Bytes write(const Document& document, const WriteOptions& options) {
    Writer writer(options);
    write_hierarchy(writer, document);
    write_motion(writer, document);
    return writer.take();
}

std::span<const Rule> rules() { return rule_table::all_rules; }

}  // namespace animbridge::bvh::file
