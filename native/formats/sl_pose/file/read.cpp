// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <pugixml.hpp>
#include <system_error>
#include <utility>

#include "formats/sl_pose/file/file.h"
#include "formats/sl_pose/file/write.h"

namespace animbridge::sl_pose::file {

namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
constexpr std::string_view line_ends = "\r\n";

constexpr std::array<std::pair<std::string_view, Kind>, 11> tags = {{{"undef", Kind::undefined},
                                                                     {"boolean", Kind::boolean},
                                                                     {"integer", Kind::integer},
                                                                     {"real", Kind::real},
                                                                     {"string", Kind::string},
                                                                     {"array", Kind::array},
                                                                     {"map", Kind::map},
                                                                     {"uuid", Kind::other},
                                                                     {"date", Kind::other},
                                                                     {"uri", Kind::other},
                                                                     {"binary", Kind::other}}};

std::size_t count_of(std::string_view text, char wanted) {
    return static_cast<std::size_t>(std::ranges::count(text, wanted));
}

/// Whether "#65;" or "#x41;" is a character that XML allows.
bool is_character(std::string_view reference) {
    const std::string_view name = reference.substr(0, reference.find(';'));
    const bool is_hex = name.starts_with("#x");
    const std::string_view digits = name.substr(std::min<std::size_t>(is_hex ? 2 : 1, name.size()));
    std::uint32_t code = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), code, is_hex ? 16 : 10);
    const bool is_whole =
        name.starts_with('#') && read.ec == std::errc() && read.ptr == digits.data() + digits.size();
    const bool is_blank_line = code == '\t' || code == '\n' || code == '\r';
    return is_whole && (is_blank_line || (code >= 0x20 && code < 0xD800) ||
                        (code >= 0xE000 && code <= 0x10FFFF && code != 0xFFFE && code != 0xFFFF));
}

/// The first byte that is not part of a character; npos: there is none.
std::size_t not_utf8_in(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        std::size_t size = 1;
        while (size <= 4 && !is_utf8(text.substr(at, size))) {
            ++size;
        }
        if (size > 4) {
            return at;
        }
        at += size;
    }
    return std::string_view::npos;
}

/// The first control character, which XML does not allow; npos: there is none.
std::size_t control_in(std::string_view text) {
    const auto* const found = std::ranges::find_if(text, [](char c) {
        return static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\n' && c != '\r';
    });
    return found == text.end() ? std::string_view::npos : static_cast<std::size_t>(found - text.begin());
}

/// The place of an entity that the file would have to define, or of a character that XML does not allow;
/// npos: there is none.
std::size_t entity_in(std::string_view text) {
    constexpr std::array<std::string_view, 5> known = {"amp;", "lt;", "gt;", "apos;", "quot;"};
    constexpr std::array<std::pair<std::string_view, std::string_view>, 2> skipped = {
        {{"<!--", "-->"}, {"<![CDATA[", "]]>"}}};
    for (std::size_t at = text.find_first_of("&<"); at != std::string_view::npos;
         at = text.find_first_of("&<", at + 1)) {
        const std::string_view rest = text.substr(at);
        for (const auto& [begin, end] : skipped) {
            if (rest.starts_with(begin)) {
                at = std::min(text.find(end, at + begin.size()), text.size());
            }
        }
        const auto is_known = [&](std::string_view name) { return rest.substr(1).starts_with(name); };
        if (rest[0] == '&' && !is_character(rest.substr(1)) && std::ranges::none_of(known, is_known)) {
            return at;
        }
    }
    return std::string_view::npos;
}

/// Reads one text. Errors have its line, column and byte.
class Reader {
public:
    explicit Reader(ByteView bytes) : text_(text_of(bytes)) {}

    Result<Document> read() {
        TRY_VOID(check_text());
        TRY_VOID(load());
        TRY_VOID(read_roots());
        if (document_.documents.empty()) {
            return fail_at(text_.size(), "xml", "found no element; allowed is <llsd>");
        }
        note_text();
        return std::move(document_);
    }

private:
    [[nodiscard]] Result<void> check_text() const;
    [[nodiscard]] Result<void> load();
    [[nodiscard]] Result<void> read_roots();
    [[nodiscard]] Result<void> read_root(pugi::xml_node root);
    [[nodiscard]] Result<Value> value_of(pugi::xml_node element, int level);
    [[nodiscard]] Result<void> read_map(pugi::xml_node element, int level, Value& map);
    [[nodiscard]] Result<void> read_array(pugi::xml_node element, int level, Value& array);
    void add_text(pugi::xml_node element, int level, std::string& text) const;
    void note_text();

    [[nodiscard]] std::size_t place_of(pugi::xml_node element) const {
        // pugixml gives the place of the name, which is after the "<".
        return skipped_ + static_cast<std::size_t>(std::max<std::ptrdiff_t>(element.offset_debug() - 1, 0));
    }
    [[nodiscard]] std::int64_t line_of(std::size_t offset) const {
        return std::ranges::count(text_.substr(0, offset), '\n') + 1;
    }
    [[nodiscard]] tl::unexpected<Error> fail_at(std::size_t offset, std::string field,
                                                std::string reason) const;

    std::string_view text_;
    std::size_t skipped_ = 0;  ///< the byte order mark
    pugi::xml_document tree_;
    Document document_{};
    std::size_t entries_ = 0;
    bool ends_with_root_ = false;
};

tl::unexpected<Error> Reader::fail_at(std::size_t offset, std::string field, std::string reason) const {
    const std::string_view before = text_.substr(0, offset);
    const std::size_t line_end = before.rfind('\n');
    const std::size_t line_start = line_end == std::string_view::npos ? 0 : line_end + 1;
    Error error{ErrorCode::bad_value, std::move(reason)};
    error.field = std::move(field);
    error.byte_offset = static_cast<std::int64_t>(offset);
    error.line = line_of(offset);
    error.column = static_cast<std::int64_t>(offset - line_start) + 1;
    return tl::unexpected<Error>(std::move(error));
}

Result<void> Reader::check_text() const {
    const auto too_many = [&](std::size_t found, std::size_t allowed, std::string_view things) {
        return fail_at(0, "xml",
                       "found " + std::to_string(found) + " " + std::string(things) + "; allowed are " +
                           std::to_string(allowed));
    };
    if (text_.size() > most_bytes) {
        return too_many(text_.size(), most_bytes, "bytes");
    }
    // The parser would take a NUL as the text's end.
    if (const std::size_t nul = text_.find('\0'); nul != std::string_view::npos) {
        return fail_at(nul, "xml", "found a NUL byte; allowed is text");
    }
    if (!is_utf8(text_)) {
        const std::size_t place = std::min(not_utf8_in(text_), text_.size());
        return fail_at(place, "xml", "found bytes that are not UTF-8; allowed is UTF-8");
    }
    if (const std::size_t place = control_in(text_); place != std::string_view::npos) {
        return fail_at(place, "xml", "found a control character; allowed is text");
    }
    if (const std::size_t count = count_of(text_, '<'); count > most_tags) {
        return too_many(count, most_tags, "tags");
    }
    if (const std::size_t count = count_of(text_, '='); count > most_attributes) {
        return too_many(count, most_attributes, "equals signs");
    }
    if (const std::size_t place = entity_in(text_); place != std::string_view::npos) {
        return fail_at(place, "xml",
                       "found an entity; allowed are those of XML itself, such as &amp;, and characters");
    }
    return {};
}

Result<void> Reader::load() {
    // As a fragment: a file may have several roots. Blanks may be a string's only text.
    constexpr unsigned options = pugi::parse_default | pugi::parse_fragment | pugi::parse_doctype |
                                 pugi::parse_ws_pcdata_single | pugi::parse_comments | pugi::parse_pi |
                                 pugi::parse_declaration;
    skipped_ = text_.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
    const std::string_view text = text_.substr(skipped_);
    const auto parsed = tree_.load_buffer(text.data(), text.size(), options, pugi::encoding_utf8);
    if (parsed.status == pugi::status_out_of_memory) {
        return fail(ErrorCode::out_of_memory, "out of memory");
    }
    if (!parsed) {
        const auto offset = skipped_ + static_cast<std::size_t>(std::max<std::ptrdiff_t>(parsed.offset, 0));
        return fail_at(std::min(offset, text_.size()),
                       parsed.status == pugi::status_bad_doctype ? "DOCTYPE" : "xml",
                       std::string("found no well-formed XML: ") + parsed.description());
    }
    return {};
}

Result<void> Reader::read_roots() {
    for (const pugi::xml_node node : tree_.children()) {
        const bool is_first = document_.documents.empty();
        ends_with_root_ = false;
        if (node.type() == pugi::node_doctype) {
            const std::size_t place = text_.find("<!DOCTYPE");
            return fail_at(place == std::string_view::npos ? 0 : place, "DOCTYPE",
                           "found a document type; allowed is none");
        }
        const bool is_text = node.type() == pugi::node_pcdata || node.type() == pugi::node_cdata;
        if (is_first && is_text && !is_blank(node.value())) {
            return fail_at(skipped_, "xml", "found text before the first element; allowed is <llsd>");
        }
        if (node.type() != pugi::node_element) {
            continue;
        }
        if (std::string_view(node.name()) == "llsd") {
            TRY_VOID(read_root(node));
            ends_with_root_ = true;
        } else if (is_first) {
            return fail_at(place_of(node), "xml",
                           "found <" + std::string(shortened(node.name(), 40)) + ">; allowed is <llsd>");
        }
    }
    return {};
}

Result<void> Reader::read_root(pugi::xml_node root) {
    const std::size_t begin = place_of(root);
    const std::string_view before = text_.substr(0, begin);
    const std::size_t line = before.rfind('\n');
    const std::size_t end = before.rfind('>');
    if (!document_.documents.empty() && (line == std::string_view::npos || line < end)) {
        document_.notes.push_back({"lost_document", "a second <llsd> on one line", line_of(begin)});
        return {};
    }
    Value last;
    for (const pugi::xml_node element : root.children()) {
        if (element.type() == pugi::node_element) {
            TRY(last, value_of(element, 1));
        }
    }
    document_.documents.push_back(std::move(last));
    return {};
}

/// Also the text of elements inside, as the viewers do.
void Reader::add_text(pugi::xml_node element, int level, std::string& text) const {
    for (const pugi::xml_node node : element.children()) {
        if (node.type() == pugi::node_pcdata || node.type() == pugi::node_cdata) {
            text += node.value();
        } else if (node.type() == pugi::node_element && level < most_levels) {
            add_text(node, level + 1, text);
        }
    }
}

Result<void> Reader::read_map(pugi::xml_node element, int level, Value& map) {
    std::string key;
    for (const pugi::xml_node child : element.children()) {
        if (child.type() != pugi::node_element) {
            continue;
        }
        if (std::string_view(child.name()) == "key") {
            key.clear();
            add_text(child, level, key);
            continue;
        }
        TRY(auto value, value_of(child, level + 1));
        if (key.empty()) {
            continue;
        }
        map.keys.push_back(std::exchange(key, {}));
        map.items.push_back(std::move(value));
        if (level == 1 && ++entries_ > most_entries) {
            return fail_at(place_of(child), "map",
                           "found more than " + std::to_string(most_entries) + " entries");
        }
    }
    return {};
}

Result<void> Reader::read_array(pugi::xml_node element, int level, Value& array) {
    for (const pugi::xml_node child : element.children()) {
        if (child.type() == pugi::node_element) {
            TRY(auto item, value_of(child, level + 1));
            array.items.push_back(std::move(item));
        }
    }
    return {};
}

Result<Value> Reader::value_of(pugi::xml_node element, int level) {
    if (level > most_levels) {
        return fail_at(place_of(element), "xml",
                       "found more than " + std::to_string(most_levels) + " levels");
    }
    const auto* const tag =
        std::ranges::find(tags, std::string_view(element.name()), &std::pair<std::string_view, Kind>::first);
    Value value{tag == tags.end() ? Kind::undefined : tag->second};
    if (value.kind == Kind::map) {
        TRY_VOID(read_map(element, level, value));
    } else if (value.kind == Kind::array) {
        TRY_VOID(read_array(element, level, value));
    } else if (value.kind != Kind::undefined) {
        add_text(element, level, value.text);
    }
    const bool is_number = value.kind == Kind::real || value.kind == Kind::integer;
    if (is_number && value.text.size() > longest_number) {
        return fail_at(place_of(element), std::string(element.name()),
                       "found a number of " + std::to_string(value.text.size()) +
                           " characters; allowed are " + std::to_string(longest_number));
    }
    return value;
}

void Reader::note_text() {
    const std::string_view text = text_.substr(skipped_);
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first != 0 && text.substr(first).starts_with("<?xml")) {
        document_.notes.push_back({"late_declaration", "blanks before <?xml", line_of(skipped_ + first)});
    }
    const std::string_view tail = text.substr(text.rfind('>') + 1);
    if (!ends_with_root_ || tail.find_first_not_of(line_ends) != std::string_view::npos) {
        document_.notes.push_back({"text_after_end", "text after the last </llsd>", line_of(text_.size())});
    }
}

}  // namespace

bool sniff(ByteView bytes) {
    std::string_view text = text_of(bytes);
    text.remove_prefix(text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0);
    // Before the root, there may be a declaration and comments.
    constexpr std::array<std::pair<std::string_view, std::string_view>, 2> before = {
        {{"<?", "?>"}, {"<!--", "-->"}}};
    for (bool is_skipped = true; is_skipped;) {
        text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
        is_skipped = false;
        for (const auto& [begin, end] : before) {
            const std::size_t at = text.starts_with(begin) ? text.find(end) : std::string_view::npos;
            if (at != std::string_view::npos) {
                text.remove_prefix(at + end.size());
                is_skipped = true;
            }
        }
    }
    constexpr std::string_view root = "<llsd";
    return text.starts_with(root) && text.size() > root.size() &&
           std::string_view(" \t\r\n/>").find(text[root.size()]) != std::string_view::npos;
}

Result<Document> read(ByteView bytes) {
    TRY(auto document, Reader(bytes).read());
    const std::string_view text = text_of(bytes);
    if (document.notes.empty() &&
        std::ranges::all_of(document.documents, [](const Value& value) { return is_plain(value); })) {
        for (const Layout layout : {Layout::pretty, Layout::lines}) {
            if (text_for(document.documents, layout) == text) {
                document.layout = layout;
                return document;
            }
        }
    }
    document.layout = Layout::text;
    document.text = text;
    return document;
}

}  // namespace animbridge::sl_pose::file
