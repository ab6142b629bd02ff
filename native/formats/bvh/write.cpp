// SPDX-License-Identifier: MIT
#include "formats/bvh/write.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "formats/bvh/numbers.h"

namespace animbridge::bvh {

namespace {

constexpr std::size_t max_indent = 40;

class Writer {
public:
    explicit Writer(const WriteOptions& options) : decimals_(options.decimals) {}

    void text(std::string_view text) { bytes_.insert(bytes_.end(), text.begin(), text.end()); }
    /// Deep nesting is not drawn: its blanks would be most of the file.
    void indent(std::size_t depth) { bytes_.insert(bytes_.end(), std::min(depth, max_indent), '\t'); }
    void number(double value) {
        std::array<char, max_number_bytes> digits;
        char* const begin = digits.data();
        text({begin, decimals_ ? format_fixed(begin, value, *decimals_) : format_shortest(begin, value)});
    }
    [[nodiscard]] Bytes take() { return std::move(bytes_); }

private:
    std::optional<int> decimals_;
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
    writer.number(document.frame_time_seconds);
    writer.text("\n");
    for (std::size_t frame = 0; frame < document.frame_count; ++frame) {
        bool first = true;
        for (const double value : document.frame(frame)) {
            writer.text(first ? "" : " ");
            writer.number(value);
            first = false;
        }
        writer.text("\n");
    }
}

}  // namespace

Bytes write(const Document& document, const WriteOptions& options) {
    Writer writer(options);
    write_hierarchy(writer, document);
    write_motion(writer, document);
    return writer.take();
}

}  // namespace animbridge::bvh
