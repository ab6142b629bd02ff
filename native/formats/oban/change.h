// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "formats/oban/document.h"

/// Documents made from others: in another container, or with other values in the head.
namespace animbridge::oban {

/// In another container. docs/oban-format.md has the table of what each can hold.
struct Changed {
    Document document{};
    /// What the other could not take along: "res_id", "lev_id", "padding", "nan_payload", "tail" (fields),
    /// "name", "layout" (what is around the record of a .oni, where it is not as a new one has it).
    std::vector<std::string_view> left_behind{};
};

/// Puts the field behind the others, unless it is one of them.
void add_once(std::vector<std::string_view>& fields, std::string_view field);

/// A .oni or XML that is one already stays as it is. To a .oni: ErrorCode::invalid_argument where
/// neither the document has a name nor `name_if_none` is one that can be stored. To XML: ErrorCode::rejected
/// for more than max_keys keys.
[[nodiscard]] Result<Changed> in_container(const Document& document, Container container,
                                           std::string_view name_if_none);

/// Another record in the document's place. A .oni stays as it is around the record; only where resized()
/// gives none is it made anew. Errors: those of new_oni.
[[nodiscard]] Result<Changed> with_record(const Document& document, Record record);

/// A .oni made anew, with another record and name. Left behind: "res_id", "lev_id", "layout", where they were
/// not a new file's.
[[nodiscard]] Result<Changed> made_anew(const Document& document, Record record, std::string_view name);

/// Names of what XML would leave behind.
[[nodiscard]] std::vector<std::string_view> left_behind_in_xml(const Document& document);

/// `edits`: an object with any of "flags" (a number, or names: bits without a name then stay),
/// "half_stop_frame", "frame_length", "name" and "container" ("raw", "oni", "xml"). Keys and all else stay
/// bit for bit; a .oni that gets another name is made anew. Left behind: what such a file and another
/// container could not take along. ErrorCode::bad_value with the member's name.
[[nodiscard]] Result<Changed> edit(const Document& document, const Json& edits);

}  // namespace animbridge::oban
