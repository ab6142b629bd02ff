// SPDX-License-Identifier: MIT
#pragma once

#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "base/base.h"

/// XML as a tree with places for error messages.
namespace animbridge::oban::file {

/// Parsed XML that knows the position of every element in the text. Refuses text that is not UTF-8, more than
/// one root, and a document type, whose entities could expand without limit.
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

/// The next element, or the first one inside; skips other nodes.
[[nodiscard]] pugi::xml_node first_element(pugi::xml_node parent);
[[nodiscard]] pugi::xml_node next_element(pugi::xml_node element);

/// The text directly inside an element, without comments.
[[nodiscard]] std::string text_in(pugi::xml_node element);

/// Text from a file, quoted and shortened for messages.
[[nodiscard]] std::string in_quotes(std::string_view found);

}  // namespace animbridge::oban::file
