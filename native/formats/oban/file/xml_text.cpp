// SPDX-License-Identifier: MIT
#include "formats/oban/file/xml_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <system_error>

#include "formats/oban/file/file.h"
#include "formats/oban/file/xml_numbers.h"

namespace animbridge::oban::file {

namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

bool is_blank_text(std::string_view text) {
    return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

pugi::xml_node element_from(pugi::xml_node node) {
    while (!node.empty() && node.type() != pugi::node_element) {
        node = node.next_sibling();
    }
    return node;
}

}  // namespace

Result<XmlTree> XmlTree::parse(ByteView bytes) {
    XmlTree tree(text_of(bytes));
    TRY_VOID(tree.check_text());
    TRY_VOID(tree.load());
    TRY_VOID(tree.find_root());
    return tree;
}

Result<void> XmlTree::check_text() const {
    if (text_.size() > max_xml_bytes) {
        return fail_at_byte(
            0, "xml",
            "found " + std::to_string(text_.size()) + " bytes; allowed are " + std::to_string(max_xml_bytes));
    }
    // The parser would take a NUL as the text's end.
    if (const std::size_t nul = text_.find('\0'); nul != std::string_view::npos) {
        return fail_at_byte(nul, "xml", "found a NUL byte; allowed is text");
    }
    if (!is_utf8(text_)) {
        return fail_at_byte(0, "xml", "found bytes that are no UTF-8; allowed is UTF-8");
    }
    const auto tags = static_cast<std::size_t>(std::ranges::count(text_, '<'));
    if (tags > max_xml_tags) {
        return fail_at_byte(
            0, "xml", "found " + std::to_string(tags) + " tags; allowed are " + std::to_string(max_xml_tags));
    }
    // A tag makes at most an element and the text before it; an attribute has an equals sign.
    constexpr std::size_t bytes_of_tag = 128;
    constexpr std::size_t bytes_of_attribute = 40;
    const auto equals = static_cast<std::size_t>(std::ranges::count(text_, '='));
    const std::size_t tree = bytes_of_tag * tags + bytes_of_attribute * equals;
    if (tree > std::max(always_allowed_xml_tree, max_xml_growth * text_.size())) {
        return fail_at_byte(0, "xml",
                            "found " + std::to_string(tags) + " tags and " + std::to_string(equals) +
                                " equals signs in " + std::to_string(text_.size()) +
                                " bytes; allowed are fewer in a text of this size, as in any that OniSplit "
                                "reads");
    }
    return {};
}

Result<void> XmlTree::load() {
    // Parse as a fragment, so that text beside the root is in the tree and can be refused.
    const unsigned options = pugi::parse_default | pugi::parse_fragment | pugi::parse_doctype;
    const std::string_view text =
        text_.substr(text_.starts_with(byte_order_mark) ? byte_order_mark.size() : 0);
    const auto parsed = tree_.load_buffer(text.data(), text.size(), options, pugi::encoding_utf8);
    if (parsed.status == pugi::status_out_of_memory) {
        return fail(ErrorCode::out_of_memory, "out of memory");
    }
    if (!parsed) {
        const auto offset =
            text_.size() - text.size() + static_cast<std::size_t>(std::max<std::ptrdiff_t>(parsed.offset, 0));
        const bool in_doctype = parsed.status == pugi::status_bad_doctype;
        return fail_at_byte(std::min(offset, text_.size()), in_doctype ? "DOCTYPE" : "xml",
                            std::string("found no well-formed XML: ") + parsed.description());
    }
    return {};
}

Result<void> XmlTree::find_root() {
    for (const pugi::xml_node node : tree_.children()) {
        if (node.type() == pugi::node_doctype) {
            const std::size_t place = text_.find("<!DOCTYPE");
            return fail_at_byte(place == std::string_view::npos ? 0 : place, "DOCTYPE",
                                "found a document type; allowed is none");
        }
        if (node.type() == pugi::node_element && !root_.empty()) {
            return fail_at(node, "xml",
                           "found a second root, " + in_quotes(node.name()) + "; allowed is one");
        }
        if (node.type() == pugi::node_element) {
            root_ = node;
        } else if (!is_blank_text(node.value())) {
            return fail_at_byte(0, "xml", "found text beside the root: " + in_quotes(node.value()));
        }
    }
    if (!root_) {
        return fail_at_byte(text_.size(), "xml", "found no element; allowed is <Oni>");
    }
    return {};
}

tl::unexpected<Error> XmlTree::fail_at(pugi::xml_node element, std::string field, std::string reason) const {
    const std::size_t skipped = text_.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
    // pugixml gives the offset of a node's name, which is after the "<".
    const std::ptrdiff_t name = element.offset_debug();
    return fail_at_byte(skipped + static_cast<std::size_t>(std::max<std::ptrdiff_t>(name - 1, 0)),
                        std::move(field), std::move(reason));
}

tl::unexpected<Error> XmlTree::fail_at_byte(std::size_t offset, std::string field, std::string reason) const {
    const std::string_view before = text_.substr(0, offset);
    const std::size_t line_end = before.rfind('\n');
    std::size_t line_start = line_end == std::string_view::npos ? 0 : line_end + 1;
    if (line_start == 0 && text_.starts_with(byte_order_mark) && offset >= byte_order_mark.size()) {
        line_start = byte_order_mark.size();
    }
    Error error{ErrorCode::bad_value, std::move(reason)};
    error.field = std::move(field);
    error.byte_offset = static_cast<std::int64_t>(offset);
    error.line = std::ranges::count(before, '\n') + 1;
    error.column = static_cast<std::int64_t>(offset - line_start) + 1;
    return tl::unexpected<Error>(std::move(error));
}

pugi::xml_node first_element(pugi::xml_node parent) { return element_from(parent.first_child()); }

pugi::xml_node next_element(pugi::xml_node element) { return element_from(element.next_sibling()); }

std::string text_in(pugi::xml_node element) {
    std::string text;
    for (const pugi::xml_node node : element.children()) {
        if (node.type() == pugi::node_pcdata || node.type() == pugi::node_cdata) {
            text += node.value();
        }
    }
    return text;
}

std::string in_quotes(std::string_view found) {
    constexpr std::size_t longest = 40;
    return "\"" + std::string(shortened(found, longest)) + (found.size() > longest ? "...\"" : "\"");
}

namespace {

constexpr int fewest_exponent = -5;  // 0.0001 is written in full, 1E-05 is not
constexpr int most_digits_before_point = 9;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The digits of a finite, positive float, and the first digit's power of ten.
struct Digits {
    std::array<char, 16> text{};
    int count = 0;
    int exponent = 0;
};

Digits shortest_digits(float size) {
    std::array<char, 32> buffer{};
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), size, std::chars_format::scientific);
    const char* const e = std::find(buffer.data(), end.ptr, 'e');
    Digits digits;
    for (const char* p = buffer.data(); p != e; ++p) {
        if (is_digit(*p)) {
            digits.text[static_cast<std::size_t>(digits.count++)] = *p;
        }
    }
    std::from_chars(e[1] == '+' ? e + 2 : e + 1, end.ptr, digits.exponent);
    return digits;
}

void append_with_exponent(std::string& text, const Digits& digits) {
    text += digits.text[0];
    if (digits.count > 1) {
        text += '.';
        text.append(digits.text.data() + 1, static_cast<std::size_t>(digits.count - 1));
    }
    const int size = std::abs(digits.exponent);
    text += digits.exponent < 0 ? "E-" : "E+";
    text += static_cast<char>('0' + size / 10);
    text += static_cast<char>('0' + size % 10);
}

void append_plain(std::string& text, const Digits& digits) {
    const int before_point = digits.exponent + 1;
    const auto count = static_cast<std::size_t>(digits.count);
    if (before_point <= 0) {
        text += "0.";
        text.append(static_cast<std::size_t>(-before_point), '0');
        text.append(digits.text.data(), count);
        return;
    }
    const auto whole = static_cast<std::size_t>(before_point);
    text.append(digits.text.data(), std::min(whole, count));
    text.append(whole - std::min(whole, count), '0');
    if (count > whole) {
        text += '.';
        text.append(digits.text.data() + whole, count - whole);
    }
}

/// The parts before and after the exponent's letter.
struct Decimal {
    std::string_view mantissa;
    std::string_view exponent;
};

std::optional<Decimal> decimal_in(std::string_view word) {
    const std::size_t e = word.find_first_of("eE");
    Decimal decimal{word.substr(0, e), e == std::string_view::npos ? "0" : word.substr(e + 1)};
    std::string_view power = decimal.exponent;
    if (!power.empty() && (power[0] == '+' || power[0] == '-')) {
        power.remove_prefix(1);
    }
    const auto points = std::ranges::count(decimal.mantissa, '.');
    const auto digits = std::ranges::count_if(decimal.mantissa, is_digit);
    const bool whole_mantissa = points <= 1 && digits > 0 && points + digits == std::ssize(decimal.mantissa);
    const bool whole_power = !power.empty() && std::ranges::all_of(power, is_digit);
    return whole_mantissa && whole_power ? std::optional(decimal) : std::nullopt;
}

/// Whether a number outside float's range is too small rather than too large.
bool is_tiny(const Decimal& decimal) {
    const std::size_t point = std::min(decimal.mantissa.find('.'), decimal.mantissa.size());
    const std::size_t first = decimal.mantissa.find_first_not_of("0.");
    const std::string_view power = decimal.exponent;
    std::int64_t exponent = 0;
    const auto read =
        std::from_chars(power.data() + (power[0] == '+' ? 1 : 0), power.data() + power.size(), exponent);
    if (read.ec == std::errc::result_out_of_range) {
        return power[0] == '-';
    }
    return static_cast<double>(exponent) + static_cast<double>(point) - static_cast<double>(first) < 0.0;
}

}  // namespace

void append_float(std::string& text, RawFloat value) {
    const float number = value.value();
    if (std::isnan(number)) {
        text += "NaN";
        return;
    }
    text += std::signbit(number) ? "-" : "";
    if (std::isinf(number)) {
        text += "INF";
        return;
    }
    const Digits digits = shortest_digits(std::fabs(number));
    if (digits.exponent <= fewest_exponent || digits.exponent >= most_digits_before_point) {
        append_with_exponent(text, digits);
    } else {
        append_plain(text, digits);
    }
}

std::optional<RawFloat> parse_float(std::string_view word) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    if (word == "NaN") {
        RawFloat quiet;
        quiet.bits = 0x7fc00000U;
        return quiet;
    }
    if (word == "INF" || word == "-INF") {
        return RawFloat(word[0] == '-' ? -infinity : infinity);
    }
    const bool negative = !word.empty() && word[0] == '-';
    if (negative || (!word.empty() && word[0] == '+')) {
        word.remove_prefix(1);
    }
    const auto decimal = decimal_in(word);
    if (!decimal) {
        return std::nullopt;
    }
    float size = 0.0F;
    const auto read = std::from_chars(word.data(), word.data() + word.size(), size);
    if (read.ec == std::errc::result_out_of_range) {
        size = is_tiny(*decimal) ? 0.0F : infinity;
    }
    return std::isinf(size) ? std::nullopt : std::optional(RawFloat(negative ? -size : size));
}

std::optional<std::int64_t> parse_integer(std::string_view word, std::int64_t low, std::int64_t high) {
    std::int64_t value = 0;
    const char* const end = word.data() + word.size();
    const auto read = std::from_chars(word.data(), end, value);
    const bool whole = read.ec == std::errc() && read.ptr == end;
    return whole && value >= low && value <= high ? std::optional(value) : std::nullopt;
}

}  // namespace animbridge::oban::file
