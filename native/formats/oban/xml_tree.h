// SPDX-License-Identifier: MIT
#pragma once

#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "base/bytes.h"

namespace animbridge::oban {

/// Parsed XML that knows where everything stood. Refused before and while it is parsed: what is not UTF-8, a
/// document type (it may hold entities that grow without end), and more than one root.
class XmlTree {
public:
    /// `bytes` must outlive the tree.
    [[nodiscard]] static Result<XmlTree> parse(ByteView bytes);

    [[nodiscard]] pugi::xml_node root() const { return root_; }

    /// An error at the element's "<", with line, column and byte.
    [[nodiscard]] tl::unexpected<Error> fail_at(pugi::xml_node element, std::string field,
                                                std::string reason) const;

private:
    explicit XmlTree(std::string_view text) : text_(text) {}

    [[nodiscard]] tl::unexpected<Error> fail_at_byte(std::size_t offset, std::string field,
                                                     std::string reason) const;
    [[nodiscard]] Result<void> check_text() const;
    [[nodiscard]] Result<void> load();
    [[nodiscard]] Result<void> find_root();

    std::string_view text_;
    pugi::xml_document tree_;
    pugi::xml_node root_;
};

/// The next element, or the first one inside; other nodes are passed over.
[[nodiscard]] pugi::xml_node first_element(pugi::xml_node parent);
[[nodiscard]] pugi::xml_node next_element(pugi::xml_node element);

/// What is written right inside an element, comments left out.
[[nodiscard]] std::string text_in(pugi::xml_node element);

/// As found in a file, shortened, for messages.
[[nodiscard]] std::string in_quotes(std::string_view found);

}  // namespace animbridge::oban
