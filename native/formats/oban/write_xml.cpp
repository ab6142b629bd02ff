// SPDX-License-Identifier: MIT
#include <algorithm>
#include <span>
#include <string>

#include "formats/oban/xml.h"
#include "formats/oban/xml_numbers.h"

namespace animbridge::oban {

namespace {

constexpr std::size_t bytes_per_key = 320;  // with nine digits per number; an estimate is enough

void open_line(std::string& text, std::size_t depth, std::string_view tag) {
    text.append(4 * depth, ' ');
    text += '<';
    text += tag;
    text += '>';
}

void close_line(std::string& text, std::string_view tag) {
    text += "</";
    text += tag;
    text += ">\n";
}

void add_text(std::string& text, std::size_t depth, std::string_view tag, std::string_view value) {
    open_line(text, depth, tag);
    text += value;
    close_line(text, tag);
}

void add_floats(std::string& text, std::size_t depth, std::string_view tag,
                std::span<const RawFloat> values) {
    open_line(text, depth, tag);
    for (std::size_t i = 0; i < values.size(); ++i) {
        text += i == 0 ? "" : " ";
        append_float(text, values[i]);
    }
    close_line(text, tag);
}

/// OniSplit's integers are signed here: 40000 is written as -25536.
std::string signed_text(std::uint16_t value) { return std::to_string(static_cast<std::int16_t>(value)); }

/// Names in the order of the bits, or a number if any bit has no name.
std::string flags_text(std::uint32_t flags) {
    if ((flags & ~known_flags) != 0) {
        return std::to_string(flags);
    }
    std::string text;
    for (std::size_t bit = 0; bit < flag_names.size(); ++bit) {
        if ((flags >> bit & 1U) != 0) {
            text += text.empty() ? "" : " ";
            text += flag_names[bit];
        }
    }
    return text;
}

void add_keys(std::string& text, std::span<const Key> keys) {
    if (keys.empty()) {
        add_text(text, 2, "KeyFrames", "");
        return;
    }
    text += "        <KeyFrames>\n";
    for (const Key& key : keys) {
        text += "            <OBANKeyFrame>\n";
        add_floats(text, 4, "Rotation", key.rotation);
        add_floats(text, 4, "Translation", key.position);
        add_text(text, 4, "Time", std::to_string(key.time));
        text += "            </OBANKeyFrame>\n";
    }
    text += "        </KeyFrames>\n";
}

constexpr std::uint32_t printed_nan = 0x7fc00000U;

bool loses_bits(RawFloat value) {
    return (value.bits & 0x7fffffffU) > 0x7f800000U && value.bits != printed_nan;
}

bool loses_bits_in(const Record& record) {
    return std::any_of(record.initial.begin(), record.initial.end(), loses_bits) ||
           std::any_of(record.base.begin(), record.base.end(), loses_bits) ||
           std::any_of(record.keys.begin(), record.keys.end(), [](const Key& key) {
               return std::any_of(key.rotation.begin(), key.rotation.end(), loses_bits) ||
                      std::any_of(key.position.begin(), key.position.end(), loses_bits);
           });
}

}  // namespace

Bytes write_xml(const Record& record) {
    std::string text;
    text.reserve(1024 + bytes_per_key * record.keys.size());
    text += "\xef\xbb\xbf<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<Oni>\n    <OBAN id=\"0\">\n";
    add_text(text, 2, "Flags", flags_text(record.flags));
    add_floats(text, 2, "InitialTransform", record.initial);
    add_floats(text, 2, "BaseTransform", record.base);
    add_text(text, 2, "FrameLength", signed_text(record.frame_length));
    add_text(text, 2, "FrameCount", signed_text(record.frame_count));
    add_text(text, 2, "HalfStopFrame", signed_text(record.half_stop_frame));
    add_keys(text, record.keys);
    text += "    </OBAN>\n</Oni>";
    const ByteView bytes = view_of(text);
    return {bytes.begin(), bytes.end()};
}

std::vector<std::string_view> left_out_of_xml(const Record& record) {
    std::vector<std::string_view> names;
    const auto add_if = [&](bool lost, std::string_view name) {
        if (lost) {
            names.push_back(name);
        }
    };
    add_if(record.res_id != 1, "res_id");
    add_if(record.lev_id != 0, "lev_id");
    add_if(std::any_of(record.padding.begin(), record.padding.end(), [](auto byte) { return byte != 0; }),
           "padding");
    add_if(loses_bits_in(record), "nan_payload");
    add_if(!record.tail.empty(), "tail");
    return names;
}

}  // namespace animbridge::oban
