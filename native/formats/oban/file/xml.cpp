// SPDX-License-Identifier: MIT
#include "formats/oban/file/file.h"

#include <algorithm>
#include <limits>
#include <span>

#include "formats/oban/file/xml_numbers.h"
#include "formats/oban/file/xml_text.h"

namespace animbridge::oban::file {

namespace {

constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view name_prefix = "OBAN";

constexpr std::array<std::string_view, 7> record_fields = {
    "Flags", "InitialTransform", "BaseTransform", "FrameLength", "FrameCount", "HalfStopFrame", "KeyFrames"};
constexpr std::array<std::string_view, 3> key_fields = {"Rotation", "Translation", "Time"};

/// Removes and returns the first word of the text; empty if there is none.
std::string_view take_word(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    const std::string_view word = text.substr(0, text.find_first_of(blanks));
    text.remove_prefix(word.size());
    return word;
}

class XmlReader {
public:
    explicit XmlReader(const XmlTree& tree) : tree_(tree) {}

    [[nodiscard]] Result<Document> read() const;

private:
    [[nodiscard]] Result<pugi::xml_node> find_record() const;
    [[nodiscard]] Result<void> read_head(std::span<const pugi::xml_node> fields, Record& record) const;
    [[nodiscard]] Result<void> read_keys(pugi::xml_node parent, std::vector<Key>& keys) const;
    [[nodiscard]] Result<Key> read_key(pugi::xml_node element, const std::string& path) const;
    [[nodiscard]] Result<std::uint32_t> read_flags(pugi::xml_node element) const;
    [[nodiscard]] Result<void> read_floats(pugi::xml_node element, const std::string& path,
                                           std::span<RawFloat> out) const;
    [[nodiscard]] Result<std::int64_t> read_integer(pugi::xml_node element, const std::string& path,
                                                    std::int64_t low, std::int64_t high) const;
    [[nodiscard]] Result<std::uint16_t> read_count(pugi::xml_node element, const std::string& path) const;
    template <std::size_t N>
    [[nodiscard]] Result<std::array<pugi::xml_node, N>> expect(pugi::xml_node parent,
                                                               const std::array<std::string_view, N>& tags,
                                                               const std::string& path) const;

    const XmlTree& tree_;
};

/// The children, which must be exactly these, in this order.
template <std::size_t N>
Result<std::array<pugi::xml_node, N>> XmlReader::expect(pugi::xml_node parent,
                                                        const std::array<std::string_view, N>& tags,
                                                        const std::string& path) const {
    std::array<pugi::xml_node, N> found;
    pugi::xml_node child = first_element(parent);
    for (std::size_t i = 0; i < N; ++i) {
        const std::string tag(tags[i]);
        if (!child) {
            return tree_.fail_at(parent, path + tag, "is missing in <" + std::string(parent.name()) + ">");
        }
        if (child.name() != tags[i]) {
            return tree_.fail_at(child, path + tag,
                                 "found " + in_quotes(child.name()) + "; allowed is " + tag);
        }
        found[i] = child;
        child = next_element(child);
    }
    if (child) {
        return tree_.fail_at(child, path + child.name(),
                             "found one more element; allowed is none after " + std::string(tags.back()));
    }
    return found;
}

Result<pugi::xml_node> XmlReader::find_record() const {
    const pugi::xml_node root = tree_.root();
    if (std::string_view(root.name()) != "Oni") {
        return tree_.fail_at(root, "Oni", "found the root " + in_quotes(root.name()) + "; allowed is Oni");
    }
    const pugi::xml_node element = first_element(root);
    if (element.empty() || !next_element(element).empty()) {
        return tree_.fail_at(
            root, "OBAN",
            std::string("found ") + (element.empty() ? "no" : "more than one") + " instance; allowed is one");
    }
    const bool older = std::string_view(element.name()) == "Instance" &&
                       std::string_view(element.attribute("type").value()) == "OBAN";
    if (!older && std::string_view(element.name()) != "OBAN") {
        return tree_.fail_at(element, "OBAN", "found " + in_quotes(element.name()) + "; allowed is OBAN");
    }
    return element;
}

Result<void> XmlReader::read_floats(pugi::xml_node element, const std::string& path,
                                    std::span<RawFloat> out) const {
    const std::string text = text_in(element);
    std::size_t count = 0;
    std::string_view rest = text;
    while (!take_word(rest).empty()) {
        ++count;
    }
    if (count != out.size()) {
        return tree_.fail_at(
            element, path,
            "found " + std::to_string(count) + " numbers; allowed are " + std::to_string(out.size()));
    }
    rest = text;
    for (RawFloat& value : out) {
        const std::string_view word = take_word(rest);
        const auto number = parse_float(word);
        if (!number) {
            return tree_.fail_at(element, path,
                                 "found " + in_quotes(word) +
                                     "; allowed are decimal numbers below 3.5E+38, INF, -INF and NaN");
        }
        value = *number;
    }
    return {};
}

Result<std::int64_t> XmlReader::read_integer(pugi::xml_node element, const std::string& path,
                                             std::int64_t low, std::int64_t high) const {
    const std::string text = text_in(element);
    std::string_view rest = text;
    const std::string_view word = take_word(rest);
    const auto number = take_word(rest).empty() ? parse_integer(word, low, high) : std::nullopt;
    if (!number) {
        return tree_.fail_at(element, path,
                             "found " + in_quotes(text) + "; allowed are whole numbers from " +
                                 std::to_string(low) + " to " + std::to_string(high));
    }
    return *number;
}

/// OniSplit reads these as signed numbers.
Result<std::uint16_t> XmlReader::read_count(pugi::xml_node element, const std::string& path) const {
    using Signed = std::numeric_limits<std::int16_t>;
    return read_integer(element, path, Signed::min(), Signed::max()).map([](std::int64_t value) {
        return static_cast<std::uint16_t>(value);
    });
}

Result<std::uint32_t> XmlReader::read_flags(pugi::xml_node element) const {
    const std::string text = text_in(element);
    std::string_view rest = text;
    std::string_view word = take_word(rest);
    const bool alone = std::string_view(rest).find_first_not_of(blanks) == std::string_view::npos;
    const std::size_t sign = word.starts_with('-') ? 1 : 0;
    const bool is_number =
        word.size() > sign && word.find_first_not_of("0123456789", sign) == std::string_view::npos;
    if (alone && is_number) {
        return read_integer(element, "Flags", std::numeric_limits<std::int32_t>::min(),
                            std::numeric_limits<std::uint32_t>::max())
            .map([](std::int64_t value) { return static_cast<std::uint32_t>(value); });
    }
    if (alone && word == "None") {
        return 0U;
    }
    std::uint32_t flags = 0;
    for (; !word.empty(); word = take_word(rest)) {
        const auto* const found = std::ranges::find(flag_names, word);
        if (found == flag_names.end()) {
            return tree_.fail_at(
                element, "Flags",
                "found " + in_quotes(word) +
                    "; allowed are NormalLoop, BackToBackLoop, RandomStartFrame, Autostart and "
                    "ZAxisUp, or one number");
        }
        flags |= 1U << static_cast<unsigned>(found - flag_names.begin());
    }
    return flags;
}

Result<Key> XmlReader::read_key(pugi::xml_node element, const std::string& path) const {
    TRY(const auto fields, expect(element, key_fields, path));
    Key key;
    TRY_VOID(read_floats(fields[0], path + "Rotation", key.rotation));
    TRY_VOID(read_floats(fields[1], path + "Translation", key.position));
    using Time = std::numeric_limits<std::int32_t>;
    return read_integer(fields[2], path + "Time", Time::min(), Time::max()).map([&](std::int64_t time) {
        key.time = static_cast<std::int32_t>(time);
        return key;
    });
}

Result<void> XmlReader::read_keys(pugi::xml_node parent, std::vector<Key>& keys) const {
    std::size_t count = 0;
    for (pugi::xml_node child = first_element(parent); !child.empty(); child = next_element(child)) {
        if (std::string_view(child.name()) != "OBANKeyFrame") {
            return tree_.fail_at(child, "KeyFrames.OBANKeyFrame",
                                 "found " + in_quotes(child.name()) + "; allowed is OBANKeyFrame");
        }
        ++count;
    }
    if (count > max_keys) {
        return tree_.fail_at(
            parent, "KeyFrames",
            "found " + std::to_string(count) + " keys; allowed are " + std::to_string(max_keys));
    }
    keys.reserve(count);
    std::string path;
    for (pugi::xml_node child = first_element(parent); !child.empty(); child = next_element(child)) {
        path = "KeyFrames[";
        path += std::to_string(keys.size());
        path += "].";
        TRY(const auto key, read_key(child, path));
        keys.push_back(key);
    }
    return {};
}

Result<void> XmlReader::read_head(std::span<const pugi::xml_node> fields, Record& record) const {
    TRY(record.flags, read_flags(fields[0]));
    TRY_VOID(read_floats(fields[1], "InitialTransform", record.initial));
    TRY_VOID(read_floats(fields[2], "BaseTransform", record.base));
    const std::array<std::uint16_t*, 3> counts = {&record.frame_length, &record.frame_count,
                                                  &record.half_stop_frame};
    for (std::size_t i = 0; i < counts.size(); ++i) {
        TRY(*counts[i], read_count(fields[3 + i], std::string(record_fields[3 + i])));
    }
    return {};
}

Result<Document> XmlReader::read() const {
    TRY(const auto element, find_record());
    TRY(const auto fields, expect(element, record_fields, ""));
    Document document;
    document.container = Container::xml;
    std::string_view name = element.attribute("name").value();
    name.remove_prefix(name.starts_with(name_prefix) ? name_prefix.size() : 0);
    document.name = name;
    TRY_VOID(read_head(fields, document.record));
    TRY_VOID(read_keys(fields.back(), document.record.keys));
    return document;
}

}  // namespace

bool looks_like_xml(ByteView bytes) {
    std::string_view text = text_of(bytes);
    text.remove_prefix(text.starts_with("\xef\xbb\xbf") ? 3 : 0);
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    return text.starts_with("<?xml") || text.starts_with("<Oni") || text.starts_with("<!");
}

Result<Document> read_xml(ByteView bytes) {
    TRY(const auto tree, XmlTree::parse(bytes));
    return XmlReader(tree).read();
}

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
    return std::ranges::any_of(record.initial, loses_bits) || std::ranges::any_of(record.base, loses_bits) ||
           std::ranges::any_of(record.keys, [](const Key& key) {
               return std::ranges::any_of(key.rotation, loses_bits) ||
                      std::ranges::any_of(key.position, loses_bits);
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
    add_if(std::ranges::any_of(record.padding, [](auto byte) { return byte != 0; }), "padding");
    add_if(loses_bits_in(record), "nan_payload");
    add_if(!record.tail.empty(), "tail");
    return names;
}

}  // namespace animbridge::oban::file
