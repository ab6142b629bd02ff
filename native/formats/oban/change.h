// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/option.h"
#include "base/result.h"
#include "base/trim.h"
#include "formats/oban/document.h"

/// Makes documents from other documents: in another container, or with other header values.
namespace animbridge::oban {

/// A document in another container. docs/oban-format.md lists what each container can hold.
struct Changed {
    Document document{};
    /// What the new container cannot hold: fields ("res_id", "lev_id", "padding", "nan_payload", "tail"),
    /// "name", and "layout" (bytes around the record of a .oni that differ from those of a new one).
    std::vector<std::string_view> left_behind{};
};

/// Appends the field unless the list already has it.
void add_once(std::vector<std::string_view>& fields, std::string_view field);

/// Converts to another container; a .oni or XML that is already in it stays unchanged. To a .oni:
/// ErrorCode::invalid_argument if the document has no name and `name_if_none` cannot be stored. To XML:
/// ErrorCode::rejected for more than max_keys keys.
[[nodiscard]] Result<Changed> in_container(const Document& document, Container container,
                                           std::string_view name_if_none);

/// Replaces the document's record. The bytes around the record of a .oni stay if resized() can keep them;
/// otherwise this makes a new file. Errors: those of new_oni.
[[nodiscard]] Result<Changed> with_record(const Document& document, Record record);

/// Makes a new .oni with another record and name. Left behind: "res_id", "lev_id" and "layout", if they
/// differ from a new file's.
[[nodiscard]] Result<Changed> made_anew(const Document& document, Record record, std::string_view name);

/// The names of what XML cannot hold.
[[nodiscard]] std::vector<std::string_view> left_behind_in_xml(const Document& document);

/// The values that an edit can change.
[[nodiscard]] std::span<const Option> edit_options();

/// Keys and everything that `edits` does not name stay bit for bit. A .oni that gets another name becomes a
/// new file. Reports what a new file or container cannot hold. ErrorCode::bad_value with the member's name.
[[nodiscard]] Result<Changed> edit(const Document& document, const Json& edits);

/// Keeps the frames around the times of `trim`; see Format::trimmed. Keys inside keep their values bit for
/// bit; a cut between two keys gets a key with what the game shows there.
[[nodiscard]] Result<Document> trimmed(const Document& document, const Trim& trim);

}  // namespace animbridge::oban
