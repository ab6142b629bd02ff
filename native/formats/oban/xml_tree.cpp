// SPDX-License-Identifier: MIT
#include "formats/oban/xml_tree.h"

#include <algorithm>

#include "base/text.h"
#include "formats/oban/xml.h"

namespace animbridge::oban {

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
    auto done = tree.check_text();
    done = done ? tree.load() : done;
    done = done ? tree.find_root() : done;
    if (!done) {
        return tl::unexpected<Error>(done.error());
    }
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
    const auto tags = static_cast<std::size_t>(std::count(text_.begin(), text_.end(), '<'));
    if (tags > max_xml_tags) {
        return fail_at_byte(
            0, "xml", "found " + std::to_string(tags) + " tags; allowed are " + std::to_string(max_xml_tags));
    }
    // A tag makes at most an element and the text before it; an attribute has an equals sign.
    constexpr std::size_t bytes_of_tag = 128;
    constexpr std::size_t bytes_of_attribute = 40;
    const auto equals = static_cast<std::size_t>(std::count(text_.begin(), text_.end(), '='));
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
    error.line = std::count(before.begin(), before.end(), '\n') + 1;
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

}  // namespace animbridge::oban
